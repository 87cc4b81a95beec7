/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The objects of one allocator in one shard, by address.
 */
#ifndef KMEMTRACE_OBJECTS_H
#define KMEMTRACE_OBJECTS_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>

#include "books/slot.h"
#include "common/archive.h"
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

	/* private: open addressing */
	struct context *ctx;
	uint64_t seed;
	struct object *entries;
	size_t nr_entries, used;
	int64_t cleaned;
	struct object scratch;
};

void objects_init(struct objects *o, struct context *ctx, uint64_t seed);
struct object *objects_find(const struct objects *o, uint64_t ptr);
struct object *objects_look_up(struct objects *o, uint64_t ptr, int64_t time);
void objects_each(const struct objects *o,
		  void (*each)(void *arg, const struct object *obj), void *arg);
bool objects_fit_archive(const struct objects *o);
void objects_archive(struct objects *o, struct archive *a, uint32_t nr_kinds);
void objects_free(struct objects *o);

/* Return where the search for @ptr begins: at a pair of entries, which may be read. */
static inline struct object *objects_home(const struct objects *o, uint64_t ptr)
{
	uint64_t pair = (hash_key(ptr, o->seed) >> 32) * (o->nr_entries / 2) >> 32;

	return &o->entries[2 * pair];
}

/* Return the object of a pair that may be the one at @ptr. */
static inline struct object *objects_in_pair(struct object *pair, uint64_t ptr)
{
	/* Without a branch: the position in the pair can't be predicted. */
	return pair + bit_of(pair[1].ptr == ptr);
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
	struct object *obj = objects_in_pair(objects_home(o, ptr), ptr);

	return obj->ptr == ptr ? obj : objects_look_up(o, ptr, time);
}

#endif /* KMEMTRACE_OBJECTS_H */
