// SPDX-License-Identifier: GPL-2.0
/*
 * relations.c - relations of the library as JSON and CSV
 */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "common/memory.h"
#include "report/format.h"
#include "report/relations.h"
#include "report/view.h"

/* End the program if a relation could not be opened. */
static void must_open(int ret, const char *problem)
{
	if (problem)
		errx(EXIT_UNUSABLE, "%s", problem);
	must_succeed(ret);
}

/* kmemtrace_relation_open() that ends the program instead of failing. */
struct kmemtrace_relation *relation_open(const struct kmemtrace_trace *trace,
					 const struct kmemtrace_query *query)
{
	struct kmemtrace_relation *relation;
	char *problem;
	int ret = kmemtrace_relation_open(trace, query, &relation, &problem);

	must_open(ret, problem);
	return relation;
}

/* Return what the library says of a relation; NULL: it has no such relation. */
const struct kmemtrace_relation_info *relation_info(const char *name)
{
	const struct kmemtrace_relation_info *info;
	size_t i;

	for (i = 0; (info = kmemtrace_get_relation_info(i)); i++)
		if (!strcmp(info->name, name))
			break;
	return info;
}

static const char * const units[] = {
	[KMEMTRACE_NO_UNIT] = "", [KMEMTRACE_COUNT] = "count", [KMEMTRACE_BYTES] = "bytes",
	[KMEMTRACE_NS] = "ns", [KMEMTRACE_TIME] = "ns after the first record",
	[KMEMTRACE_CLOCK] = "ns of CLOCK_MONOTONIC", [KMEMTRACE_RATIO] = "part of the whole",
};

/* Print the columns of a relation. Return false after a message if there is no such relation. */
bool columns_list(const char *relation, FILE *out)
{
	static const char * const types[] = {
		[KMEMTRACE_NUMBER] = "number", [KMEMTRACE_SIGNED] = "number",
		[KMEMTRACE_REAL] = "real", [KMEMTRACE_BOOL] = "true or false",
		[KMEMTRACE_ADDRESS] = "address", [KMEMTRACE_TEXT] = "text",
	};
	const struct kmemtrace_column *c;
	size_t i;

	for (i = 0; (c = kmemtrace_get_relation_column(relation, i)); i++)
		fprintf(out, "  %-16s %s%s%s%s%s: %s\n", c->name, types[c->type],
			c->unit == KMEMTRACE_NO_UNIT ? "" : ", ", units[c->unit],
			c->is_key ? ", key" : "", c->is_optional ? ", may be missing" : "", c->help);
	if (!i)
		warnx("there is no relation '%s'; --csv list lists them", relation);
	return i;
}

/* Print the names of all relations. */
void relations_list(FILE *out)
{
	const struct kmemtrace_relation_info *info;
	size_t i;

	for (i = 0; (info = kmemtrace_get_relation_info(i)); i++)
		fprintf(out, "  %-16s %s\n", info->name, info->help);
}

/* ---- JSON ---- */

/* Few readers of JSON keep 64 bits of a number: addresses are strings. */
static json_object *address_json(uint64_t address)
{
	char hex[32];

	snprintf(hex, sizeof(hex), "%#" PRIx64, address);
	return text_json(hex);
}

/* A number with the digits that matter. */
static json_object *real_json(double n)
{
	char text[FORMAT_LEN];

	snprintf(text, sizeof(text), "%.6g", n);
	return must_json(json_object_new_double_s(n, text));
}

/* Return a value of a column. */
json_object *value_json(const struct kmemtrace_column *column,
			const struct kmemtrace_field *value)
{
	switch (column->type) {
	case KMEMTRACE_SIGNED:	return json_object_new_int64(value->signed_number);
	case KMEMTRACE_REAL:	return real_json(value->real);
	case KMEMTRACE_BOOL:	return json_object_new_boolean(value->number);
	case KMEMTRACE_ADDRESS:	return address_json(value->number);
	case KMEMTRACE_TEXT:	if (!value->text)
					out_of_memory();
				return text_json(value->text);
	default:		return json_object_new_uint64(value->number);
	}
}

/* Return the present row. A member is missing where the row has no value. */
json_object *relation_row_json(struct kmemtrace_relation *relation)
{
	json_object *row = json_object_new_object();
	const struct kmemtrace_column *column;
	struct kmemtrace_field value;
	size_t i;

	for (i = 0; (column = kmemtrace_relation_column(relation, i)); i++)
		if (kmemtrace_relation_value(relation, i, &value))
			json_object_object_add(row, column->name, value_json(column, &value));
	return row;
}

