// SPDX-License-Identifier: GPL-2.0
/*
 * growth-json.c - what grew over the traces of a chain as JSON
 */
#include "config.h"

#include "report/document.h"
#include "report/format.h"
#include "report/growth.h"
#include "report/view.h"

/* Return nanoseconds after the begin of the first trace. */
static uint64_t after_begin(const struct growth *g, int64_t time)
{
	return (uint64_t)time - (uint64_t)g->chain.links[0].begin;
}

#define MAYBE	.is_optional = true

/* ---- the chain ---- */

enum {
	CHAIN_TRACES, CHAIN_UNREADABLE, CHAIN_ORIGIN, CHAIN_SPAN, CHAIN_RECORDED, CHAIN_GREW,
	CHAIN_SHRANK, CHAIN_STAYED,
};

static const struct kmemtrace_column chain_columns[] = {
	[CHAIN_TRACES] = TABLE_COLUMN("traces", NUMBER, COUNT, "traces of the chain"),
	[CHAIN_UNREADABLE] = TABLE_COLUMN("unreadable", NUMBER, COUNT,
		"directories that could not be read"),
	[CHAIN_ORIGIN] = TABLE_COLUMN("origin_ns", SIGNED, CLOCK,
		"begin of the first trace; all other times are relative to it"),
	[CHAIN_SPAN] = TABLE_COLUMN("span_ns", NUMBER, NS, "time from there to the last end"),
	[CHAIN_RECORDED] = TABLE_COLUMN("recorded_ns", NUMBER, NS, "the part of it in the traces"),
	[CHAIN_GREW] = TABLE_COLUMN("grew", NUMBER, COUNT,
		"call sites, groups of them, or caches, that grew and never shrank"),
	[CHAIN_SHRANK] = TABLE_COLUMN("shrank", NUMBER, COUNT, "those that shrank at times"),
	[CHAIN_STAYED] = TABLE_COLUMN("stayed", NUMBER, COUNT, "those that stayed the same"),
};

static bool get_of_chain(const void *growth, size_t column, struct kmemtrace_field *value)
{
	const struct growth *g = growth;

	switch (column) {
	case CHAIN_TRACES:	value->number = g->chain.nr; break;
	case CHAIN_UNREADABLE:	value->number = g->chain.failed; break;
	case CHAIN_ORIGIN:	value->signed_number = g->chain.links[0].begin; break;
	case CHAIN_SPAN:	value->number = chain_span(&g->chain); break;
	case CHAIN_RECORDED:	value->number = chain_recorded(&g->chain); break;
	case CHAIN_GREW:	value->number = g->grew; break;
	case CHAIN_SHRANK:	value->number = g->shrank; break;
	default:		value->number = g->nr - g->grew - g->shrank; break;
	}
	return true;
}

static const struct table chain_table = TABLE(chain_columns, get_of_chain);

/* ---- its traces ---- */

/**
 * struct link_row - a trace, or something of it
 * @g: the chain
 * @link: the trace, or NULL
 * @text: its directory, or why it is incomplete
 */
struct link_row {
	const struct growth *g;
	const struct link *link;
	const char *text;
};

enum {
	LINK_TRACE, LINK_COMPLETE, LINK_HAS_BASELINE, LINK_LOST, LINK_BEGIN, LINK_END,
};

static const struct kmemtrace_column link_columns[] = {
	[LINK_TRACE] = TABLE_COLUMN("trace", TEXT, NO_UNIT, "path of the trace"),
	[LINK_COMPLETE] = TABLE_COLUMN("complete", BOOL, NO_UNIT,
		"there is no reason why it is incomplete"),
	[LINK_HAS_BASELINE] = TABLE_COLUMN("has_baseline", BOOL, NO_UNIT,
		"it has a whole snapshot of what was live when it began", MAYBE),
	[LINK_LOST] = TABLE_COLUMN("lost_events", NUMBER, COUNT, "events that it lost", MAYBE),
	[LINK_BEGIN] = TABLE_COLUMN("begin_ns", NUMBER, TIME, "time of its first record"),
	[LINK_END] = TABLE_COLUMN("end_ns", NUMBER, TIME, "time of its last record"),
};

