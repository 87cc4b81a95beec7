// SPDX-License-Identifier: GPL-2.0
/*
 * View: the sums over all events.
 */
#include "config.h"

#include "format.h"
#include "view.h"

struct sums {
	uint64_t live, live_req, live_alloc;
};

static struct sums live_sums(const struct stats *s, enum space space)
{
	struct sums sums = { 0 };
	uint32_t i;

	for (i = 0; i < s->sites[space].nr; i++) {
		const struct row *row = &s->sites[space].rows[i];

		sums.live += row->live;
		sums.live_req += row->live_req;
		sums.live_alloc += row->live_alloc;
	}
	return sums;
}

static void print_totals(const struct stats *s, enum space space, FILE *out)
{
	const struct totals *t = &s->totals[space];
	struct sums sums = live_sums(s, space);
	uint64_t waste = wasted(t->req, t->alloc);

	/* A page call may be about many pages: not the same unit as live. */
	fprintf(out, "  %-6s %13s %13s %9s %9s %9s %6s %13s %-7s %9s\n",
		space_names[space], NUMBER(t->allocs), NUMBER(t->frees),
		BYTES(t->req), BYTES(t->alloc), BYTES(waste),
		PERCENT(waste, t->alloc), NUMBER(sums.live),
		space == SPACE_SLAB ? "objects" : "pages", BYTES(sums.live_alloc));
}

void totals_text(const struct report *r, FILE *out)
{
	int i;

	fprintf(out, "\nTotals    alloc calls    free calls requested allocated         wasted   live at end             bytes\n");
	for (i = 0; i < NR_SPACES; i++)
		print_totals(&r->trace->ledger.stats, i, out);
}

json_object *totals_json(const struct report *r)
{
	const struct stats *s = &r->trace->ledger.stats;
	json_object *obj = json_object_new_object();
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		json_object *space = json_object_new_object();
		struct sums sums = live_sums(s, i);

		add_u64(space, "allocs", s->totals[i].allocs);
		add_u64(space, "frees", s->totals[i].frees);
		add_u64(space, "bytes_req", s->totals[i].req);
		add_u64(space, "bytes_alloc", s->totals[i].alloc);
		add_u64(space, "live", sums.live);
		add_u64(space, "live_bytes_req", sums.live_req);
		add_u64(space, "live_bytes_alloc", sums.live_alloc);
		add_u64(space, "remote_frees", s->totals[i].remote);
		json_object_object_add(obj, space_names[i], space);
	}
	return obj;
}
