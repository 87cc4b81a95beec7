/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of several traces, and of kmemtrace-top, which are no relation of one trace: their JSON,
 * its schema, and CSV.
 */
#ifndef KMEMTRACE_DOCUMENT_H
#define KMEMTRACE_DOCUMENT_H

#include <json-c/json.h>

#include "kmemtrace.h"

/**
 * struct table_column - a column of a table
 * @column: what it is
 * @at: offset of the value in the structure of a row
 * @is_pointer: the structure has a pointer to the value, or NULL for none
 */
struct table_column {
	struct kmemtrace_column column;
	size_t at;
	bool is_pointer;
};

/**
 * struct json_table - a table
 * @columns: its columns
 * @nr: entries of @columns
 */
struct json_table {
	const struct table_column *columns;
	size_t nr;
};

#define TABLE(list)	{ list, sizeof(list) / sizeof(*(list)) }

/**
 * struct table_rows - where the rows of a table go
 * @table: the table
 * @put: prints a row
 * @separator: what precedes the next row
 * @out: where to
 */
struct table_rows {
	const struct json_table *table;
	void (*put)(struct table_rows *rows, const void *row);
	const char *separator;
	FILE *out;
};

/**
 * struct document_table - a table of a document
 * @member: its name; NULL ends the tables of a document
 * @table: its columns
 * @is_single: it has one row
 * @put_rows: puts all rows with table_put(), of what the document is about
 */
struct document_table {
	const char *member;
	const struct json_table *table;
	bool is_single;
	void (*put_rows)(struct table_rows *rows, const void *of);
};

#define TABLE_TYPE(value)								\
	_Generic(value,									\
		 uint64_t: KMEMTRACE_NUMBER, const uint64_t *: KMEMTRACE_NUMBER,	\
		 int64_t: KMEMTRACE_SIGNED, double: KMEMTRACE_REAL,			\
		 bool: KMEMTRACE_BOOL, const bool *: KMEMTRACE_BOOL,			\
		 const char *: KMEMTRACE_TEXT)
#define TABLE_IS_POINTER(value)								\
	_Generic(value, const uint64_t *: true, const bool *: true, default: false)

/* The column of a member, whose name it has. */
#define TABLE_COLUMN(row, member, u, text, ...)						\
	{ .column.size = sizeof(struct kmemtrace_column), .column.name = #member,	\
	  .column.type = TABLE_TYPE(((row *)0)->member), .column.unit = KMEMTRACE_##u,	\
	  .column.help = text, .at = offsetof(row, member),				\
	  .is_pointer = TABLE_IS_POINTER(((row *)0)->member), __VA_ARGS__ }
#define MAYBE	.column.is_optional = true

json_object *table_row(const struct json_table *table, const void *row);
json_object *table_schema(const struct json_table *table);

void document_begin(FILE *out);
void document_end(FILE *out);
void table_put(struct table_rows *rows, const void *row);
void tables_print_json(const struct document_table *tables, const void *of, FILE *out);
void tables_print_csv(const struct document_table *tables, const char *member, const void *of,
		      FILE *out);
const struct document_table *tables_find(const struct document_table *tables, const char *member);

json_object *schema_new(void);
void schema_add(json_object *schema, const char *member, json_object *of_member,
		bool is_required);
json_object *schema_of_rows(json_object *row);
json_object *schema_of_relation(const char *name, bool is_usual);
json_object *schema_of_document(void);
void schema_add_tables(json_object *schema, const struct document_table *tables);

#endif /* KMEMTRACE_DOCUMENT_H */
