// SPDX-License-Identifier: GPL-2.0
/*
 * View: the sums over all events.
 */
#include "config.h"

#include "report/format.h"
#include "report/view.h"

static void print_totals(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	const struct kmemtrace_row *t = kmemtrace_total(r->trace, space);
	uint64_t waste = wasted(t->bytes_req, t->bytes_alloc);

	/* The unit belongs to live memory: one call may free many pages. */
	fprintf(out, "  %-7s%13s %13s %9s %9s %9s %6s %13s %-7s %9s%s\n",
		space_infos[space].name, NUMBER(t->allocs),
		NUMBER(kmemtrace_get_space(r->trace, space)->free_calls),
		BYTES(t->bytes_req), BYTES(t->bytes_alloc), BYTES(waste),
		PERCENT(waste, t->bytes_alloc), NUMBER(t->live),
		space_infos[space].unit, BYTES(t->live_bytes_alloc),
		space_infos[space].note);
}

static uint64_t own_bytes(const struct report *r)
{
	return r->sum->own_pages * kmemtrace_get_machine(r->trace)->page_size;
}

static void print_own(const struct report *r, FILE *out)
{
	fprintf(out, "  %-72s%13s %-7s %9s  of kmemtrace, in no other sum\n",
		"buffers", NUMBER(r->sum->own_pages),
		space_infos[KMEMTRACE_SPACE_PAGES].unit, BYTES(own_bytes(r)));
}

void totals_text(const struct report *r, FILE *out)
{
	int i;

	print_title(r, out, "Totals    alloc calls    free calls requested allocated         wasted   live at end             bytes");
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			print_totals(r, i, out);
	if (r->sum->own_pages)
		print_own(r, out);
}

static void print_brief_totals(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	const struct kmemtrace_row *t = kmemtrace_total(r->trace, space);

	fprintf(out, "  %-7s %11s %12s %9s %6s %11s %-7s %6s\n",
		space_infos[space].name, NUMBER(t->allocs),
		NUMBER(kmemtrace_get_space(r->trace, space)->free_calls),
		BYTES(t->bytes_alloc),
		PERCENT(wasted(t->bytes_req, t->bytes_alloc), t->bytes_alloc),
		NUMBER(t->live), space_infos[space].unit, BYTES(t->live_bytes_alloc));
}

void totals_brief(const struct report *r, FILE *out)
{
	int i;

	print_title(r, out, "Totals    alloc calls   free calls allocated wasted live at end          bytes");
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			print_brief_totals(r, i, out);
	if (r->sum->own_pages)
		fprintf(out, "  %-49s %11s %-7s %6s\n",
			"buffers of kmemtrace, in no other sum",
			NUMBER(r->sum->own_pages), space_infos[KMEMTRACE_SPACE_PAGES].unit,
			BYTES(own_bytes(r)));
}

static json_object *space_json(const struct report *r, enum kmemtrace_space space)
{
	const struct kmemtrace_space_info *s = kmemtrace_get_space(r->trace, space);
	const struct kmemtrace_row *t = kmemtrace_total(r->trace, space);
	json_object *obj = json_object_new_object();

	add_u64(obj, "allocs", t->allocs);
	add_u64(obj, "frees", s->free_calls);
	add_u64(obj, "failed", s->failed);
	add_u64(obj, "bytes_req", t->bytes_req);
	add_u64(obj, "bytes_alloc", t->bytes_alloc);
	add_u64(obj, "live", t->live);
	add_u64(obj, "live_bytes_req", t->live_bytes_req);
	add_u64(obj, "live_bytes_alloc", t->live_bytes_alloc);
	add_u64(obj, "live_traced", t->live - s->older_live);
	add_u64(obj, "live_bytes_req_traced", t->live_bytes_req - s->older_bytes_req);
	add_u64(obj, "live_bytes_alloc_traced",
		t->live_bytes_alloc - s->older_bytes_alloc);
	add_u64(obj, "remote_frees", t->remote_frees);
	return obj;
}

json_object *totals_json(const struct report *r)
{
	json_object *obj = json_object_new_object();

	spaces_json(obj, r, space_json);
	add_u64(obj, "own_pages", r->sum->own_pages);
	add_u64(obj, "own_bytes", own_bytes(r));
	return obj;
}
