/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rules of the ledger: the state that a change needs, and its effect on it.
 *
 * Nearly all changes are plain: their slot needs no special treatment. For them @is_plain
 * is a constant true, so that the compiler removes the special treatment from the functions
 * here.
 */
#ifndef KMEMTRACE_RULES_H
#define KMEMTRACE_RULES_H

#include "ledger/shard-work.h"
#include "ledger/lives.h"
#include "ledger/sample.h"
#include "common/bits.h"

/*
 * A free needs a live slot, an allocation any other: a slot is live either before a change or
 * after it, so this bit of the two differs.
 */
#define SLOT_ALIVE	SLOT_WORD(.state = SLOT_LIVE)
/* Bits of slots that are not plain. */
#define SLOT_ODD	SLOT_WORD(.settled = 1, .snapshot = 1, .reserved = 1)

/* Return whether a slot doesn't have the state that @c needs. */
static inline bool rules_differ(const struct slot *slot, const struct change *c)
{
	return !((slot->word ^ c->word) & SLOT_ALIVE);
}

/* Return whether @c contradicts the state of a slot. A settled slot accepts a free. */
static inline bool rules_contradict(const struct slot *slot, const struct change *c)
{
	return rules_differ(slot, c) && !(c->is_free && slot->settled);
}

/*
 * Return 0 if a slot has the state that @c needs, and is plain. There is no branch, because the
 * next change can't be predicted.
 */
static ALWAYS_INLINE uint32_t rules_not_plain(const struct slot *slot, const struct change *c)
{
	const uint32_t difference = slot->word ^ c->word;

	return ((difference & (SLOT_ALIVE | SLOT_ODD)) ^ SLOT_ALIVE) |
	       (difference & SLOT_WORD(.type = UINT8_MAX) & (uint32_t)mask_of(c->is_free));
}

/* Return the lifetime of memory; negative if the clocks of two CPUs are slightly off. */
static inline int64_t rules_age(const struct change *c, const struct slot *slot)
{
	return (uint64_t)c->time - (uint64_t)slot->time;
}

/* Count a free of @bytes on another CPU than the allocation in @slot. */
static inline void rules_count_remote(struct shard_work *j, const struct change *c,
				      const struct slot *slot, uint64_t bytes)
{
	unsigned int weight;
	struct row *pair;

	work_lifetime(j, slot->kind, c->kind)->remote += !c->is_rest;
	if (kind_is_hidden(work_kind(j, slot->kind)))
		return;
	pair = table_row_of(&j->sums->cpus[c->space],
			    (uint64_t)slot->cpu << 16 | c->cpu);
	/* Pairs of CPUs have no kind: they get the weight here. */
	weight = sample_weight(j->l, work_kind(j, slot->kind));
	pair->remote += weight * !c->is_rest;
	pair->alloc += weight * bytes;
}

/*
 * Make @c the last event of a slot. Field by field: a structure that is written in small
 * parts and copied in large ones stalls the processor. The objects in a frame stay.
 */
static ALWAYS_INLINE void rules_set_slot(struct slot *slot, const struct change *c)
{
	const uint32_t first = slot->state == SLOT_UNKNOWN ? SLOT_WORD(.first = 1) : 0;

	slot->time = c->time;
	slot->kind = c->kind;
	slot->word = c->word | first;
}

/*
 * Count objects or frames that became live at the time @born, or end now, in their cell. What
 * ends at CELLS_LIVE was not live at all.
 */
static inline void rules_count_cell(struct shard_work *j, uint32_t kind, int64_t born, int64_t nr,
				    int64_t req)
{
	int64_t ended = nr > 0 ? CELLS_LIVE : j->now;
	int sign = ended == CELLS_LIVE ? 1 : -1;

	if (j->s->has_cells)
		work_count_cell(j, kind, born, ended,
				&(struct cell) { .nr = sign * nr, .req = sign * req });
}

