/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cells and tables of the rows of relations, for people.
 */
#ifndef KMEMTRACE_REPORT_TABLE_H
#define KMEMTRACE_REPORT_TABLE_H

#include "report/report.h"
#include "report/site.h"
#include "report/text-table.h"

#define WHERE_LEN	96

/*
 * The text of a condition: the allocator is @space, and @more, unless it is NULL. Valid to the end
 * of the block it is used in.
 */
#define WHERE(space, more)	where_allocator((char[WHERE_LEN]) { 0 }, space, more)

#define TABLE_COLUMNS_LEN	256

/* Blanks before what identifies a row, where that is below it. */
#define CALLS_INDENT	6

/* Columns, and what lists are sorted by. Valid to the end of the block it is used in. */
#define SORTED_COLUMNS(r, columns)	sorted_columns((char[TABLE_COLUMNS_LEN]) { 0 }, r, columns)

/**
 * struct shown_column - a column of a table, see text_columns()
 * @name: its name
 * @form: '#': bytes have all digits; '~': a number is bytes
 * @has_heading: @heading is above it, not the usual one
 * @heading: the heading
 */
struct shown_column {
	char name[32], form;
	bool has_heading;
	char heading[32];
};

const char *shown_parse(struct shown_column *c, const char *columns);
void text_value(struct text_table *t, const struct shown_column *c,
		const struct kmemtrace_column *column, const struct kmemtrace_field *value,
		uint64_t error);
void text_columns(struct text_table *t, struct kmemtrace_relation *row, const char *columns);
void relation_text(const struct report *r, struct kmemtrace_relation *relation,
		   const char *columns, const char *last, FILE *out);
const struct kmemtrace_column *sort_beside(const struct report *r, const char *shown);
const char *sorted_columns(char buf[TABLE_COLUMNS_LEN], const struct report *r, const char *columns);
void print_cell(struct kmemtrace_relation *relation, const char *column, FILE *out);
void print_key(struct kmemtrace_relation *relation, FILE *out);
void text_calls(struct text_table *t, struct kmemtrace_relation *row, size_t most);
void calls_of_row(struct calls *calls, const struct report *r, struct kmemtrace_relation *row);
const char *cell_text(struct kmemtrace_relation *relation, const char *column);
bool has_cell(struct kmemtrace_relation *relation, const char *column);
void print_site_of(struct kmemtrace_relation *relation, const char *prefix, FILE *out);
bool print_place(struct kmemtrace_relation *relation, const char *prefix, const char *before,
		 FILE *out);
uint64_t cell_number(struct kmemtrace_relation *relation, const char *column);
double cell_real(struct kmemtrace_relation *relation, const char *column);
const char *where_allocator(char buf[WHERE_LEN], enum kmemtrace_space space, const char *more);
size_t listed_rows(struct kmemtrace_relation *relation);
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
