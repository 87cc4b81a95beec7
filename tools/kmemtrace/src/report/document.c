// SPDX-License-Identifier: GPL-2.0
/*
 * document.c - tables and documents in JSON and CSV, and their schema
 */
#include "config.h"

#include <string.h>

#include "report/document.h"
#include "report/format.h"
#include "report/relations.h"

/* Set a value of a row. Return false if there is none. */
static bool get_value(const struct table_column *c, const void *row, struct kmemtrace_field *value)
{
	const void *at = (const char *)row + c->at;

	if (c->is_pointer)
		at = *(const void * const *)at;
	if (!at)
		return false;
	switch (c->column.type) {
	case KMEMTRACE_TEXT:	value->text = *(const char * const *)at; break;
	case KMEMTRACE_BOOL:	value->number = *(const bool *)at; break;
	case KMEMTRACE_REAL:	value->real = *(const double *)at; break;
	case KMEMTRACE_SIGNED:	value->signed_number = *(const int64_t *)at; break;
	default:		value->number = *(const uint64_t *)at; break;
	}
	return c->column.type != KMEMTRACE_TEXT || value->text;
}

/* Return a row. A member is missing where it has no value. */
json_object *table_row(const struct json_table *table, const void *row)
{
	json_object *obj = json_object_new_object();
	const struct table_column *c;
	struct kmemtrace_field value;

	for (c = table->columns; c < table->columns + table->nr; c++)
		if (get_value(c, row, &value))
			json_object_object_add(obj, c->column.name, value_json(&c->column, &value));
	return obj;
}

/* Return the schema of a row. */
json_object *table_schema(const struct json_table *table)
{
	json_object *row = schema_new();
	const struct table_column *c;

	for (c = table->columns; c < table->columns + table->nr; c++)
		schema_add(row, c->column.name, schema_of_column(&c->column), !c->column.is_optional);
	return row;
}

/* ---- documents ---- */

/* Begin to print an object, whose members follow. */
void document_begin(FILE *out)
{
	fprintf(out, "{\n\"schema_version\": %d", JSON_SCHEMA_VERSION);
}

/* End it. */
void document_end(FILE *out)
{
	fputs("\n}\n", out);
}

static void put_json(struct table_rows *rows, const void *row)
{
	fputs(rows->separator, rows->out);
	print_json_line(table_row(rows->table, row), rows->out);
	rows->separator = ",\n  ";
}

static void put_csv(struct table_rows *rows, const void *row)
{
	const struct table_column *c;
	struct kmemtrace_field value;

	for (c = rows->table->columns; c < rows->table->columns + rows->table->nr; c++) {
		if (c != rows->table->columns)
			putc(',', rows->out);
		if (get_value(c, row, &value))
			csv_value_print(&c->column, &value, rows->out);
	}
	putc('\n', rows->out);
}

/* Print a row, the structure that the columns describe. */
void table_put(struct table_rows *rows, const void *row)
{
	rows->put(rows, row);
}

/* Print tables as members, behind document_begin(). */
void tables_print_json(const struct document_table *tables, const void *of, FILE *out)
{
	const struct document_table *t;

	for (t = tables; t->member; t++) {
		print_member_name(t->member, out);
		if (!t->is_single)
			putc('[', out);
		t->put_rows(&(struct table_rows) {
			.table = t->table,
			.put = put_json,
			.separator = t->is_single ? "" : "\n  ",
			.out = out,
		}, of);
		if (!t->is_single)
			putc(']', out);
	}
}

/* Return a table by its name; NULL: there is none. */
const struct document_table *tables_find(const struct document_table *tables, const char *member)
{
	const struct document_table *t;

	for (t = tables; t->member; t++)
		if (!strcmp(t->member, member))
			return t;
	return NULL;
}

/* Print the names of the columns of a table, then a row in a line. */
void tables_print_csv(const struct document_table *tables, const char *member, const void *of,
		      FILE *out)
{
	const struct document_table *t = tables_find(tables, member);
	size_t i;

	for (i = 0; i < t->table->nr; i++)
		fprintf(out, "%s%s", i ? "," : "", t->table->columns[i].column.name);
	putc('\n', out);
	t->put_rows(&(struct table_rows) { .table = t->table, .put = put_csv, .out = out }, of);
}

/* ---- schema ---- */

/* Return the schema of an object without members. */
json_object *schema_new(void)
{
	json_object *schema = json_object_new_object();

	add_str(schema, "type", "object");
	json_object_object_add(schema, "properties", json_object_new_object());
	json_object_object_add(schema, "required", json_object_new_array());
	return schema;
}

/* Add a member and its schema to that of an object. */
void schema_add(json_object *schema, const char *member, json_object *of_member, bool is_required)
{
	json_object_object_add(json_object_object_get(schema, "properties"), member, of_member);
	if (is_required)
		json_object_array_add(json_object_object_get(schema, "required"),
				      text_json(member));
}

/* Return the schema of an array of rows. */
json_object *schema_of_rows(json_object *row)
{
	json_object *schema = json_object_new_object();

	add_str(schema, "type", "array");
	json_object_object_add(schema, "items", row);
	return schema;
}

/* Return the JSON schema of a relation; without @is_usual, it may be grouped in any way. */
json_object *schema_of_relation(const char *name, bool is_usual)
{
	json_object *row = schema_new(), *types;
	const struct kmemtrace_column *column;
	size_t i;

	for (i = 0; (column = kmemtrace_get_relation_column(name, i)); i++)
		schema_add(row, column->name, schema_of_column(column),
			   is_usual && !column->is_optional);
	if (!relation_info(name)->is_single)
		return schema_of_rows(row);
	types = json_object_new_array();
	json_object_array_add(types, text_json("object"));
	json_object_array_add(types, text_json("null"));
	json_object_object_add(row, "type", types);
	return row;
}

/* Return the schema of a document without members. */
json_object *schema_of_document(void)
{
	json_object *schema = schema_new(), *version = json_object_new_object();

	add_u64(version, "const", JSON_SCHEMA_VERSION);
	schema_add(schema, "schema_version", version, true);
	return schema;
}

/* Add the members that tables_print_json() prints. */
void schema_add_tables(json_object *schema, const struct document_table *tables)
{
	const struct document_table *t;
	json_object *row;

	for (t = tables; t->member; t++) {
		row = table_schema(t->table);
		schema_add(schema, t->member, t->is_single ? row : schema_of_rows(row), true);
	}
}
