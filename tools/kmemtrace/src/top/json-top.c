// SPDX-License-Identifier: GPL-2.0
/*
 * json-top.c - the rows of one second as JSON
 */
#include "config.h"

#include "report/document.h"
#include "report/format.h"
#include "report/relations.h"
#include "top/json.h"

/* ---- what only kmemtrace-top has ---- */

enum {
	SECOND_STATE, SECOND_TIME, SECOND_MARK, SECOND_RATE, SECOND_GROUP, SECOND_SORT,
	SECOND_FILTER,
};

static const struct kmemtrace_column second_columns[] = {
	[SECOND_STATE] = TABLE_COLUMN("state", TEXT, NO_UNIT, "running, ended or broken off"),
	[SECOND_TIME] = TABLE_COLUMN("time_ns", NUMBER, TIME, "time of totals and rows"),
	[SECOND_MARK] = TABLE_COLUMN("marked_ns", NUMBER, TIME,
				     "time of the mark, from which changes count"),
	[SECOND_RATE] = TABLE_COLUMN("events_per_second", REAL, COUNT, "events a second"),
	[SECOND_GROUP] = TABLE_COLUMN("group_by", TEXT, NO_UNIT, "column that makes the rows"),
	[SECOND_SORT] = TABLE_COLUMN("sort", TEXT, NO_UNIT,
				     "column that sorts the rows; name: that of group_by"),
	[SECOND_FILTER] = TABLE_COLUMN("filter", TEXT, NO_UNIT,
				       "what the names of the rows contain"),
};

static bool get_second(const void *row, size_t column, struct kmemtrace_field *value)
{
	static const char * const states[] = {
		[TOP_EMPTY] = "waiting", [TOP_RUNS] = "running", [TOP_ENDED] = "ended",
		[TOP_CUT] = "broken off",
	};
	const struct top *top = row;

	switch (column) {
	case SECOND_STATE:	value->text = states[top->head.state]; break;
	case SECOND_TIME:	value->number = top->head.time; break;
	case SECOND_MARK:	value->number = top->head.marked; break;
	case SECOND_RATE:	value->real = top->head.rate; break;
	case SECOND_GROUP:	value->text = top_groups[top->group].name; break;
	case SECOND_SORT:	value->text = top_sorts[top->sort]; break;
	default:		value->text = top->filter; break;
	}
	return true;
}

static const struct table second_table = TABLE(second_columns, get_second);

/* ---- the document ---- */

/* Print the rows of a relation as a member. */
static void print_relation(const char *member, struct kmemtrace_relation *rows, bool is_single,
			   FILE *out)
{
	kmemtrace_relation_rewind(rows);
	print_member_name(member, out);
	relation_print_json(rows, is_single, out);
}

/* Print a relation of the trace with all of its rows. */
static void print_whole(const char *name, const struct kmemtrace_trace *trace, FILE *out)
{
	const struct kmemtrace_query query = { .size = sizeof(query), .relation = name };
	struct kmemtrace_relation *relation = relation_open(trace, &query);

	print_relation(name, relation, relation_info(name)->is_single, out);
	kmemtrace_relation_close(relation);
}

/* Print the trace, its totals and all rows of the model. */
void top_print_json(const struct top *top, const struct kmemtrace_trace *trace, FILE *out)
{
	document_begin(out);
	print_member("second", table_row(&second_table, top), out);
	print_whole("trace", trace, out);
	print_whole("reasons", trace, out);
	print_relation("totals", top->totals, false, out);
	print_relation("rows", top->rows, false, out);
	document_end(out);
}

/* Return the schema of rows, which have the columns of one of these relations. */
static json_object *schema_of_groups(void)
{
	static const char * const relations[] = {
		"sites", "functions", "caches", "modules", "tasks", "cgroups",
	};
	json_object *row = schema_new();
	const struct kmemtrace_column *column;
	size_t i, j;

	for (i = 0; i < sizeof(relations) / sizeof(*relations); i++)
		for (j = 0; (column = kmemtrace_get_relation_column(relations[i], j)); j++)
			schema_add(row, column->name, schema_of_column(column), !i && !j);
	return schema_of_rows(row);
}

/* Return the JSON schema of top_print_json(). */
json_object *top_schema(void)
{
	json_object *schema = schema_of_document();

	schema_add(schema, "second", table_schema(&second_table), true);
	schema_add(schema, "trace", schema_of_relation("trace", true), true);
	schema_add(schema, "reasons", schema_of_relation("reasons", true), true);
	schema_add(schema, "totals", schema_of_relation("totals", true), true);
	schema_add(schema, "rows", schema_of_groups(), true);
	return schema;
}
