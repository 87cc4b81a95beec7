// SPDX-License-Identifier: GPL-2.0
/*
 * diff-tables.c - the difference of two traces, as tables
 */
#include "config.h"

#include <string.h>

#include "report/diff.h"
#include "report/document.h"
#include "report/format.h"
#include "report/relations.h"
#include "report/view.h"

/**
 * enum figure_part - a column of a figure; the standard errors have the first two, too
 */
enum figure_part { BEFORE, AFTER, CHANGE_OF, NR_OF_FIGURE };
#define NR_OF_ERROR	CHANGE_OF

/**
 * struct diff_row - a row of the difference
 * @values: of the figures, by number and part
 * @errors: their standard errors; NULL: the trace is no sample
 */
struct diff_row {
	const char *allocator, *name, *was, *status;
	const bool *is_exceeded;
	uint64_t values[MAX_FIGURES][NR_OF_FIGURE];
	const uint64_t *errors[MAX_FIGURES][NR_OF_ERROR];
};

#define DIFF_KEYS	5

static const struct table_column first_columns[DIFF_KEYS] = {
	TABLE_COLUMN(struct diff_row, allocator, NO_UNIT,
		     "slab, pages, percpu or vmalloc; never add up bytes of different ones"),
	TABLE_COLUMN(struct diff_row, name, NO_UNIT,
		     "the group of call sites, or the slab cache; totals have none", MAYBE),
	TABLE_COLUMN(struct diff_row, was, NO_UNIT,
		     "its name in the first trace, if that is another one", MAYBE),
	TABLE_COLUMN(struct diff_row, status, NO_UNIT,
		     "new or gone, if one of the traces does not have it", MAYBE),
	TABLE_COLUMN(struct diff_row, is_exceeded, NO_UNIT,
		     "of totals: the allocator grew by more than --threshold allows", MAYBE),
};

static struct table_column diff_columns[DIFF_KEYS + MAX_FIGURES * (NR_OF_FIGURE + NR_OF_ERROR)];

/* Set the column of a part of a figure, or of its standard error. */
static void set_column(struct table_column *c, const struct kmemtrace_column *figure, size_t number,
		       enum figure_part part, bool is_error)
{
	static const char * const names[] = { "_before", "_after", "_change" };
	static const char * const helps[] = {
		"in the first trace", "in the second trace",
		"by how much the second exceeds the first",
	};
	char *name;

	if (asprintf(&name, "%s%s%s", figure->name, names[part], is_error ? "_error" : "") < 0)
		out_of_memory();
	*c = (struct table_column) {
		.column = *figure,
		.at = is_error ? offsetof(struct diff_row, errors[number][part]) :
				 offsetof(struct diff_row, values[number][part]),
		.is_pointer = is_error,
	};
	c->column.name = name;
	c->column.help = is_error ? "standard error, in a sample" : helps[part];
	c->column.type = part == CHANGE_OF ? KMEMTRACE_SIGNED : KMEMTRACE_NUMBER;
	c->column.is_optional = is_error;
	c->column.error = NULL;
}

/* Return the table of the difference, whose columns follow from the figures. */
static const struct json_table *diff_table(void)
{
	static struct json_table table = { .columns = diff_columns };
	const struct kmemtrace_column *figures;
	size_t nr_figures, i;
	int part;

	if (table.nr)
		return &table;
	figures = figures_list(&nr_figures);
	memcpy(diff_columns, first_columns, sizeof(first_columns));
	table.nr = DIFF_KEYS;
	for (i = 0; i < nr_figures; i++)
		for (part = BEFORE; part < NR_OF_FIGURE; part++)
			set_column(&diff_columns[table.nr++], &figures[i], i, part, false);
	for (i = 0; i < nr_figures; i++)
		for (part = BEFORE; figures[i].error && part < NR_OF_ERROR; part++)
			set_column(&diff_columns[table.nr++], &figures[i], i, part, true);
	return &table;
}

