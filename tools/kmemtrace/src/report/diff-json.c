// SPDX-License-Identifier: GPL-2.0
/*
 * diff-json.c - the difference of two traces as JSON
 */
#include "config.h"

#include <string.h>

#include "report/diff.h"
#include "report/document.h"
#include "report/format.h"
#include "report/relations.h"
#include "report/view.h"

/**
 * struct diff_row - a row of the difference
 * @d: the difference
 * @space: the allocator
 * @delta: its counters in both traces; without a name: the sums of the allocator
 */
struct diff_row {
	const struct diff *d;
	enum kmemtrace_space space;
	struct delta delta;
};

/* The columns before those of figures. */
enum { DIFF_ALLOCATOR, DIFF_NAME, DIFF_WAS, DIFF_STATUS, DIFF_IS_EXCEEDED, DIFF_FIGURES };

/* The columns of a figure; after those of all figures come the ones of all standard errors. */
enum { BEFORE, AFTER, CHANGE_OF, NR_OF_FIGURE };
#define NR_OF_ERROR	2

#define MAYBE	.is_optional = true

static const struct kmemtrace_column first_columns[DIFF_FIGURES] = {
	[DIFF_ALLOCATOR] = TABLE_COLUMN("allocator", TEXT, NO_UNIT,
		"slab, pages, percpu or vmalloc; never add up bytes of different ones"),
	[DIFF_NAME] = TABLE_COLUMN("name", TEXT, NO_UNIT,
		"the group of call sites, or the slab cache; totals have none", MAYBE),
	[DIFF_WAS] = TABLE_COLUMN("was", TEXT, NO_UNIT,
		"its name in the first trace, if that is another one", MAYBE),
	[DIFF_STATUS] = TABLE_COLUMN("status", TEXT, NO_UNIT,
		"new or gone, if one of the traces does not have it", MAYBE),
	[DIFF_IS_EXCEEDED] = TABLE_COLUMN("is_exceeded", BOOL, NO_UNIT,
		"of totals: the allocator grew by more than --threshold allows", MAYBE),
};

#define MAX_DIFF_COLUMNS	(DIFF_FIGURES + MAX_FIGURES * (NR_OF_FIGURE + NR_OF_ERROR))

/**
 * struct diff_column - a column of a figure
 * @figure: the number of the figure
 * @of: BEFORE, AFTER or CHANGE_OF
 * @is_error: it has the standard error
 */
struct diff_column {
	size_t figure;
	int of;
	bool is_error;
};

static struct kmemtrace_column diff_columns[MAX_DIFF_COLUMNS];
static struct diff_column diff_figures[MAX_DIFF_COLUMNS];

/* Add a column of a figure or of its standard error. Return how many columns there are then. */
static size_t add_column(size_t nr, const struct kmemtrace_column *figure, struct diff_column of)
{
	static const char * const names[] = { "_before", "_after", "_change" };
	static const char * const helps[] = {
		"in the first trace", "in the second trace",
		"by how much the second exceeds the first",
	};
	struct kmemtrace_column *c = &diff_columns[nr];
	char *name;

	if (asprintf(&name, "%s%s%s", figure->name, names[of.of], of.is_error ? "_error" : "") < 0)
		out_of_memory();
	*c = *figure;
	c->name = name;
	c->help = of.is_error ? "standard error, in a sample" : helps[of.of];
	c->type = of.of == CHANGE_OF ? KMEMTRACE_SIGNED : KMEMTRACE_NUMBER;
	c->is_optional = of.is_error;
	c->error = NULL;
	diff_figures[nr] = of;
	return nr + 1;
}

static bool get(const void *diff_row, size_t column, struct kmemtrace_field *value);

/* Return the table of the difference, whose columns follow from the figures. */
static const struct table *diff_table(void)
{
	static struct table table = { .columns = diff_columns, .get = get };
	const struct kmemtrace_column *figures;
	size_t nr_figures, i;
	int of;

	if (table.nr)
		return &table;
	figures = figures_list(&nr_figures);
	memcpy(diff_columns, first_columns, sizeof(first_columns));
	table.nr = DIFF_FIGURES;
	for (i = 0; i < nr_figures; i++)
		for (of = BEFORE; of < NR_OF_FIGURE; of++)
			table.nr = add_column(table.nr, &figures[i], (struct diff_column) { i, of, false });
	for (i = 0; i < nr_figures; i++)
		for (of = BEFORE; figures[i].error && of < NR_OF_ERROR; of++)
			table.nr = add_column(table.nr, &figures[i], (struct diff_column) { i, of, true });
	return &table;
}

