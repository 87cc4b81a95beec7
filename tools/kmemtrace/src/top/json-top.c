// SPDX-License-Identifier: GPL-2.0
/*
 * json-top.c - the rows of one second as JSON
 */
#include "config.h"

#include "report/document.h"
#include "report/format.h"
#include "report/relations.h"
#include "top/json.h"

/**
 * struct second_row - what only kmemtrace-top has
 */
struct second_row {
	const char *state;
	uint64_t time_ns, marked_ns;
	double events_per_second;
	const char *group_by, *sort, *filter;
};

static const struct table_column second_columns[] = {
	TABLE_COLUMN(struct second_row, state, NO_UNIT, "running, ended or broken off"),
	TABLE_COLUMN(struct second_row, time_ns, TIME, "time of totals and rows"),
	TABLE_COLUMN(struct second_row, marked_ns, TIME,
		     "time of the mark, from which changes count"),
	TABLE_COLUMN(struct second_row, events_per_second, COUNT, "events a second"),
	TABLE_COLUMN(struct second_row, group_by, NO_UNIT, "column that makes the rows"),
	TABLE_COLUMN(struct second_row, sort, NO_UNIT,
		     "column that sorts the rows; name: that of group_by"),
	TABLE_COLUMN(struct second_row, filter, NO_UNIT, "what the names of the rows contain"),
};

static const struct json_table second_table = TABLE(second_columns);

static json_object *second_json(const struct top *top)
{
	static const char * const states[] = {
		[TOP_EMPTY] = "waiting", [TOP_RUNS] = "running", [TOP_ENDED] = "ended",
		[TOP_CUT] = "broken off",
	};

	return table_row(&second_table, &(struct second_row) {
		.state = states[top->head.state],
		.time_ns = top->head.time,
		.marked_ns = top->head.marked,
		.events_per_second = top->head.rate,
		.group_by = top->group->name,
		.sort = top->sort,
		.filter = top->filter,
	});
}

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
	print_member("second", second_json(top), out);
	print_whole("trace", trace, out);
	print_whole("reasons", trace, out);
	print_relation("suspects", top->suspects, false, out);
	print_relation("totals", top->totals, false, out);
	print_relation("rows", top->rows, false, out);
	document_end(out);
}

/* Return the schema of rows, which have the columns of one of these relations. */
static json_object *schema_of_groups(void)
{
	static const char * const relations[] = {
		"sites", "functions", "caches", "modules", "tasks", "processes", "cgroups",
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
	schema_add(schema, "suspects", schema_of_relation("suspects", false), true);
	schema_add(schema, "totals", schema_of_relation("totals", true), true);
	schema_add(schema, "rows", schema_of_groups(), true);
	return schema;
}
