// SPDX-License-Identifier: GPL-2.0
/*
 * View: memory that was live when tracing began, and events that it explains.
 */
#include "config.h"

#include "report/format.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* Events that the snapshot explains: columns of baseline, and one of totals. */
static const struct {
	const char *column, *text;
} explained[] = {
	{ "in_transit", "allocations that were under way" },
	{ "freed_during", "frees before the snapshot reached the memory" },
	{ "large_kmalloc", "frees of large kmalloc() objects older than the trace" },
	{ "reserved_freed", "pages that the boot released, or that were hot-plugged" },
	{ "unsure_freed", "frees of objects in slabs that could not be examined" },
};

#define NR_EXPLAINED	(sizeof(explained) / sizeof(*explained))

static void print_baseline_of(struct kmemtrace_relation *totals, const struct space_info *space,
			      FILE *out)
{
	if (!cell_number(totals, "is_begin_known")) {
		fprintf(out, "  %-7s not known\n", space->name);
		return;
	}
	fprintf(out, "  %-7s%13s %-7s %9s, of which live at the end %13s %9s\n", space->name,
		NUMBER(cell_number(totals, "begin_live")), space->unit,
		BYTES(cell_number(totals, "begin_bytes")),
		NUMBER(cell_number(totals, "older_live")),
		BYTES(cell_number(totals, "older_bytes")));
}

/* Print the allocators. Return the frees before the snapshot recorded their objects. */
static uint64_t print_spaces(const struct report *r, bool has_end, FILE *out)
{
	struct kmemtrace_relation *totals = relation_of(r, "totals");
	uint64_t freed = 0;
	int i;

	for (i = 0; kmemtrace_relation_next(totals); i++) {
		freed += cell_number(totals, "freed_during");
		if (has_end && r->is_used[i])
			print_baseline_of(totals, &space_infos[i], out);
	}
	kmemtrace_relation_close(totals);
	return freed;
}

static void print_limits(struct kmemtrace_relation *b, FILE *out)
{
	const uint64_t unsure = cell_number(b, "unsure"), unlisted = cell_number(b, "unlisted");
	const uint64_t took = cell_number(b, "took_ns"), stop = cell_number(b, "stop_ns");

	if (unsure)
		fprintf(out, "  %s could not be examined: always in use\n",
			COUNT(unsure, "slab", "slabs"));
	if (unlisted)
		fprintf(out, "  without slab objects: SLOB can't list those in its %s\n",
			COUNT(unlisted, "page", "pages"));
	if (took)
		fprintf(out, "  was recorded in %.3f ms\n", (double)took / 1e6);
	if (stop)
		fprintf(out, "  all CPUs stood still for %.3f ms at a time, at most\n",
			(double)stop / 1e6);
}

void baseline_text(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *b = relation_of(r, "baseline");
	uint64_t freed, count;
	size_t i;

	kmemtrace_relation_next(b);
	if (!cell_number(b, "is_begun")) {
		kmemtrace_relation_close(b);
		return;
	}
	print_title(r, out, "Baseline: live %s%s",
		    overwrites(r) ? "before the first event and at the end" :
				    "when tracing began",
		    cell_number(b, "complete") ? "" : " (incomplete)");
	freed = print_spaces(r, has_cell(b, "end_ns"), out);
	print_limits(b, out);
	for (i = 0; i < NR_EXPLAINED; i++) {
		count = has_cell(b, explained[i].column) ? cell_number(b, explained[i].column) : freed;
		if (count)
			fprintf(out, "  explains %11s %s\n", NUMBER(count), explained[i].text);
	}
	kmemtrace_relation_close(b);
}
