/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The slab objects of a trace, by pointer.
 */
#ifndef KMEMTRACE_OBJECTS_H
#define KMEMTRACE_OBJECTS_H

#include <stddef.h>

#include "slot.h"

/**
 * struct object - one slab object
 * @ptr: its address; 0 marks an unused entry
 * @slot: its last event
 * @req: bytes asked for, while it lives
 * @alloc: bytes given, while it lives
 */
struct object {
	uint64_t ptr;
	struct slot slot;
	uint32_t req, alloc;
};

/**
 * struct objects - a hash of objects
 * @live: how many of them live; kept by the user
 *
 * Freed objects stay for a while, so that a second free is seen as such. How
 * many follows @live, so memory does as well.
 */
struct objects {
	size_t live;

	/* private: open addressing, nr_entries is a power of two */
	struct object *entries;
	size_t nr_entries, used;
	unsigned int shift;
	int64_t cleaned;
};

struct object *objects_get(struct objects *o, uint64_t ptr, int64_t time);
void objects_prefetch(const struct objects *o, uint64_t ptr);
void objects_free(struct objects *o);

#endif /* KMEMTRACE_OBJECTS_H */
