// SPDX-License-Identifier: GPL-2.0
/*
 * contradictions.c - apply changes that may contradict the state of their slots
 *
 * A change that contradicts the state of its slot is a finding. It is applied nevertheless:
 * the later event counts. Two cases stay open.
 *
 * A free of unknown memory, then an allocation on another CPU: either the free ends this
 * allocation, and the clocks reordered the two, or the memory was older than the trace, and
 * the allocation began a second life. The first is assumed, and the slot is marked as
 * settled. Another free proves the second, unless an allocation follows soon that it may end,
 * too: so this free waits first.
 *
 * Two allocations or two frees, of which one was on another CPU a short time before: both
 * lives have begun, or ended, and the counterpart of one is pending. Such a change is owed
 * its counterpart.
 */
#include "config.h"

#include "ledger/findings.h"
#include "ledger/rules.h"
#include "ledger/contradictions.h"
#include "ledger/slots.h"

/* ---- applying ---- */

static void apply_to_object(struct shard_work *j, const struct change *c)
{
	struct slot *slot = &objects_get(&j->s->objects[c->space], c->ptr, c->time)->slot;
	bool is_live = slot->state == SLOT_LIVE;

	if (is_live && c->is_free)
		findings_check_api(j, c, slot);
	if (is_live && !c->is_free) {
		lives_end(j, c, slot, c->ptr, work_sum(j, slot->kind)->size);
		rules_add_object(j, c->space, c->ptr, slot, -1);
		if (slot->snapshot)
			j->s->baseline.in_transit += rules_counts(j, c);
	}
	if (is_live || !c->is_free)
		rules_apply_to_object(j, c, c->space, slot,
				      c->space == SPACE_SLAB ? work_frame(j, c->ptr) : NULL,
				      NULL, false);
	else
		rules_set_slot(slot, c);
}

static void apply_to_frames(struct shard_work *j, const struct change *c)
{
	unsigned int shard = shard_of(c->ptr >> j->l->page_shift);
	struct slots s = slots_of(j, c);
	bool is_matched = false;

	while (slots_next(&s)) {
		if (s.slot->state == SLOT_LIVE)
			lives_end(j, c, s.slot, frame_global(shard, s.local) << j->l->page_shift,
				  s.nr << j->l->page_shift);
		is_matched = rules_apply_to_frames(j, c, s.slot, 1, s.nr, is_matched,
						   NULL, false);
	}
	if (slots_frames(j, c) >= CHUNK_FRAMES)
		frames_join(&j->s->frames, frame_local(c->ptr >> j->l->page_shift),
			    slots_frames(j, c));
}

static void apply(struct shard_work *j, const struct change *c)
{
	if (c->space == SPACE_PAGES)
		apply_to_frames(j, c);
	else
		apply_to_object(j, c);
}

/* ---- settled slots ---- */

static void mark_settled(struct shard_work *j, const struct change *c)
{
	struct slots s = slots_of(j, c);

	while (slots_next(&s))
		s.slot->settled = 1;
}

/* The free in @slot was of memory older than its allocation. */
static void unsettle(struct shard_work *j, const struct change *c,
		     const struct slot *slot)
{
	struct change early = *c;

	j->s->settled -= !c->is_rest;
	early.kind = slot->kind;
	early.time = slot->time;
	early.cpu = slot->cpu;
	findings_add_unknown(j, &early);
}

/* ---- changes that are owed a counterpart ---- */

/* Return whether the event of a slot may really have come after the change. */
static bool may_be_later(const struct shard_work *j, const struct change *c,
			 const struct slot *slot)
{
	return rules_contradict(slot, c) && !slot->snapshot &&
	       slot->state != SLOT_UNKNOWN && slot->cpu != c->cpu &&
	       (uint64_t)c->time - (uint64_t)slot->time <= j->l->window;
}

/*
 * Owe a change its counterpart: an allocation its free, while the object lives on by the
 * other allocation; a free its allocation. Returns false if that can't be.
 */
static bool owe(struct shard_work *j, const struct change *c)
{
	struct slots s = slots_of(j, c);
	struct shard *shard = j->s;
	struct slot before = { .time = 0 };
	bool is_first = true;

	if (shard->nr_owed == SHARD_MAX_OWED || slots_overlap(j, c))
		return false;
	while (slots_next(&s)) {
		if (!may_be_later(j, c, s.slot))
			return false;
		if (is_first)
			before = *s.slot;
		is_first = false;
	}
	shard->owed[shard->nr_owed++] = (struct owed) { .c = *c, .before = before };
	return true;
}

/* Match both ends of a life. */
static void match_owed(struct shard_work *j, const struct change *alloc,
		       const struct change *free)
{
	const struct slot slot = {
		.time = alloc->time,
		.kind = alloc->kind,
		.cpu = alloc->cpu,
		.type = alloc->type,
		.spare = alloc->space == SPACE_PAGES ? 0 : alloc->alloc - alloc->req,
	};

	rules_match(j, free, &slot, alloc->alloc);
	rules_count_free(j, free, &slot);
	lives_end(j, free, &slot, alloc->ptr, alloc->alloc);
	findings_check_api(j, free, &slot);
	j->s->settled += !free->is_rest;
}

/* Match @c with the change that is owed it. Returns false if there is none. */
static bool was_owed(struct shard_work *j, const struct change *c)
{
	struct shard *s = j->s;
	unsigned int i;

	for (i = 0; i < s->nr_owed; i++) {
		const struct change *owed = &s->owed[i].c;

		if (owed->ptr != c->ptr || owed->space != c->space ||
		    owed->is_free == c->is_free ||
		    (c->space == SPACE_PAGES && owed->alloc != c->alloc))
			continue;
		match_owed(j, owed->is_free ? c : owed, owed->is_free ? owed : c);
		s->owed[i] = s->owed[--s->nr_owed];
		return true;
	}
	return false;
}

/* ---- public interface ---- */

/* Return a copy of the first slot. */
static struct slot first_slot(struct shard_work *j, const struct change *c)
{
	struct slots s = slots_of(j, c);

	slots_next(&s);
	return *s.slot;
}

/* Return whether a free disproves that @before was settled. */
static bool disproves(struct shard_work *j, const struct change *c, const struct slot *before,
		      bool fits)
{
	struct slot slot;

	return before->settled && c->is_free &&
	       (fits || !slots_find_contradiction(j, c, &slot));
}

/**
 * contradiction_take - apply a change
 * @j: the work on the shard
 * @c: the change
 * @fits: slots_fit()
 */
void contradiction_take(struct shard_work *j, const struct change *c, bool fits)
{
	const struct slot before = first_slot(j, c);

	j->now = cells_end_time(c->time);
	if ((j->s->nr_owed && was_owed(j, c)) || (!fits && owe(j, c)))
		return;
	if (!fits)
		findings_add(j, c);
	if (disproves(j, c, &before, fits))
		unsettle(j, c, &before);
	apply(j, c);

	if (!fits || !c->waited)
		return;
	j->s->settled += !c->is_rest;
	if (c->is_free && before.first && !before.snapshot)
		mark_settled(j, c);
}

/* After the last event: turn changes that are owed a counterpart into findings. */
void contradiction_give_up(struct shard_work *j)
{
	struct shard *s = j->s;

	while (s->nr_owed) {
		const struct owed *owed = &s->owed[--s->nr_owed];

		findings_add_contradiction(j, &owed->c, &owed->before);
		if (first_slot(j, &owed->c).time == owed->before.time)
			apply(j, &owed->c);
	}
}
