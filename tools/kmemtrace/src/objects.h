/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The objects of one namespace, by pointer.
 */
#ifndef KMEMTRACE_OBJECTS_H
#define KMEMTRACE_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "slot.h"

/**
 * struct object - one object
 * @ptr: its address; 0 marks an unused entry
 * @slot: its last event
 */
struct object {
	uint64_t ptr;
	struct slot slot;
};

/**
 * struct objects - a hash of objects
 * @live: how many of them live; kept by the user
 * @keep_freed: forget none of the freed, within reason; set by the user
 *
 * Freed objects stay for a while, so that a second free is seen as such. How
 * many follows @live, so memory does as well.
 */
struct objects {
	size_t live;
	bool keep_freed;

	/* private: open addressing, nr_entries is a power of two */
	struct object *entries, *last;
	size_t nr_entries, used;
	unsigned int shift;
	int64_t cleaned;
};

struct object *objects_find(const struct objects *o, uint64_t ptr);
struct object *objects_look_up(struct objects *o, uint64_t ptr, int64_t time);
void objects_prefetch(const struct objects *o, uint64_t ptr);
void objects_free(struct objects *o);

/**
 * objects_get - find an object, or make one in SLOT_UNKNOWN
 * @o: the objects; zeroed memory is an empty set
 * @ptr: its address, not 0
 * @time: of the current event
 *
 * An event is looked at several times: the last object is at hand.
 *
 * Return: the object; may move with the next call.
 */
static inline struct object *objects_get(struct objects *o, uint64_t ptr,
					 int64_t time)
{
	if (o->last && o->last->ptr == ptr)
		return o->last;
	return objects_look_up(o, ptr, time);
}

#endif /* KMEMTRACE_OBJECTS_H */
