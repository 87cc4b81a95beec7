/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables for people: widths and headings follow from what is in them.
 */
#ifndef KMEMTRACE_REPORT_TABLE_H
#define KMEMTRACE_REPORT_TABLE_H

#include "report/report.h"

#define WHERE_LEN	96

/*
 * The text of a condition: the allocator is @space, and @more, unless it is NULL. Valid to the end
 * of the block it is used in.
 */
#define WHERE(space, more)	where_allocator((char[WHERE_LEN]) { 0 }, space, more)

#define TABLE_MAX_COLUMNS	16
#define TABLE_HEADING_LEN	32
#define TABLE_COLUMNS_LEN	256

/* Columns, and what lists are sorted by. Valid to the end of the block it is used in. */
#define SORTED_COLUMNS(r, columns)	sorted_columns((char[TABLE_COLUMNS_LEN]) { 0 }, r, columns)

/**
 * struct shown_column - a column of a table
 * @column: the column of the relation
 * @heading: above it
 * @is_share: it has parts of @whole
 * @is_exact: it has all digits
 * @has_error: a column for the standard error follows
 * @width: of its widest text
 * @whole: the same figure of all allocations
 */
struct shown_column {
	const struct kmemtrace_column *column;
	char heading[TABLE_HEADING_LEN];
	bool is_share, is_exact, has_error;
	int width;
	uint64_t whole;
};

/**
 * struct text_table - a table that is being printed
 * @r: the report
 * @relation: its rows
 * @list: its columns
 * @nr: entries of @list
 */
struct text_table {
	const struct report *r;
	struct kmemtrace_relation *relation;
	struct shown_column list[TABLE_MAX_COLUMNS];
	size_t nr;
};

void text_table_begin(struct text_table *t, const struct report *r,
		      struct kmemtrace_relation *relation, enum kmemtrace_space space,
		      const char *columns, const char *last, FILE *out);
void text_table_row(const struct text_table *t, struct kmemtrace_relation *row, FILE *out);
int text_table_width(const struct text_table *t);
void relation_text(const struct report *r, struct kmemtrace_relation *relation,
		   enum kmemtrace_space space, const char *columns, const char *last, FILE *out);
const struct kmemtrace_column *sort_beside(const struct report *r, const char *shown);
const char *sorted_columns(char buf[TABLE_COLUMNS_LEN], const struct report *r, const char *columns);
void print_cell(struct kmemtrace_relation *relation, const char *column, FILE *out);
void print_column(const struct report *r, struct kmemtrace_relation *relation, const char *column,
		  int width, FILE *out);
void print_key(struct kmemtrace_relation *relation, FILE *out);
void print_keys(struct kmemtrace_relation *relation, FILE *out);
char *cell_text(struct kmemtrace_relation *relation, const char *column);
bool has_cell(struct kmemtrace_relation *relation, const char *column);
const char *heading_of(const struct kmemtrace_relation *relation, const char *column);
bool print_place(struct kmemtrace_relation *relation, const char *prefix, FILE *out);
uint64_t cell_number(struct kmemtrace_relation *relation, const char *column);
const char *where_allocator(char buf[WHERE_LEN], enum kmemtrace_space space, const char *more);
uint64_t trace_figure(const struct report *r, const char *column);
uint64_t total_figure(const struct report *r, enum kmemtrace_space space, const char *column);

/**
 * struct children - rows of a relation that belong to rows of another one
 * @relation: the relation
 * @list: its rows, by parent
 * @nr: entries of @list
 */
struct children {
	struct kmemtrace_relation *relation;
	struct child {
		uint64_t parent;
		size_t row;
	} *list;
	size_t nr;
};

void children_list(struct children *c, struct kmemtrace_relation *relation, const char *column);
bool children_go(const struct children *c, uint64_t parent, size_t i);
void children_free(struct children *c);

#endif /* KMEMTRACE_REPORT_TABLE_H */