/* ---- values ---- */

static bool is_sampled(const struct figures *f)
{
	size_t i;

	for (i = 0; i < MAX_FIGURES; i++)
		if (f->errors[i])
			return true;
	return false;
}

static bool get_figure(const struct delta *delta, const struct diff_column *c,
		       struct kmemtrace_field *value)
{
	const struct figures *f = c->of == BEFORE ? delta->before : delta->after;

	value->number = c->is_error ? f->errors[c->figure] : f->values[c->figure];
	if (c->of == CHANGE_OF)
		value->signed_number = (int64_t)(value->number - delta->before->values[c->figure]);
	return !c->is_error || is_sampled(f);
}

static bool get_text(const char *text, struct kmemtrace_field *value)
{
	value->text = text;
	return text;
}

static bool get(const void *diff_row, size_t column, struct kmemtrace_field *value)
{
	const struct diff_row *row = diff_row;

	switch (column) {
	case DIFF_ALLOCATOR:
		return get_text(space_infos[row->space].name, value);
	case DIFF_NAME:
		return get_text(row->delta.name, value);
	case DIFF_WAS:
		return get_text(row->delta.was, value);
	case DIFF_STATUS:
		return get_text(delta_status(&row->delta), value);
	case DIFF_IS_EXCEEDED:
		if (!row->d->allowed || row->delta.name)
			return false;
		value->number = diff_exceeds(row->d, row->space);
		return true;
	default:
		return get_figure(&row->delta, &diff_figures[column], value);
	}
}

/* ---- the document ---- */

static void add_row(json_object *rows, const struct diff *d, enum kmemtrace_space space,
		    const struct delta *delta)
{
	const struct diff_row row = { d, space, *delta };

	json_object_array_add(rows, table_row(diff_table(), &row));
}

static json_object *deltas_of_totals(const struct diff *d)
{
	json_object *rows = json_object_new_array();
	struct figures before, after;
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		figures_of_total(&before, d->before, i);
		figures_of_total(&after, d->after, i);
		add_row(rows, d, i, &(struct delta) { .before = &before, .after = &after });
	}
	return rows;
}

static void add_deltas(json_object *rows, const struct diff *d, enum kmemtrace_space space,
		       const struct deltas *ds)
{
	size_t i;

	for (i = 0; i < view_limit(d->before, ds->nr); i++)
		add_row(rows, d, space, &ds->list[i]);
}

static json_object *row_of_trace(const struct report *r)
{
	struct kmemtrace_relation *trace = relation_of(r, "trace");
	json_object *row;

	kmemtrace_relation_next(trace);
	row = relation_row_json(trace);
	kmemtrace_relation_close(trace);
	return row;
}

/* Return the difference as one object. */
json_object *diff_json(const struct diff *d)
{
	json_object *document = document_new(), *sites = json_object_new_array();
	json_object *caches = json_object_new_array();
	int i;

	for (i = 0; i < NR_SPACES; i++)
		add_deltas(sites, d, i, &d->of[i]);
	add_deltas(caches, d, KMEMTRACE_SPACE_SLAB, &d->caches);
	json_object_object_add(document, "before", row_of_trace(d->before));
	json_object_object_add(document, "after", row_of_trace(d->after));
	json_object_object_add(document, "same", json_object_new_boolean(diff_is_empty(d)));
	json_object_object_add(document, "totals", deltas_of_totals(d));
	json_object_object_add(document, "sites", sites);
	json_object_object_add(document, "caches", caches);
	return document;
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
	schema_add(schema, "totals", schema_of_rows(table_schema(diff_table())), true);
	schema_add(schema, "sites", schema_of_rows(table_schema(diff_table())), true);
	schema_add(schema, "caches", schema_of_rows(table_schema(diff_table())), true);
	return schema;
}
