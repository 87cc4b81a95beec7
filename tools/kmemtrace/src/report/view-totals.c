// SPDX-License-Identifier: GPL-2.0
/*
 * View: the sums over all events.
 */
#include "config.h"

#include "report/format.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* Print what kmemtrace itself allocated, by allocator. */
static void print_own(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *own = relation_of(r, "own");
	const char *title = trace_figure(r, "counts_own") ? "By kmemtrace, in the sums" :
							    "By kmemtrace, in no sum";
	struct text_table t = { .r = r, .out = out, .is_titled = true };

	while (kmemtrace_relation_rows(own) && text_table_next(&t, own)) {
		const enum kmemtrace_space space = cell_number(own, "allocator");

		fputs(space_infos[space].name, text_cell(&t, -7, title));
		text_columns(&t, own, "allocs=alloc calls,frees,bytes,live=live at end");
		fputs(space_infos[space].unit, text_cell(&t, -7, ""));
		text_columns(&t, own, "live_bytes=bytes");
		text_line_end(&t);
	}
	kmemtrace_relation_close(own);
}

/* Print the totals of each allocator that is used, and the memory of the tracer. */
static void print_totals(const struct report *r, const char *columns, bool has_notes, FILE *out)
{
	struct kmemtrace_relation *totals = relation_of(r, "totals");
	struct text_table t = { .r = r, .out = out, .is_titled = true };

	while (text_table_next(&t, totals)) {
		const enum kmemtrace_space space = cell_number(totals, "allocator");

		if (!r->is_used[space])
			continue;
		fputs(space_infos[space].name, text_cell(&t, -7, "Totals"));
		/* The unit belongs to live memory: one call may free many pages. */
		text_columns(&t, totals, columns);
		fputs(space_infos[space].unit, text_cell(&t, -7, ""));
		text_columns(&t, totals, "live_bytes=bytes");
		fputs(has_notes ? space_infos[space].note : "", text_cell(&t, -1, ""));
		text_line_end(&t);
	}
	kmemtrace_relation_close(totals);
	if (r->sum->own_pages)
		fprintf(out, "  buffers of kmemtrace, in no other sum: %s pages, %s\n",
			NUMBER(r->sum->own_pages),
			BYTES(r->sum->own_pages * kmemtrace_get_machine(r->trace)->page_size));
	print_own(r, out);
}

void totals_text(const struct report *r, FILE *out)
{
	print_totals(r, "allocs=alloc calls,free_calls=free calls,bytes_req,bytes,wasted=,waste_ratio,live=live at end",
		     true, out);
}

void totals_brief(const struct report *r, FILE *out)
{
	print_totals(r, "allocs=alloc calls,free_calls=free calls,bytes,waste_ratio,live=live at end",
		     false, out);
}
