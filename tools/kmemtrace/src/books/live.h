/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ledger's bookkeeping: what goes into, and out of, that which is live.
 */
#ifndef KMEMTRACE_LIVE_H
#define KMEMTRACE_LIVE_H

#include "books/job.h"

/* 16 GB pages of 64 kB frames are the largest blocks there are. */
#define LIVE_MAX_ORDER	18

/* The namespace of a type that is below EVENT_NR_TYPES. */
static inline enum space live_space(uint8_t type)
{
	static const enum space spaces[EVENT_NR_TYPES] = {
		[KMEMTRACE_TYPE_KMALLOC] = SPACE_SLAB,
		[KMEMTRACE_TYPE_CACHE] = SPACE_SLAB,
		[KMEMTRACE_TYPE_PAGES] = SPACE_PAGES,
		[KMEMTRACE_TYPE_PERCPU] = SPACE_PERCPU,
		[KMEMTRACE_TYPE_VMALLOC] = SPACE_VMALLOC,
	};

	return spaces[type];
}

/* The most bytes that a kernel hands out of a namespace at once. */
static inline uint64_t live_max_bytes(enum space space, uint64_t page_size)
{
	if (space == SPACE_PAGES)
		return page_size << LIVE_MAX_ORDER;
	return space == SPACE_SLAB ? UINT32_MAX : CLASS_MAX_SIZE;
}

/**
 * live_object_possible - could a kernel have handed this out?
 * @space: namespace of the object
 * @ptr: its address
 * @req: bytes asked for
 * @alloc: bytes given
 *
 * A class has no room for more bytes, nor a slot for a larger difference.
 */
static inline bool live_object_possible(enum space space, uint64_t ptr,
					uint64_t req, uint64_t alloc)
{
	uint64_t max = live_max_bytes(space, 0);

	return !!ptr & (req - 1 < max) & (alloc <= max) &
	       (alloc - req + INT32_MAX <= 2 * (uint64_t)INT32_MAX);
}

/* The frame in which an address of the linear map is. */
static inline struct slot *live_frame_of(struct job *j, uint64_t ptr)
{
	return frames_get(&j->s->frames, ptr >> j->l->page_shift);
}

static inline uint64_t live_object_size(const struct job *j,
					const struct slot *slot)
{
	return job_sum(j, slot->kind)->size;
}

/**
 * live_object - an object begins or ceases to live
 * @j: the job
 * @space: namespace of the object
 * @obj: the object; what it is as long as it lives
 * @sign: 1 or -1
 */
static inline void live_object(struct job *j, enum space space,
			       const struct object *obj, int sign)
{
	int64_t alloc = live_object_size(j, &obj->slot);
	struct sum *sum = job_sum(j, obj->slot.kind);

	sum->live += sign;
	sum->live_req += sign * (alloc - obj->slot.spare);
	j->s->objects[space].live += sign;
	if (space == SPACE_SLAB)
		live_frame_of(j, obj->ptr)->objects += sign;
	job_effect(j, space, obj->slot.kind, sign, sign * alloc);
}

/**
 * live_frames - frames begin or cease to live
 * @j: the job
 * @slot: what each of them is as long as it lives
 * @nr: how many; negative: so many cease
 *
 * Reserved ones were never handed out, and are counted apart; so is what kmemtrace
 * has for itself.
 */
static inline void live_frames(struct job *j, const struct slot *slot,
			       int64_t nr)
{
	int64_t bytes = nr * (int64_t)j->l->page_size;
	struct sum *sum;

	if (slot->reserved) {
		j->s->baseline.reserved += nr;
	} else if (slot->type == SLOT_OWN_TYPE) {
		j->s->own += nr;
	} else {
		sum = job_sum(j, slot->kind);
		sum->live += nr;
		sum->live_req += bytes;
		job_effect(j, SPACE_PAGES, slot->kind, nr, bytes);
	}
}

#endif /* KMEMTRACE_LIVE_H */