/* Count a free in the cell of the allocation in @slot. */
static inline void rules_count_free(struct shard_work *j, const struct change *c,
				    const struct slot *slot)
{
	if (j->s->has_cells && !c->is_rest)
		work_count_cell(j, slot->kind, slot->time, cells_end_time(c->time),
				&(struct cell) { .calls = 1 });
}

/*
 * Count @nr objects or frames of @kind that became live at the time @born, or end. No change
 * is plain while cells are counted.
 */
static ALWAYS_INLINE void rules_add_live(struct shard_work *j, enum space space, uint32_t kind,
					 int64_t born, int64_t nr, int64_t req,
					 int64_t bytes, struct effect *effect,
					 bool is_plain)
{
	struct sum *sum = work_sum(j, kind);

	sum->nr[1] -= nr;
	sum->req[1] -= req;
	if (is_plain) {
		*effect = (struct effect) { kind, nr, bytes };
		return;
	}
	work_effect(j, space, kind, nr, bytes);
	rules_count_cell(j, kind, born, nr, req);
}

/* ---- objects ---- */

/**
 * rules_add_object - count an object that becomes live, or ends
 * @j: the work on the shard
 * @space: its allocator
 * @ptr: its address
 * @slot: its state while it is live
 * @sign: 1 or -1
 */
static inline void rules_add_object(struct shard_work *j, enum space space, uint64_t ptr,
				    const struct slot *slot, int sign)
{
	int64_t size = work_sum(j, slot->kind)->size;

	j->s->objects[space].live += sign;
	if (space == SPACE_SLAB)
		work_frame(j, ptr)->objects += sign;
	rules_add_live(j, space, slot->kind, slot->time, sign,
		       sign * (size - slot->spare), sign * size, NULL, false);
}

/**
 * rules_apply_to_object - apply a change to an object
 * @j: the work on the shard
 * @c: the change; it doesn't contradict the state of @slot
 * @space: its allocator
 * @slot: the object
 * @frame: the frame of the object; only of slab objects
 * @effect: result, if @is_plain
 * @is_plain: nothing but what rules_not_plain() accepts; the allocation is counted, too, and
 *	no cells are
 */
static ALWAYS_INLINE void rules_apply_to_object(struct shard_work *j, const struct change *c,
						enum space space, struct slot *slot,
						struct slot *frame, struct effect *effect,
						bool is_plain)
{
	const uint64_t mask = mask_of(c->is_free);
	const int64_t sign = 1 | (int64_t)mask;
	const uint32_t kind = choose(mask, slot->kind, c->kind);
	const int64_t spare = choose(mask, slot->spare, c->alloc - c->req);
	struct sum *sum = work_sum(j, kind);
	const int64_t size = sum->size;

	if (space == SPACE_SLAB)
		frame->objects += sign;
	j->s->objects[space].live += sign;
	if (is_plain) {
		sum->nr[mask & 1]++;
		sum->req[mask & 1] += size - spare;
		*effect = (struct effect) { kind, sign, sign * size };
	} else {
		rules_add_live(j, space, kind, choose(mask, slot->time, c->time), sign,
			       sign * (size - spare), sign * size, NULL, false);
	}
	if (!is_plain && c->is_free)
		rules_count_free(j, c, slot);
	/* When and on which CPU older objects were allocated is unknown. */
	if (!is_plain && slot->snapshot) {
		sum->frees += mask & 1;
	} else {
		if (mask & (slot->cpu ^ c->cpu))
			rules_count_remote(j, c, slot, size);
		*j->ending = (struct ending) { kind, c->kind, rules_age(c, slot) };
		j->ending += mask & 1;
	}
	/* In this order: whether a change is a free can't be predicted. */
	if (lives_are_wanted(j) && c->is_free)
		lives_add(j, c, slot, c->ptr, size);
	rules_set_slot(slot, c);
	slot->spare = spare;
}

/* ---- frames ---- */

/**
 * rules_add_frames - count frames that become live, or end
 * @j: the work on the shard
 * @slot: the state of each while it is live
 * @nr: how many; negative: they end
 * @effect: result, if @is_plain
 * @is_plain: the frames are neither reserved nor kmemtrace's own; these are counted apart
 */
