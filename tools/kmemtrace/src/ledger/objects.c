// SPDX-License-Identifier: GPL-2.0
/*
 * objects.c - the objects of one allocator: a hash with open addressing
 *
 * A search visits groups of entries, and reads an entry only if its tag is that of the object. So
 * the table may be nearly full, and nearly all searches read one entry. The groups are in the order
 * of the hashes in a table of any size. So entries are moved to a larger table one after the other.
 *
 * Entries are never removed one by one: a new table takes over those that are live, and those freed
 * lately.
 */
#include "config.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/objects.h"

/*
 * A table has this number of entries, plus ten for seven live objects, and some more to fill huge
 * pages. The first tables have fewer, because some allocators are hardly used.
 */
#define MIN_ENTRIES	32768
#define FIRST_ENTRIES	(MIN_ENTRIES / 64)
/* Freed objects that @keep_freed keeps. */
#define MAX_FREED	((size_t)1 << 16)

static_assert(sizeof(struct object) == 32, "two in a cache line");

/* The group of a table without any. */
static struct object no_entries[TAGS_NR];
static uint64_t no_tags[1];

/* Bytes of an entry and its tag. */
#define ENTRY_SIZE	(sizeof(struct object) + 1)

/* Return how many of @nr entries may be used. */
static size_t most_used(size_t nr)
{
	return nr / 8 * 7;
}

/* Do what objects_find() does, in all cases. */
struct object *objects_search(const struct objects *o, uint64_t ptr)
{
	const uint64_t home = objects_home(o, ptr), tag = objects_tag(home);
	struct object *obj;
	uint64_t found;
	size_t group;

	for (group = home >> 32; ; group = objects_next_group(o, group)) {
		for (found = tags_find(o->tags[group], tag); found; found &= found - 1) {
			obj = &o->entries[group * TAGS_NR + tags_first(found)];
			if (obj->ptr == ptr)
				return obj;
		}
		if (!tags_are_full(o->tags[group]))
			return NULL;
	}
}

/* Use an entry for an object that is not in the table, which has room. Return the entry. */
static inline struct object *use_free_entry(struct objects *o, uint64_t ptr)
{
	const uint64_t home = objects_home(o, ptr);
	size_t group = home >> 32;
	unsigned int nr;

	while (tags_are_full(o->tags[group]))
		group = objects_next_group(o, group);
	nr = tags_first(tags_unused(o->tags[group]));
	tags_set(&o->tags[group], nr, objects_tag(home));
	o->used++;
	o->entries[group * TAGS_NR + nr].ptr = ptr;
	return &o->entries[group * TAGS_NR + nr];
}

/* Make a table of @nr entries, a multiple of TAGS_NR. Returns false without memory. */
static bool make_table(struct objects *o, size_t nr)
{
	struct object *entries = context_zeroed(o->ctx, nr * ENTRY_SIZE);

	if (!entries)
		return false;
	o->entries = entries;
	o->tags = (uint64_t *)&entries[nr];
	o->nr_entries = nr;
	o->used = 0;
	return true;
}

static void free_table(struct objects *o)
{
	if (o->nr_entries)
		context_free_zeroed(o->entries, o->nr_entries * ENTRY_SIZE);
}

/* In place of a time: no freed object is kept, not even one that was freed then. */
#define KEEP_NO_FREED	INT64_MAX

static bool keep(const struct object *obj, int64_t freed_since)
{
	if (!obj->ptr)
		return false;
	return obj->slot.state == SLOT_LIVE ||
	       (obj->slot.state == SLOT_FREED && freed_since != KEEP_NO_FREED &&
		obj->slot.time >= freed_since);
}

/* Return the number of entries that the next table keeps. */
static size_t count_kept(const struct objects *o, int64_t freed_since)
{
	size_t i, kept = 0;

	for (i = 0; i < o->nr_entries; i++)
		kept += keep(&o->entries[i], freed_since);
	return kept;
}

/* Return the size of the next table if @stay objects stay. */
static size_t next_size(const struct objects *o, size_t stay)
{
	size_t nr = o->nr_entries;

	if (nr < MIN_ENTRIES)
		nr = nr ? 4 * nr : FIRST_ENTRIES;
	if (stay < nr / 4 * 3)
		return nr;
	nr = context_whole((MIN_ENTRIES + stay / 7 * 10) * ENTRY_SIZE) / ENTRY_SIZE;
	return nr / TAGS_NR * TAGS_NR;
}

/*
 * Make a new table, a larger one if objects that have to stay take most of this one.
 * Objects freed since the last time move as well, if they don't crowd it. Returns false
 * without memory.
 */
static bool clean(struct objects *o, int64_t time)
{
	struct objects new = *o;
	int64_t freed_since = o->cleaned;
	size_t i, most, stay = o->live;

	if (o->keep_freed) {
		size_t all = count_kept(o, INT64_MIN);

		if (all - o->live <= MAX_FREED) {
			stay = all;
			freed_since = INT64_MIN;
		}
	}
	if (!make_table(&new, next_size(o, stay)))
		return false;
	most = new.nr_entries / 4 * 3;
	new.cleaned = time;
	new.moves++;
	if (o->used > most && count_kept(o, freed_since) > most)
		freed_since = KEEP_NO_FREED;

	for (i = 0; i < o->nr_entries; i++) {
		const struct object *obj = &o->entries[i];

		if (keep(obj, freed_since))
			*use_free_entry(&new, obj->ptr) = *obj;
	}
	free_table(o);
	*o = new;
	return true;
}

/* objects_get() of an object that isn't where objects_guess() says. */
struct object *objects_look_up(struct objects *o, uint64_t ptr, int64_t time)
{
	struct object *obj = objects_find(o, ptr);

	/* Only a new object may move others: a caller may hold a pointer to a known one. */
	if (!obj && o->used >= most_used(o->nr_entries) && !clean(o, time)) {
		o->scratch = (struct object) { .ptr = ptr };
		return &o->scratch;
	}
	return obj ? obj : use_free_entry(o, ptr);
}

/**
 * objects_each - visit all known objects, in no order
 * @o: the objects
 * @each: gets @arg and each object, live or not
 * @arg: for @each
 */
void objects_each(const struct objects *o,
		  void (*each)(void *arg, const struct object *obj), void *arg)
{
	size_t i;

	for (i = 0; i < o->nr_entries; i++)
		if (o->entries[i].ptr)
			each(arg, &o->entries[i]);
}

/* Make an empty set of objects. */
void objects_init(struct objects *o, struct context *ctx, uint64_t seed)
{
	*o = (struct objects) { .ctx = ctx, .seed = seed, .entries = no_entries, .tags = no_tags };
}

/* Free all memory. */
void objects_free(struct objects *o)
{
	free_table(o);
	objects_init(o, o->ctx, o->seed);
}
