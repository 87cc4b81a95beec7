// SPDX-License-Identifier: GPL-2.0
/*
 * View: the sums over all events.
 */
#include "config.h"

#include "report/format.h"
#include "report/view.h"

/* End a line with the standard error of the live bytes, and a note or "". */
static void print_last(const struct report *r, const struct kmemtrace_row *t, const char *note,
		       FILE *out)
{
	if (t->live_bytes_alloc_error)
		fprintf(out, " %s%s\n", ERROR(t->live_bytes_alloc, t->live_bytes_alloc_error),
			note);
	else
		fprintf(out, "%s%s\n", *note ? error_blanks(r) : "", note);
}

static void print_totals(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	const struct kmemtrace_row *t = kmemtrace_total(r->trace, space);
	uint64_t waste = wasted(t->bytes_req, t->bytes_alloc);

	fprintf(out, "  %-7s%13s", space_infos[space].name, NUMBER(t->allocs));
	error_text(r, t->allocs, t->allocs_error, out);
	fprintf(out, " %13s %9s %9s",
		NUMBER(kmemtrace_get_space(r->trace, space)->free_calls),
		BYTES(t->bytes_req), BYTES(t->bytes_alloc));
	error_text(r, t->bytes_alloc, t->bytes_alloc_error, out);
	/* The unit belongs to live memory: one call may free many pages. */
	fprintf(out, " %9s %6s %13s", BYTES(waste), PERCENT(waste, t->bytes_alloc),
		NUMBER(t->live));
	error_text(r, t->live, t->live_error, out);
	fprintf(out, " %-7s %9s", space_infos[space].unit, BYTES(t->live_bytes_alloc));
	print_last(r, t, space_infos[space].note, out);
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
	int i;

	print_title(r, out, "Totals    alloc calls%s    free calls requested allocated%s         wasted   live at end%s             bytes",
		    error, error, error);
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			print_totals(r, i, out);
	if (r->sum->own_pages)
		print_own(r, out);
}

static void print_brief_totals(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	const struct kmemtrace_row *t = kmemtrace_total(r->trace, space);

	fprintf(out, "  %-7s %11s", space_infos[space].name, NUMBER(t->allocs));
	error_text(r, t->allocs, t->allocs_error, out);
	fprintf(out, " %12s %9s %6s %11s %-7s %6s",
		NUMBER(kmemtrace_get_space(r->trace, space)->free_calls),
		BYTES(t->bytes_alloc),
		PERCENT(wasted(t->bytes_req, t->bytes_alloc), t->bytes_alloc),
		NUMBER(t->live), space_infos[space].unit, BYTES(t->live_bytes_alloc));
	print_last(r, t, "", out);
}

void totals_brief(const struct report *r, FILE *out)
{
	int i;

	print_title(r, out, "Totals    alloc calls%s   free calls allocated wasted live at end          bytes",
		    error_blanks(r));
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			print_brief_totals(r, i, out);
	if (r->sum->own_pages)
		fprintf(out, "  %-49s%s %11s %-7s %6s\n",
			"buffers of kmemtrace, in no other sum", error_blanks(r),
			NUMBER(r->sum->own_pages), space_infos[KMEMTRACE_SPACE_PAGES].unit,
			BYTES(own_bytes(r)));
}