static bool get_of_link(const void *link_row, size_t column, struct kmemtrace_field *value)
{
	const struct link_row *row = link_row;
	const struct link *link = row->link;

	switch (column) {
	case LINK_TRACE:	value->text = link->path; break;
	case LINK_COMPLETE:	value->number = !link->nr_doubts; break;
	case LINK_HAS_BASELINE:	value->number = link->has_baseline;
				return row->g->chain.has_events;
	case LINK_LOST:		value->number = link->lost;
				return row->g->chain.has_events;
	case LINK_BEGIN:	value->number = after_begin(row->g, link->begin); break;
	default:		value->number = after_begin(row->g, link->end); break;
	}
	return true;
}

static const struct table link_table = TABLE(link_columns, get_of_link);

static const struct kmemtrace_column reason_columns[] = {
	TABLE_COLUMN("trace", TEXT, NO_UNIT, "path of the trace"),
	TABLE_COLUMN("reason", TEXT, NO_UNIT, "why it is incomplete"),
};

static bool get_reason(const void *link_row, size_t column, struct kmemtrace_field *value)
{
	const struct link_row *row = link_row;

	value->text = column ? row->text : row->link->path;
	return true;
}

static const struct table reason_table = TABLE(reason_columns, get_reason);

static const struct kmemtrace_column left_out_columns[] = {
	TABLE_COLUMN("trace", TEXT, NO_UNIT,
		     "path of a trace that follows another one, but has no books.out"),
};

static bool get_left_out(const void *link_row, size_t column, struct kmemtrace_field *value)
{
	(void)column;
	value->text = ((const struct link_row *)link_row)->text;
	return true;
}

static const struct table left_out_table = TABLE(left_out_columns, get_left_out);

/* ---- what grew ---- */

/**
 * struct grown_row - a row that is listed, or one of its values
 * @g: the chain
 * @row: the row
 * @i: the value
 */
struct grown_row {
	const struct growth *g;
	const struct growth_row *row;
	size_t i;
};

/* The columns that both tables have. */
enum { GROWN_ALLOCATOR, GROWN_NAME, GROWN_KEYS };

enum {
	GROWN_PER_HOUR = GROWN_KEYS, GROWN_CHANCE, GROWN_FALLS, GROWN_FIRST_BYTES,
	GROWN_FIRST_LIVE, GROWN_LAST_BYTES, GROWN_LAST_LIVE,
};

enum { VALUE_TIME = GROWN_KEYS, VALUE_BYTES };

#define GROWN_KEY_COLUMNS							\
	[GROWN_ALLOCATOR] = TABLE_COLUMN("allocator", TEXT, NO_UNIT,		\
		"slab, pages, percpu or vmalloc; of the kernel's counters allocinfo or slabinfo"),	\
	[GROWN_NAME] = TABLE_COLUMN("name", TEXT, NO_UNIT,			\
		"the call site, the group of them, or the cache")

static const struct kmemtrace_column grown_columns[] = {
	GROWN_KEY_COLUMNS,
	[GROWN_PER_HOUR] = TABLE_COLUMN("per_hour", REAL, BYTES,
		"by how many bytes it grew in an hour: the median of the slopes"),
	[GROWN_CHANCE] = TABLE_COLUMN("chance", REAL, RATIO,
		"how often chance alone would make such a trend"),
	[GROWN_FALLS] = TABLE_COLUMN("falls", NUMBER, COUNT,
		"traces at whose end it had fewer bytes than at the end of the one before"),
	[GROWN_FIRST_BYTES] = TABLE_COLUMN("first_live_bytes", NUMBER, BYTES,
		"bytes of its live memory at the end of the first trace that knows them"),
	[GROWN_FIRST_LIVE] = TABLE_COLUMN("first_live", NUMBER, COUNT,
		"its live objects, pages or areas there"),
	[GROWN_LAST_BYTES] = TABLE_COLUMN("last_live_bytes", NUMBER, BYTES,
		"bytes of its live memory at the end of the last trace"),
	[GROWN_LAST_LIVE] = TABLE_COLUMN("last_live", NUMBER, COUNT,
		"its live objects, pages or areas there"),
};

/* Set a key of a row. Return whether the column is a key. */
static bool get_key(const struct growth_row *row, size_t column, struct kmemtrace_field *value)
{
	value->text = column == GROWN_ALLOCATOR ? growth_place(row) : row->name;
	return column < GROWN_KEYS;
}

