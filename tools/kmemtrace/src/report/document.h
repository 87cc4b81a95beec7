/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables: rows of JSON that are no relation of one trace; documents of tables and relations; and
 * the schema of both.
 */
#ifndef KMEMTRACE_DOCUMENT_H
#define KMEMTRACE_DOCUMENT_H

#include <json-c/json.h>

#include "kmemtrace.h"

/**
 * struct table - a table
 * @columns: its columns
 * @nr: entries of @columns
 * @get: sets the value of a row in a column. Returns false: there is none
 */
struct table {
	const struct kmemtrace_column *columns;
	size_t nr;
	bool (*get)(const void *row, size_t column, struct kmemtrace_field *value);
};

#define TABLE(list, getter)	{ list, sizeof(list) / sizeof(*(list)), getter }
#define TABLE_COLUMN(n, t, u, text, ...)						\
	{ .size = sizeof(struct kmemtrace_column), .name = n, .type = KMEMTRACE_##t,	\
	  .unit = KMEMTRACE_##u, .help = text, __VA_ARGS__ }

json_object *table_row(const struct table *table, const void *row);
json_object *table_schema(const struct table *table);

void document_begin(FILE *out);
void document_end(FILE *out);
json_object *document_new(void);
void document_print(json_object *document, FILE *out);

json_object *schema_new(void);
void schema_add(json_object *schema, const char *member, json_object *of_member,
		bool is_required);
json_object *schema_of_rows(json_object *row);
json_object *schema_of_relation(const char *name, bool is_usual);
json_object *schema_of_document(void);

#endif /* KMEMTRACE_DOCUMENT_H */