static ALWAYS_INLINE void rules_add_frames(struct shard_work *j, const struct slot *slot,
					   int64_t nr, struct effect *effect, bool is_plain)
{
	int64_t bytes = nr * (int64_t)j->l->page_size;

	if (!is_plain && slot->reserved)
		j->s->baseline.reserved += nr;
	else if (!is_plain && slot->type == SLOT_OWN_TYPE)
		j->s->own += nr;
	else
		rules_add_live(j, SPACE_PAGES, slot->kind, slot->time, nr, bytes, bytes,
			       effect, is_plain);
}

/* Count a free of @bytes of pages whose allocation is in @slot. */
static inline void rules_match(struct shard_work *j, const struct change *c,
			       const struct slot *slot, uint64_t bytes)
{
	struct lifetime *life;

	if (slot->snapshot) {
		work_sum(j, slot->kind)->frees += !c->is_rest;
		return;
	}
	life = work_lifetime(j, slot->kind, c->kind);
	life->bytes += bytes;
	if (!c->is_rest)
		lifetime_count(life, rules_age(c, slot));
	if (slot->cpu != c->cpu)
		rules_count_remote(j, c, slot, bytes);
}

/* Return whether a slot itself, or its event, is to be counted. */
static inline bool rules_counts(const struct shard_work *j, const struct change *c)
{
	return !c->is_rest && !kind_is_hidden(work_kind(j, c->kind));
}

/**
 * rules_end_frames - end live frames, because they are freed or allocated again
 * @j: the work on the shard
 * @c: the change
 * @slot: the state of each
 * @nr: how many
 * @is_matched: the event was matched with others of its frames before
 * @effect: result, if @is_plain
 * @is_plain: see rules_add_frames()
 *
 * Return: whether the event is matched now.
 */
static ALWAYS_INLINE bool rules_end_frames(struct shard_work *j, const struct change *c,
					   const struct slot *slot, uint64_t nr,
					   bool is_matched, struct effect *effect,
					   bool is_plain)
{
	struct baseline *b = &j->s->baseline;

	rules_add_frames(j, slot, -(int64_t)nr, effect, is_plain);
	if (!is_plain && slot->reserved) {
		if (c->is_free && !kind_is_hidden(work_kind(j, c->kind)))
			b->reserved_freed += nr;
		return is_matched;
	}
	if (c->is_free && !is_matched) {
		rules_match(j, c, slot, c->alloc);
		if (!is_plain)
			rules_count_free(j, c, slot);
	} else if (!is_plain && slot->snapshot && !is_matched) {
		b->in_transit += rules_counts(j, c);
	}
	return true;
}

/**
 * rules_apply_to_frames - apply a change to frames
 * @j: the work on the shard
 * @c: the change
 * @slot: the first of @nr_slots slots, each of which is the state of @nr frames
 * @nr_slots: how many; of more than one, each is of one frame
 * @nr: see @slot
 * @is_matched: see rules_end_frames()
 * @effect: result, if @is_plain
 * @is_plain: all slots are alike, and as rules_not_plain() accepts them; the allocation
 *	is counted, too
 *
 * Return: as rules_end_frames()
 */
static ALWAYS_INLINE bool rules_apply_to_frames(struct shard_work *j, const struct change *c,
						struct slot *slot, uint64_t nr_slots,
						uint64_t nr, bool is_matched,
						struct effect *effect, bool is_plain)
{
	uint64_t i;

	if (is_plain ? c->is_free : slot->state == SLOT_LIVE)
		is_matched = rules_end_frames(j, c, slot, nr, is_matched, effect,
					      is_plain);
	for (i = 0; i < nr_slots; i++)
		rules_set_slot(&slot[i], c);
	if (c->is_free)
		return is_matched;
	if (is_plain && !c->is_rest)
		work_count_allocs(j, c->kind, 1, c->req);
	rules_add_frames(j, slot, nr, effect, is_plain);
	return is_matched;
}

#endif /* KMEMTRACE_RULES_H */
