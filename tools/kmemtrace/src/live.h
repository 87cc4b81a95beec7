/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ledger's bookkeeping: what goes into, and out of, that which is live.
 */
#ifndef KMEMTRACE_LIVE_H
#define KMEMTRACE_LIVE_H

#include "ledger.h"

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
	uint64_t max = space == SPACE_SLAB ? UINT32_MAX : CLASS_MAX_SIZE;

	return ptr && req && req <= max && alloc <= max &&
	       alloc - req + INT32_MAX <= 2 * (uint64_t)INT32_MAX;
}

/* The frame in which an address of the linear map is. */
static inline struct slot *live_frame_of(struct ledger *l, uint64_t ptr)
{
	return frames_get(&l->frames, ptr >> l->page_shift);
}

static inline uint64_t live_object_size(const struct ledger *l,
					enum space space,
					const struct slot *slot)
{
	return class_size(l->stats.classes[space].rows[slot->class].key);
}

void live_object(struct ledger *l, enum space space, const struct object *obj,
		 int sign);
void live_frames(struct ledger *l, const struct slot *slot, int64_t nr);

#endif /* KMEMTRACE_LIVE_H */
