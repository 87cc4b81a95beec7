// SPDX-License-Identifier: GPL-2.0
/*
 * slots.c - the slots of a change, and their comparison with it
 */
#include "config.h"

#include "ledger/rules.h"
#include "ledger/slots.h"

/* Return a position before the first slot. */
struct slots slots_of(struct shard_work *j, const struct change *c)
{
	bool is_pages = c->space == SPACE_PAGES;

	return (struct slots) {
		.j = j,
		.c = c,
		.local = frame_local(c->ptr >> j->l->page_shift),
		.left = is_pages ? slots_frames(j, c) : 1,
	};
}

/* Go to the next slot. Returns false if there is none. */
bool slots_next(struct slots *s)
{
	struct frames_stretch stretch;

	s->left -= s->nr;
	s->local += s->nr;
	if (!s->left)
		return false;
	if (s->c->space == SPACE_PAGES) {
		stretch = frames_stretch(&s->j->s->frames, s->local, s->left);
		s->slot = stretch.slot;
		s->nr = stretch.nr;
	} else {
		s->slot = &objects_get(&s->j->s->objects[s->c->space], s->c->ptr,
				       s->c->time)->slot;
		s->nr = 1;
	}
	return true;
}

/**
 * slots_find_contradiction - find the first slot whose state contradicts a change
 * @j: the work on the shard
 * @c: the change
 * @found: result, a copy of the slot
 *
 * Return: whether there is one.
 */
bool slots_find_contradiction(struct shard_work *j, const struct change *c, struct slot *found)
{
	struct slots s = slots_of(j, c);

	while (slots_next(&s))
		if (rules_contradict(s.slot, c)) {
			*found = *s.slot;
			return true;
		}
	return false;
}

/* Return whether pages are free while an object in them is in use, after @c. */
bool slots_overlap(struct shard_work *j, const struct change *c)
{
	struct slots s = slots_of(j, c);

	if (c->space == SPACE_SLAB && !c->is_free)
		return work_frame(j, c->ptr)->state == SLOT_FREED;
	if (c->space != SPACE_PAGES || !c->is_free)
		return false;
	while (slots_next(&s))
		if (s.slot->objects)
			return true;
	return false;
}

/**
 * slots_fit - check whether a change fits the state of all of its slots
 * @j: the work on the shard
 * @c: the change
 * @examined: the number of examined slots is added
 *
 * A free of a settled slot doesn't fit: an allocation of another CPU may follow that it ends.
 * It contradicts nothing if none follows.
 *
 * Return: whether it does.
 */
bool slots_fit(struct shard_work *j, const struct change *c, uint32_t *examined)
{
	struct slots s = slots_of(j, c);

	if (c->space == SPACE_SLAB && slots_overlap(j, c))
		return false;
	while (slots_next(&s)) {
		++*examined;
		if (rules_differ(s.slot, c) ||
		    (c->space == SPACE_PAGES && c->is_free && s.slot->objects))
			return false;
	}
	return true;
}