/* ---- rows ---- */

static bool is_sampled(const struct figures *f)
{
	size_t i;

	for (i = 0; i < MAX_FIGURES; i++)
		if (f->errors[i])
			return true;
	return false;
}

static void put_delta(struct table_rows *rows, const struct diff *d, enum kmemtrace_space space,
		      const struct delta *delta)
{
	const struct figures *before = delta->before, *after = delta->after;
	bool is_exceeded = d->allowed && diff_exceeds(d, space);
	struct diff_row row = {
		.allocator = space_infos[space].name,
		.name = delta->name,
		.was = delta->was,
		.status = delta_status(delta),
		.is_exceeded = d->allowed && !delta->name ? &is_exceeded : NULL,
	};
	size_t i;

	for (i = 0; i < MAX_FIGURES; i++) {
		row.values[i][BEFORE] = before->values[i];
		row.values[i][AFTER] = after->values[i];
		row.values[i][CHANGE_OF] = after->values[i] - before->values[i];
		row.errors[i][BEFORE] = is_sampled(before) ? &before->errors[i] : NULL;
		row.errors[i][AFTER] = is_sampled(after) ? &after->errors[i] : NULL;
	}
	table_put(rows, &row);
}

static void put_total_deltas(struct table_rows *rows, const void *of)
{
	const struct diff *d = of;
	struct figures before, after;
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		figures_of_total(&before, d->before, i);
		figures_of_total(&after, d->after, i);
		put_delta(rows, d, i, &(struct delta) { .before = &before, .after = &after });
	}
}

static void put_deltas(struct table_rows *rows, const struct diff *d, enum kmemtrace_space space,
		       const struct deltas *ds)
{
	size_t i;

	for (i = 0; i < ds->nr; i++)
		if (i < view_limit(d->before, ds->nr) || ds->list[i].is_rest)
			put_delta(rows, d, space, &ds->list[i]);
}

static void put_site_deltas(struct table_rows *rows, const void *of)
{
	const struct diff *d = of;
	int i;

	for (i = 0; i < NR_SPACES; i++)
		put_deltas(rows, d, i, &d->of[i]);
}

static void put_cache_deltas(struct table_rows *rows, const void *of)
{
	const struct diff *d = of;

	put_deltas(rows, d, KMEMTRACE_SPACE_SLAB, &d->caches);
}

/* Return the difference as tables. */
const struct document_table *diff_tables(void)
{
	static struct document_table tables[] = {
		{ "totals", NULL, false, put_total_deltas },
		{ "sites", NULL, false, put_site_deltas },
		{ "caches", NULL, false, put_cache_deltas },
		{ .member = NULL }
	};
	struct document_table *t;

	for (t = tables; t->member; t++)
		t->table = diff_table();
	return tables;
}

/* ---- the document ---- */

static void print_trace(const char *member, const struct report *r, FILE *out)
{
	struct kmemtrace_relation *trace = relation_of(r, "trace");

	print_member_name(member, out);
	relation_print_json(trace, true, out);
	kmemtrace_relation_close(trace);
}

/* Print the difference as one object. */
void diff_print_json(const struct diff *d, FILE *out)
{
	document_begin(out);
	print_trace("before", d->before, out);
	print_trace("after", d->after, out);
	print_member("same", json_object_new_boolean(diff_is_empty(d)), out);
	tables_print_json(diff_tables(), d, out);
	document_end(out);
}

/* Return the schema of that object. */
json_object *diff_schema(void)
{
	json_object *schema = schema_of_document(), *same = json_object_new_object();

	add_str(same, "type", "boolean");
	add_str(same, "description", "nothing differs");
	schema_add(schema, "before", schema_of_relation("trace", true), true);
	schema_add(schema, "after", schema_of_relation("trace", true), true);
	schema_add(schema, "same", same, true);
	schema_add_tables(schema, diff_tables());
	return schema;
}
