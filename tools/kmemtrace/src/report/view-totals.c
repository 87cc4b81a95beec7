// SPDX-License-Identifier: GPL-2.0
/*
 * View: the sums over all events.
 */
#include "config.h"

#include "report/format.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* End a line with the standard error of the live bytes, and a note or "". */
static void print_last(const struct report *r, struct kmemtrace_relation *totals,
		       const char *note, FILE *out)
{
	const uint64_t error = cell_number(totals, "live_bytes_error");

	if (error)
		fprintf(out, " %s%s\n", ERROR(cell_number(totals, "live_bytes"), error), note);
	else
		fprintf(out, "%s%s\n", *note ? error_blanks(r) : "", note);
}

/*
 * Print the totals of an allocator. The unit belongs to live memory: one call may free many
 * pages.
 */
static void print_totals(const struct report *r, struct kmemtrace_relation *totals,
			 const struct space_info *space, FILE *out)
{
	fprintf(out, "  %-7s", space->name);
	print_column(r, totals, "allocs", 12, out);
	print_column(r, totals, "free_calls", 13, out);
	print_column(r, totals, "bytes_req", 9, out);
	print_column(r, totals, "bytes", 9, out);
	print_column(r, totals, "wasted", 9, out);
	print_column(r, totals, "waste_ratio", 6, out);
	print_column(r, totals, "live", 13, out);
	fprintf(out, " %-7s %9s", space->unit, BYTES(cell_number(totals, "live_bytes")));
	print_last(r, totals, space->note, out);
}

/* Call a function for the totals of each allocator that is used. */
static void each_total(const struct report *r, FILE *out,
		       void (*print)(const struct report *r, struct kmemtrace_relation *totals,
				     const struct space_info *space, FILE *out))
{
	struct kmemtrace_relation *totals = relation_of(r, "totals");
	int i;

	for (i = 0; kmemtrace_relation_next(totals); i++)
		if (r->is_used[i])
			print(r, totals, &space_infos[i], out);
	kmemtrace_relation_close(totals);
}

static uint64_t own_bytes(const struct report *r)
{
	return r->sum->own_pages * kmemtrace_get_machine(r->trace)->page_size;
}

static void print_own(const struct report *r, FILE *out)
{
	const char *error = error_blanks(r);

	fprintf(out, "  %-72s%s%s%13s%s %-7s %9s%s  of kmemtrace, in no other sum\n",
		"buffers", error, error, NUMBER(r->sum->own_pages), error,
		space_infos[KMEMTRACE_SPACE_PAGES].unit, BYTES(own_bytes(r)), error);
}

void totals_text(const struct report *r, FILE *out)
{
	const char *error = error_blanks(r);

	print_title(r, out, "Totals    alloc calls%s    free calls requested allocated%s         wasted   live at end%s             bytes",
		    error, error, error);
	each_total(r, out, print_totals);
	if (r->sum->own_pages)
		print_own(r, out);
}

static void print_brief_totals(const struct report *r, struct kmemtrace_relation *totals,
			       const struct space_info *space, FILE *out)
{
	fprintf(out, "  %-7s", space->name);
	print_column(r, totals, "allocs", 11, out);
	print_column(r, totals, "free_calls", 12, out);
	fprintf(out, " %9s", BYTES(cell_number(totals, "bytes")));
	print_column(r, totals, "waste_ratio", 6, out);
	fprintf(out, " %11s %-7s %6s", NUMBER(cell_number(totals, "live")), space->unit,
		BYTES(cell_number(totals, "live_bytes")));
	print_last(r, totals, "", out);
}

void totals_brief(const struct report *r, FILE *out)
{
	print_title(r, out, "Totals    alloc calls%s   free calls allocated wasted live at end          bytes",
		    error_blanks(r));
	each_total(r, out, print_brief_totals);
	if (r->sum->own_pages)
		fprintf(out, "  %-49s%s %11s %-7s %6s\n",
			"buffers of kmemtrace, in no other sum", error_blanks(r),
			NUMBER(r->sum->own_pages), space_infos[KMEMTRACE_SPACE_PAGES].unit,
			BYTES(own_bytes(r)));
}
