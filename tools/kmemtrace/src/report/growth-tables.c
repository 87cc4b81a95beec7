// SPDX-License-Identifier: GPL-2.0
/*
 * growth-tables.c - what grew over the traces of a chain, as tables
 */
#include "config.h"

#include <limits.h>

#include "common/text.h"
#include "report/document.h"
#include "report/format.h"
#include "report/growth.h"
#include "report/view.h"

/* A path as the relation trace has it. Valid to the end of the block it is used in. */
#define PATH_TEXT(path)									\
	text_printable((char[TEXT_ESCAPE_LEN * PATH_MAX]) { 0 }, TEXT_ESCAPE_LEN * PATH_MAX, path)

/* Return nanoseconds after the begin of the first trace. */
static uint64_t after_begin(const struct growth *g, int64_t time)
{
	return (uint64_t)time - (uint64_t)g->chain.links[0].begin;
}

/**
 * struct chain_row - the chain
 */
struct chain_row {
	uint64_t traces, unreadable;
	int64_t origin_ns;
	uint64_t span_ns, recorded_ns, grew, shrank, stayed;
};

static const struct table_column chain_columns[] = {
	TABLE_COLUMN(struct chain_row, traces, COUNT, "traces of the chain"),
	TABLE_COLUMN(struct chain_row, unreadable, COUNT, "directories that could not be read"),
	TABLE_COLUMN(struct chain_row, origin_ns, CLOCK,
		     "begin of the first trace; all other times are relative to it"),
	TABLE_COLUMN(struct chain_row, span_ns, NS, "time from there to the last end"),
	TABLE_COLUMN(struct chain_row, recorded_ns, NS, "the part of it in the traces"),
	TABLE_COLUMN(struct chain_row, grew, COUNT,
		     "call sites, groups of them, or caches, that grew and never shrank"),
	TABLE_COLUMN(struct chain_row, shrank, COUNT, "those that shrank at times"),
	TABLE_COLUMN(struct chain_row, stayed, COUNT, "those that stayed the same"),
};

static const struct json_table chain_table = TABLE(chain_columns);

/**
 * struct link_row - a trace of the chain
 */
struct link_row {
	const char *trace;
	bool complete;
	const bool *has_baseline;
	const uint64_t *lost_events;
	uint64_t begin_ns, end_ns;
};

static const struct table_column link_columns[] = {
	TABLE_COLUMN(struct link_row, trace, NO_UNIT, "path of the trace"),
	TABLE_COLUMN(struct link_row, complete, NO_UNIT,
		     "there is no reason why it is incomplete"),
	TABLE_COLUMN(struct link_row, has_baseline, NO_UNIT,
		     "it has a whole snapshot of what was live when it began", MAYBE),
	TABLE_COLUMN(struct link_row, lost_events, COUNT, "events that it lost", MAYBE),
	TABLE_COLUMN(struct link_row, begin_ns, TIME, "time of its first record"),
	TABLE_COLUMN(struct link_row, end_ns, TIME, "time of its last record"),
};

static const struct json_table link_table = TABLE(link_columns);

/**
 * struct reason_row - why a trace is incomplete
 */
struct reason_row {
	const char *trace, *reason;
};

static const struct table_column reason_columns[] = {
	TABLE_COLUMN(struct reason_row, trace, NO_UNIT, "path of the trace"),
	TABLE_COLUMN(struct reason_row, reason, NO_UNIT, "why it is incomplete"),
};

static const struct json_table reason_table = TABLE(reason_columns);

/**
 * struct left_out_row - a trace that is left out
 */
struct left_out_row {
	const char *trace;
};

static const struct table_column left_out_columns[] = {
	TABLE_COLUMN(struct left_out_row, trace, NO_UNIT,
		     "path of a trace that follows another one, but has no books.out"),
};

static const struct json_table left_out_table = TABLE(left_out_columns);

/**
 * struct grown_row - what is listed
 */
struct grown_row {
	const char *allocator, *name;
	double per_hour, chance;
	uint64_t falls, first_live_bytes, first_live, last_live_bytes, last_live;
};

#define ALLOCATOR_HELP	"slab, pages, percpu or vmalloc; of the kernel's counters allocinfo or slabinfo"
#define NAME_HELP	"the call site, the group of them, or the cache"

static const struct table_column grown_columns[] = {
	TABLE_COLUMN(struct grown_row, allocator, NO_UNIT, ALLOCATOR_HELP),
	TABLE_COLUMN(struct grown_row, name, NO_UNIT, NAME_HELP),
	TABLE_COLUMN(struct grown_row, per_hour, BYTES,
		     "by how many bytes it grew in an hour: the median of the slopes"),
	TABLE_COLUMN(struct grown_row, chance, RATIO,
		     "how often chance alone would make such a trend"),
	TABLE_COLUMN(struct grown_row, falls, COUNT,
		     "traces at whose end it had fewer bytes than at the end of the one before"),
	TABLE_COLUMN(struct grown_row, first_live_bytes, BYTES,
		     "bytes of its live memory at the end of the first trace that knows them"),
	TABLE_COLUMN(struct grown_row, first_live, COUNT,
		     "its live objects, pages or areas there"),
	TABLE_COLUMN(struct grown_row, last_live_bytes, BYTES,
		     "bytes of its live memory at the end of the last trace"),
	TABLE_COLUMN(struct grown_row, last_live, COUNT,
		     "its live objects, pages or areas there"),
};