static bool get_grown(const void *grown_row, size_t column, struct kmemtrace_field *value)
{
	const struct growth_row *row = ((const struct grown_row *)grown_row)->row;

	if (get_key(row, column, value))
		return true;
	switch (column) {
	case GROWN_PER_HOUR:	value->real = row->trend.slope; break;
	case GROWN_CHANCE:	value->real = row->trend.chance; break;
	case GROWN_FALLS:	value->number = row->falls; break;
	case GROWN_FIRST_BYTES:	value->number = row->first.bytes; break;
	case GROWN_FIRST_LIVE:	value->number = row->first.objects; break;
	case GROWN_LAST_BYTES:	value->number = row->last.bytes; break;
	default:		value->number = row->last.objects; break;
	}
	return true;
}

static const struct table grown_table = TABLE(grown_columns, get_grown);

static const struct kmemtrace_column value_columns[] = {
	GROWN_KEY_COLUMNS,
	[VALUE_TIME] = TABLE_COLUMN("time_ns", NUMBER, TIME, "end of a trace"),
	[VALUE_BYTES] = TABLE_COLUMN("live_bytes", NUMBER, BYTES, "bytes of the live memory then"),
};

static bool get_value(const void *grown_row, size_t column, struct kmemtrace_field *value)
{
	const struct grown_row *grown = grown_row;

	if (!get_key(grown->row, column, value))
		value->number = column == VALUE_BYTES ? grown->row->bytes[grown->i] :
				after_begin(grown->g, grown->g->times[grown->i]);
	return true;
}

static const struct table value_table = TABLE(value_columns, get_value);

/* ---- the document ---- */

static void add_link(json_object *traces, json_object *reasons, const struct growth *g,
		     const struct link *link)
{
	struct link_row row = { .g = g, .link = link };
	size_t i;

	json_object_array_add(traces, table_row(&link_table, &row));
	for (i = 0; i < link->nr_doubts; i++) {
		row.text = link->doubts[i];
		json_object_array_add(reasons, table_row(&reason_table, &row));
	}
}

static void add_grown(json_object *rows, json_object *values, const struct growth *g,
		      const struct growth_row *of)
{
	struct grown_row row = { .g = g, .row = of };

	json_object_array_add(rows, table_row(&grown_table, &row));
	for (row.i = of->start; row.i < g->nr_times; row.i++)
		json_object_array_add(values, table_row(&value_table, &row));
}

/* Return what grew as one object. */
json_object *grown_json(const struct growth *g)
{
	json_object *document = document_new();
	json_object *traces = json_object_new_array(), *reasons = json_object_new_array();
	json_object *left_out = json_object_new_array();
	json_object *grown = json_object_new_array(), *values = json_object_new_array();
	size_t i;

	for (i = 0; i < g->chain.nr; i++)
		add_link(traces, reasons, g, &g->chain.links[i]);
	for (i = 0; i < g->chain.nr_left_out; i++)
		json_object_array_add(left_out,
				      table_row(&left_out_table, &(struct link_row) {
						.text = g->chain.left_out[i] }));
	for (i = 0; i < view_limit(g->how, g->nr_listed); i++)
		add_grown(grown, values, g, g->list[i]);
	json_object_object_add(document, "chain", table_row(&chain_table, g));
	json_object_object_add(document, "traces", traces);
	json_object_object_add(document, "reasons", reasons);
	json_object_object_add(document, "left_out", left_out);
	json_object_object_add(document, "grown", grown);
	json_object_object_add(document, "grown_values", values);
	return document;
}

/* Return the schema of that object. */
json_object *grown_schema(void)
{
	json_object *schema = schema_of_document();

	schema_add(schema, "chain", table_schema(&chain_table), true);
	schema_add(schema, "traces", schema_of_rows(table_schema(&link_table)), true);
	schema_add(schema, "reasons", schema_of_rows(table_schema(&reason_table)), true);
	schema_add(schema, "left_out", schema_of_rows(table_schema(&left_out_table)), true);
	schema_add(schema, "grown", schema_of_rows(table_schema(&grown_table)), true);
	schema_add(schema, "grown_values", schema_of_rows(table_schema(&value_table)), true);
	return schema;
}
