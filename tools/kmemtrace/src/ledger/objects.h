/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The objects of one allocator in one shard, by address.
 */
#ifndef KMEMTRACE_OBJECTS_H
#define KMEMTRACE_OBJECTS_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>

#include "ledger/slot.h"
#include "ledger/tags.h"
#include "common/context.h"
#include "common/hash.h"

/**
 * struct object - one object
 * @ptr: its address; 0 marks an unused entry. Aligned, so that the size is a power of two on
 *	32-bit machines, too
 * @slot: its last event
 */
struct object {
	alignas(8) uint64_t ptr;
	struct slot slot;
};

/**
 * struct objects - a hash of objects
 * @live: how many are live; the user counts them
 * @keep_freed: keep freed objects, within limits; the user sets it
 * @moves: how often all objects got new places
 *
 * Freed objects stay for a while, so that a second free is recognized. Their number is
 * proportional to @live, and so is memory.
 */
struct objects {
	size_t live;
	bool keep_freed;
	uint32_t moves;

	/* private: open addressing, by groups of entries whose tags are in one word of @tags */
	struct context *ctx;
	uint64_t seed;
	struct object *entries;
	uint64_t *tags;
	size_t nr_entries, used;
	int64_t cleaned;
	struct object scratch;
};

void objects_init(struct objects *o, struct context *ctx, uint64_t seed);
struct object *objects_search(const struct objects *o, uint64_t ptr);
struct object *objects_look_up(struct objects *o, uint64_t ptr, int64_t time);
void objects_each(const struct objects *o,
		  void (*each)(void *arg, const struct object *obj), void *arg);
void objects_free(struct objects *o);

/*
 * Return the group in which the search for @ptr begins, in the upper half, and in the lower half a
 * hash for its tag: where it is among all that begin there.
 */
static ALWAYS_INLINE uint64_t objects_home(const struct objects *o, uint64_t ptr)
{
	return (hash_key(ptr, o->seed) >> 32) * (o->nr_entries / TAGS_NR);
}

/* Return the tag of an object. */
static ALWAYS_INLINE uint64_t objects_tag(uint64_t home)
{
	return tags_of(home >> 16);
}

/* Return the group in which a search goes on. */
static inline size_t objects_next_group(const struct objects *o, size_t group)
{
	return ++group == o->nr_entries / TAGS_NR ? 0 : group;
}

/* Return the object at @ptr, or NULL if there is none. */
static inline struct object *objects_find(const struct objects *o, uint64_t ptr)
{
	const uint64_t home = objects_home(o, ptr), tags = o->tags[home >> 32];

	/* Nearly all searches for unknown objects end here. */
	if (!tags_find(tags, objects_tag(home)) && !tags_are_full(tags))
		return NULL;
	return objects_search(o, ptr);
}

/* Prefetch what objects_guess() reads. */
static ALWAYS_INLINE void objects_prefetch_tags(const struct objects *o, uint64_t ptr)
{
	__builtin_prefetch(&o->tags[objects_home(o, ptr) >> 32]);
}

/**
 * objects_guess - find by tags alone where an object should be
 * @o: the objects
 * @ptr: its address
 *
 * Return: nearly always the object, or the entry that it gets if it is new; in any case one that
 *	can be read.
 */
static ALWAYS_INLINE struct object *objects_guess(const struct objects *o, uint64_t ptr)
{
	const uint64_t home = objects_home(o, ptr), tag = objects_tag(home);
	size_t group = home >> 32;
	uint64_t tags, found;

	for (;; group = objects_next_group(o, group)) {
		tags = o->tags[group];
		found = tags_find(tags, tag);
		if (!tags_are_full(tags) | !!found)
			break;
	}
	/* Without a branch: whether an object is new can't be predicted. */
	found |= tags_unused(tags) & mask_of(!found);
	return &o->entries[group * TAGS_NR + tags_first(found)];
}

/**
 * objects_get - find an object, or add one in SLOT_UNKNOWN
 * @o: the objects
 * @ptr: its address, not 0
 * @time: of the current event
 *
 * Return: the object, which moves when another one is added; without memory, an object
 *	that is never read.
 */
static inline struct object *objects_get(struct objects *o, uint64_t ptr,
					 int64_t time)
{
	struct object *obj = objects_guess(o, ptr);

	return obj->ptr == ptr ? obj : objects_look_up(o, ptr, time);
}

#endif /* KMEMTRACE_OBJECTS_H */
