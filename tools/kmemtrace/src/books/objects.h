/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The objects of one namespace, by pointer.
 */
#ifndef KMEMTRACE_OBJECTS_H
#define KMEMTRACE_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "books/slot.h"
#include "common/memory.h"

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

	/* private: open addressing */
	struct object *entries;
	size_t nr_entries, used;
	int64_t cleaned;
};

struct object *objects_find(const struct objects *o, uint64_t ptr);
struct object *objects_look_up(struct objects *o, uint64_t ptr, int64_t time);
void objects_each(const struct objects *o,
		  void (*each)(void *arg, const struct object *obj), void *arg);
void objects_free(struct objects *o);

/* Where the search for @ptr begins: at a pair of entries, an even number of which is any. */
static inline struct object *objects_home(const struct objects *o, uint64_t ptr)
{
	uint64_t pair = (hash_u64(ptr) >> 32) * (o->nr_entries / 2) >> 32;

	return &o->entries[2 * pair];
}

/**
 * objects_get - find an object, or make one in SLOT_UNKNOWN
 * @o: the objects; zeroed memory is an empty set
 * @ptr: its address, not 0
 * @time: of the current event
 *
 * Return: the object; may move with the next call for another one.
 */
static inline struct object *objects_get(struct objects *o, uint64_t ptr,
					 int64_t time)
{
	struct object *obj = objects_home(o, ptr);

	if (!o->nr_entries)
		return objects_look_up(o, ptr, time);
	/* Which one of the pair can't be foretold. */
	obj += mask_of(obj[1].ptr == ptr) & 1;
	if (obj->ptr == ptr)
		return obj;
	return objects_look_up(o, ptr, time);
}

#endif /* KMEMTRACE_OBJECTS_H */
