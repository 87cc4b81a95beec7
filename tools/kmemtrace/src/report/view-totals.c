// SPDX-License-Identifier: GPL-2.0
/*
 * View: the sums over all events.
 */
#include "config.h"

#include "report/format.h"
#include "report/view.h"

static void print_totals(const struct stats *s, enum space space, FILE *out)
{
	const struct totals *t = &s->totals[space];
	struct amount live = stats_live(s, space);
	uint64_t waste = wasted(t->req, t->alloc);

	/* A page call may be about many pages: not the same unit as live. */
	fprintf(out, "  %-7s%13s %13s %9s %9s %9s %6s %13s %-7s %9s%s\n",
		space_infos[space].name, NUMBER(t->allocs), NUMBER(t->frees),
		BYTES(t->req), BYTES(t->alloc), BYTES(waste),
		PERCENT(waste, t->alloc), NUMBER(live.nr),
		space_infos[space].unit, BYTES(live.alloc),
		space_infos[space].note);
}

static uint64_t own_bytes(const struct report *r)
{
	const struct ledger *l = &r->trace->ledger;

	return l->stats.own * l->page_size;
}

static void print_own(const struct report *r, FILE *out)
{
	fprintf(out, "  %-72s%13s %-7s %9s  kmemtrace's own buffers, in no other sum\n",
		"own", NUMBER(r->trace->ledger.stats.own),
		space_infos[SPACE_PAGES].unit, BYTES(own_bytes(r)));
}

void totals_text(const struct report *r, FILE *out)
{
	int i;

	print_title(r, out, "Totals    alloc calls    free calls requested allocated         wasted   live at end             bytes");
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			print_totals(&r->trace->ledger.stats, i, out);
	if (r->trace->ledger.stats.own)
		print_own(r, out);
}

static void print_brief_totals(const struct stats *s, enum space space, FILE *out)
{
	const struct totals *t = &s->totals[space];
	struct amount live = stats_live(s, space);

	fprintf(out, "  %-7s %11s %12s %9s %6s %11s %-7s %6s\n",
		space_infos[space].name, NUMBER(t->allocs), NUMBER(t->frees),
		BYTES(t->alloc), PERCENT(wasted(t->req, t->alloc), t->alloc),
		NUMBER(live.nr), space_infos[space].unit, BYTES(live.alloc));
}

void totals_brief(const struct report *r, FILE *out)
{
	const struct stats *s = &r->trace->ledger.stats;
	int i;

	print_title(r, out, "Totals    alloc calls   free calls allocated wasted live at end          bytes");
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			print_brief_totals(s, i, out);
	if (s->own)
		fprintf(out, "  %-49s %11s %-7s %6s\n",
			"own     buffers of kmemtrace, in no other sum",
			NUMBER(s->own), space_infos[SPACE_PAGES].unit,
			BYTES(own_bytes(r)));
}

static json_object *space_json(const struct report *r, enum space space)
{
	const struct stats *s = &r->trace->ledger.stats;
	const struct totals *t = &s->totals[space];
	struct amount live = stats_live(s, space);
	json_object *obj = json_object_new_object();

	add_u64(obj, "allocs", t->allocs);
	add_u64(obj, "frees", t->frees);
	add_u64(obj, "failed", t->failed);
	add_u64(obj, "bytes_req", t->req);
	add_u64(obj, "bytes_alloc", t->alloc);
	add_u64(obj, "live", live.nr);
	add_u64(obj, "live_bytes_req", live.req);
	add_u64(obj, "live_bytes_alloc", live.alloc);
	add_u64(obj, "live_traced", live.nr - t->older.nr);
	add_u64(obj, "live_bytes_req_traced", live.req - t->older.req);
	add_u64(obj, "live_bytes_alloc_traced", live.alloc - t->older.alloc);
	add_u64(obj, "remote_frees", t->remote);
	return obj;
}

json_object *totals_json(const struct report *r)
{
	const struct stats *s = &r->trace->ledger.stats;
	json_object *obj = json_object_new_object();

	spaces_json(obj, r, space_json);
	add_u64(obj, "own_pages", s->own);
	add_u64(obj, "own_bytes", own_bytes(r));
	return obj;
}
