// SPDX-License-Identifier: GPL-2.0
/*
 * Table: one row, the trace itself.
 */
#include "config.h"

#include "export/table.h"
#include "report/view.h"

enum {
	ARCHITECTURE = NR_COMMON, PAGE_SIZE, BEGIN, DURATION, EVENTS, LOST, COMPLETE, SAMPLE,
};

static const struct parquet_column columns[] = {
	COMMON_COLUMNS,
	[ARCHITECTURE] = { "architecture", PARQUET_TEXT, true },
	[PAGE_SIZE] = { "page_size", PARQUET_NUMBER, false },
	[BEGIN] = { "begin_ns", PARQUET_NUMBER, false },
	[DURATION] = { "duration_ns", PARQUET_NUMBER, false },
	[EVENTS] = { "events", PARQUET_NUMBER, false },
	[LOST] = { "lost_events", PARQUET_NUMBER, false },
	/* 1: it is, 0: it isn't */
	[COMPLETE] = { "complete", PARQUET_NUMBER, false },
	/* It has one of so many slab objects below the size of a page. */
	[SAMPLE] = { "sample", PARQUET_NUMBER, false },
	{ NULL }
};

static char *text(const struct table_file *t, size_t column, uint64_t key)
{
	(void)column;
	(void)key;
	return text_copy(kmemtrace_metadata(t->e->r.trace, "machine"));
}

static int add_trace(struct table_file *t)
{
	const struct kmemtrace_machine *m = kmemtrace_get_machine(t->e->r.trace);
	const struct kmemtrace_summary *sum = t->e->r.sum;
	struct parquet *file = t->file;

	table_begin_row(t);
	parquet_text(file, ARCHITECTURE, 0);
	parquet_number(file, PAGE_SIZE, m->page_size);
	parquet_number(file, BEGIN, sum->first);
	parquet_number(file, DURATION, since(&t->e->r, sum->last));
	parquet_number(file, EVENTS, sum->events);
	parquet_number(file, LOST, sum->lost);
	parquet_number(file, COMPLETE, !kmemtrace_doubt(t->e->r.trace, 0));
	parquet_number(file, SAMPLE, m->sample);
	return parquet_end_row(file);
}

const struct table_info table_traces = {
	.name = "traces",
	.columns = columns,
	.text = text,
	.end = add_trace,
};
