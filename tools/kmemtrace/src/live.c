// SPDX-License-Identifier: GPL-2.0
/*
 * The ledger's bookkeeping: what goes into, and out of, that which is live.
 */
#include "config.h"

#include "live.h"

/* Take @nr live slots of @req and @alloc bytes into or out of a row. */
static void add_to_row(struct row *row, uint64_t nr, uint64_t req,
		       uint64_t alloc)
{
	row->live += nr;
	row->live_req += req;
	row->live_alloc += alloc;
}

/* All that slots like @slot belong to. */
static void add(struct ledger *l, enum space space, const struct slot *slot,
		uint64_t nr, uint64_t req, uint64_t alloc)
{
	struct stats *s = &l->stats;
	struct amount *older = &s->totals[space].older;

	add_to_row(&s->sites[space].rows[slot->site], nr, req, alloc);
	add_to_row(&s->classes[space].rows[slot->class], nr, req, alloc);
	if (!slot->snapshot)
		return;
	older->nr += nr;
	older->req += req;
	older->alloc += alloc;
}

/**
 * live_object - an object begins or ceases to live
 * @l: the ledger
 * @space: namespace of the object
 * @obj: the object; what it is as long as it lives
 * @sign: 1 or -1
 */
void live_object(struct ledger *l, enum space space, const struct object *obj,
		 int sign)
{
	uint64_t alloc = live_object_size(l, space, &obj->slot);
	uint64_t req = alloc - (uint64_t)obj->slot.spare;

	add(l, space, &obj->slot, sign, sign * req, sign * alloc);
	l->objects[space].live += sign;
	if (space == SPACE_SLAB)
		live_frame_of(l, obj->ptr)->objects += sign;
}

/**
 * live_frames - frames begin or cease to live
 * @l: the ledger
 * @slot: what each of them is as long as it lives
 * @nr: how many; negative: so many cease
 *
 * Reserved ones were never handed out, and are counted apart; so is what kmemtrace
 * has for itself.
 */
void live_frames(struct ledger *l, const struct slot *slot, int64_t nr)
{
	uint64_t bytes = (uint64_t)nr * l->page_size;

	if (slot->reserved)
		l->stats.baseline.reserved += nr;
	else if (slot->type == SLOT_OWN_TYPE)
		l->stats.own += nr;
	else
		add(l, SPACE_PAGES, slot, nr, bytes, bytes);
}
