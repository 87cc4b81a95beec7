// SPDX-License-Identifier: GPL-2.0
/*
 * diff-json.c - the difference of two traces as JSON
 */
#include "config.h"

#include "report/diff.h"
#include "report/document.h"
#include "report/format.h"
#include "report/relations.h"
#include "report/view.h"

/* FIGURE(name, unit, value): a figure of a struct kmemtrace_row, @row. */
#define FIGURES(FIGURE)							\
	FIGURE(live_bytes, BYTES, row->live_bytes_alloc)		\
	FIGURE(live, COUNT, row->live)					\
	FIGURE(live_bytes_req, BYTES, row->live_bytes_req)		\
	FIGURE(allocs, COUNT, row->allocs)				\
	FIGURE(bytes_req, BYTES, row->bytes_req)			\
	FIGURE(bytes, BYTES, row->bytes_alloc)				\
	FIGURE(frees, COUNT, row->frees)				\
	FIGURE(remote_frees, COUNT, row->remote_frees)			\
	FIGURE(peak_bytes, BYTES, row->peak_bytes_alloc)		\
	FIGURE(wasted, BYTES, wasted(row->bytes_req, row->bytes_alloc))

/* The same for the standard errors of a sample. */
#define ERRORS(ERROR)							\
	ERROR(live_bytes, BYTES, row->live_bytes_alloc_error)		\
	ERROR(live, COUNT, row->live_error)				\
	ERROR(allocs, COUNT, row->allocs_error)				\
	ERROR(bytes, BYTES, row->bytes_alloc_error)

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

/* The columns of a figure. */
enum { BEFORE, AFTER, CHANGE_OF, NR_OF_FIGURE };

#define MAYBE	.is_optional = true
#define FIGURE_TRIPLE(n, u, value)					\
	TABLE_COLUMN(#n "_before", NUMBER, u, "in the first trace"),	\
	TABLE_COLUMN(#n "_after", NUMBER, u, "in the second trace"),	\
	TABLE_COLUMN(#n "_change", SIGNED, u, "by how much the second exceeds the first"),
#define ERROR_PAIR(n, u, value)					\
	TABLE_COLUMN(#n "_before_error", NUMBER, u, "standard error, in a sample", MAYBE),	\
	TABLE_COLUMN(#n "_after_error", NUMBER, u, "standard error, in a sample", MAYBE),

static const struct kmemtrace_column diff_columns[] = {
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
	FIGURES(FIGURE_TRIPLE)
	ERRORS(ERROR_PAIR)
};

#define FIGURE_ID(n, u, value)	FIGURE_##n,
#define VALUE(n, u, value)	value,

enum { FIGURES(FIGURE_ID) NR_FIGURES };

/* Return a figure, or a standard error behind them, of a row. */
static uint64_t figure_of(const struct kmemtrace_row *row, size_t i)
{
	const uint64_t values[] = { FIGURES(VALUE) ERRORS(VALUE) };

	return values[i];
}

static bool get_error(const struct delta *delta, size_t i, struct kmemtrace_field *value)
{
	const struct kmemtrace_row *row = i % 2 == BEFORE ? delta->before : delta->after;

	value->number = figure_of(row, NR_FIGURES + i / 2);
	return row->allocs_error || row->live_error;
}

static bool get_figure(const struct delta *delta, size_t i, struct kmemtrace_field *value)
{
	if (i >= NR_FIGURES * NR_OF_FIGURE)
		return get_error(delta, i - NR_FIGURES * NR_OF_FIGURE, value);
	switch (i % NR_OF_FIGURE) {
	case BEFORE:
		value->number = figure_of(delta->before, i / NR_OF_FIGURE);
		break;
	case AFTER:
		value->number = figure_of(delta->after, i / NR_OF_FIGURE);
		break;
	default:
		value->signed_number = (int64_t)(figure_of(delta->after, i / NR_OF_FIGURE) -
						 figure_of(delta->before, i / NR_OF_FIGURE));
	}
	return true;
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
		value->number = diff_exceeds(row->d, row->space);
		return row->d->allowed && !row->delta.name;
	default:
		return get_figure(&row->delta, column - DIFF_FIGURES, value);
	}
}

static const struct table diff_table = TABLE(diff_columns, get);

static void add_row(json_object *rows, const struct diff *d, enum kmemtrace_space space,
		    const struct delta *delta)
{
	const struct diff_row row = { d, space, *delta };

	json_object_array_add(rows, table_row(&diff_table, &row));
}

static json_object *deltas_of_totals(const struct diff *d)
{
	json_object *rows = json_object_new_array();
	int i;

	for (i = 0; i < NR_SPACES; i++)
		add_row(rows, d, i, &(struct delta) {
			.before = kmemtrace_total(d->before->trace, i),
			.after = kmemtrace_total(d->after->trace, i),
		});
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
	const struct kmemtrace_query query = { .size = sizeof(query), .relation = "trace" };
	struct kmemtrace_relation *relation = relation_open(r->trace, &query);
	json_object *row = relation_json(relation, true);

	kmemtrace_relation_close(relation);
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
	schema_add(schema, "totals", schema_of_rows(table_schema(&diff_table)), true);
	schema_add(schema, "sites", schema_of_rows(table_schema(&diff_table)), true);
	schema_add(schema, "caches", schema_of_rows(table_schema(&diff_table)), true);
	return schema;
}