static const struct json_table grown_table = TABLE(grown_columns);

/**
 * struct value_row - a value of what is listed
 */
struct value_row {
	const char *allocator, *name;
	uint64_t time_ns, live_bytes;
};

static const struct table_column value_columns[] = {
	TABLE_COLUMN(struct value_row, allocator, NO_UNIT, ALLOCATOR_HELP),
	TABLE_COLUMN(struct value_row, name, NO_UNIT, NAME_HELP),
	TABLE_COLUMN(struct value_row, time_ns, TIME, "end of a trace"),
	TABLE_COLUMN(struct value_row, live_bytes, BYTES, "bytes of the live memory then"),
};

static const struct json_table value_table = TABLE(value_columns);

/* ---- rows ---- */

static void put_chain(struct table_rows *rows, const void *of)
{
	const struct growth *g = of;

	table_put(rows, &(struct chain_row) {
		.traces = g->chain.nr,
		.unreadable = g->chain.failed,
		.origin_ns = g->chain.links[0].begin,
		.span_ns = chain_span(&g->chain),
		.recorded_ns = chain_recorded(&g->chain),
		.grew = g->grew,
		.shrank = g->shrank,
		.stayed = g->nr - g->grew - g->shrank,
	});
}

static void put_links(struct table_rows *rows, const void *of)
{
	const struct growth *g = of;
	const bool has_events = g->chain.has_events;
	const struct link *link;

	for (link = g->chain.links; link < g->chain.links + g->chain.nr; link++)
		table_put(rows, &(struct link_row) {
			.trace = PATH_TEXT(link->path),
			.complete = !link->nr_doubts,
			.has_baseline = has_events ? &link->has_baseline : NULL,
			.lost_events = has_events ? &link->lost : NULL,
			.begin_ns = after_begin(g, link->begin),
			.end_ns = after_begin(g, link->end),
		});
}

static void put_reasons(struct table_rows *rows, const void *of)
{
	const struct growth *g = of;
	const struct link *link;
	size_t i;

	for (link = g->chain.links; link < g->chain.links + g->chain.nr; link++)
		for (i = 0; i < link->nr_doubts; i++)
			table_put(rows, &(struct reason_row) {
				PATH_TEXT(link->path), link->doubts[i] });
}

static void put_left_out(struct table_rows *rows, const void *of)
{
	const struct growth *g = of;
	size_t i;

	for (i = 0; i < g->chain.nr_left_out; i++)
		table_put(rows, &(struct left_out_row) {
			PATH_TEXT(g->chain.left_out[i]) });
}

static void put_grown(struct table_rows *rows, const void *of)
{
	const struct growth *g = of;
	size_t i;

	for (i = 0; i < view_limit(g->how, g->nr_listed); i++) {
		const struct growth_row *row = g->list[i];

		table_put(rows, &(struct grown_row) {
			.allocator = growth_place(row),
			.name = row->name,
			.per_hour = row->trend.slope,
			.chance = row->trend.chance,
			.falls = row->falls,
			.first_live_bytes = row->first.bytes,
			.first_live = row->first.objects,
			.last_live_bytes = row->last.bytes,
			.last_live = row->last.objects,
		});
	}
}

static void put_values(struct table_rows *rows, const void *of)
{
	const struct growth *g = of;
	size_t i, j;

	for (i = 0; i < view_limit(g->how, g->nr_listed); i++)
		for (j = g->list[i]->start; j < g->nr_times; j++)
			table_put(rows, &(struct value_row) {
				.allocator = growth_place(g->list[i]),
				.name = g->list[i]->name,
				.time_ns = after_begin(g, g->times[j]),
				.live_bytes = g->list[i]->bytes[j],
			});
}

const struct document_table grown_tables[] = {
	{ "chain", &chain_table, true, put_chain },
	{ "traces", &link_table, false, put_links },
	{ "reasons", &reason_table, false, put_reasons },
	{ "left_out", &left_out_table, false, put_left_out },
	{ "grown", &grown_table, false, put_grown },
	{ "grown_values", &value_table, false, put_values },
	{ .member = NULL }
};

/* Print what grew as one object. */
void grown_print_json(const struct growth *g, FILE *out)
{
	document_begin(out);
	tables_print_json(grown_tables, g, out);
	document_end(out);
}

/* Return the schema of that object. */
json_object *grown_schema(void)
{
	json_object *schema = schema_of_document();

	schema_add_tables(schema, grown_tables);
	return schema;
}