/*
 * Print the rows as an array, a row in a line; the only one of @is_single as an object, null if
 * there is none. No more than a row is in memory.
 */
void relation_print_json(struct kmemtrace_relation *relation, bool is_single, FILE *out)
{
	const char *separator = "\n  ";

	if (is_single) {
		if (kmemtrace_relation_next(relation))
			print_json_line(relation_row_json(relation), out);
		else
			fputs("null", out);
		return;
	}
	putc('[', out);
	while (kmemtrace_relation_next(relation)) {
		fputs(separator, out);
		print_json_line(relation_row_json(relation), out);
		separator = ",\n  ";
	}
	putc(']', out);
}

/* Return the JSON schema of a column. */
json_object *schema_of_column(const struct kmemtrace_column *column)
{
	static const char * const types[] = {
		[KMEMTRACE_NUMBER] = "integer", [KMEMTRACE_SIGNED] = "integer",
		[KMEMTRACE_REAL] = "number", [KMEMTRACE_BOOL] = "boolean",
		[KMEMTRACE_ADDRESS] = "string", [KMEMTRACE_TEXT] = "string",
	};
	json_object *obj = json_object_new_object();

	add_str(obj, "type", types[column->type]);
	if (column->type == KMEMTRACE_ADDRESS)
		add_str(obj, "pattern", "^0(x[0-9a-f]+)?$");
	if (column->type == KMEMTRACE_NUMBER)
		add_u64(obj, "minimum", 0);
	add_str(obj, "description", column->help);
	if (column->unit != KMEMTRACE_NO_UNIT)
		add_str(obj, "unit", units[column->unit]);
	return obj;
}

/* ---- CSV ---- */

/* Print a text as RFC 4180 has it. */
static void print_quoted(const char *text, FILE *out)
{
	if (!text)
		out_of_memory();
	if (!text[strcspn(text, ",\"\n")]) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

/* Print a value of a column. */
void csv_value_print(const struct kmemtrace_column *column, const struct kmemtrace_field *value,
		     FILE *out)
{
	switch (column->type) {
	case KMEMTRACE_SIGNED:	fprintf(out, "%" PRId64, value->signed_number); break;
	case KMEMTRACE_REAL:	fprintf(out, "%.6g", value->real); break;
	case KMEMTRACE_BOOL:	fputs(value->number ? "true" : "false", out); break;
	case KMEMTRACE_ADDRESS:	fprintf(out, "%#" PRIx64, value->number); break;
	case KMEMTRACE_TEXT:	print_quoted(value->text, out); break;
	default:		fprintf(out, "%" PRIu64, value->number); break;
	}
}

static void print_names(const struct kmemtrace_relation *relation, FILE *out)
{
	const struct kmemtrace_column *column;
	size_t i;

	for (i = 0; (column = kmemtrace_relation_column(relation, i)); i++)
		fprintf(out, "%s%s", i ? "," : "", column->name);
	fputs("\n", out);
}

/* Nothing stands where there is no value. */
static int print_csv_row(void *out, struct kmemtrace_relation *relation)
{
	const struct kmemtrace_column *column;
	struct kmemtrace_field value;
	size_t i;

	for (i = 0; (column = kmemtrace_relation_column(relation, i)); i++) {
		fputs(i ? "," : "", out);
		if (kmemtrace_relation_value(relation, i, &value))
			csv_value_print(column, &value, out);
	}
	fputs("\n", out);
	return 0;
}

/* Print the names of the columns, then a row in a line. */
void relation_print_csv(struct kmemtrace_relation *relation, FILE *out)
{
	print_names(relation, out);
	while (kmemtrace_relation_next(relation))
		print_csv_row(out, relation);
}

/* The same while the trace is read. Return the relation, to be closed after the reading. */
struct kmemtrace_relation *relation_follow_csv(struct kmemtrace_trace *trace,
					       const struct kmemtrace_query *query, FILE *out)
{
	struct kmemtrace_relation *relation;
	char *problem;
	int ret = kmemtrace_relation_follow(trace, query, print_csv_row, out, &relation, &problem);

	must_open(ret, problem);
	print_names(relation, out);
	return relation;
}
