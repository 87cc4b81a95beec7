// SPDX-License-Identifier: GPL-2.0
/*
 * objects.c - the objects of one allocator: a hash with open addressing
 *
 * Entries are never removed one by one: a new table takes over those that are live, and
 * those freed lately.
 */
#include "config.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "books/objects.h"

/*
 * A table has this number of entries, plus one and a half for each live object. The first
 * tables have fewer, because some allocators are hardly used.
 */
#define MIN_ENTRIES	32768
#define FIRST_ENTRIES	(MIN_ENTRIES / 64)
/* Freed objects that @keep_freed keeps. */
#define MAX_FREED	((size_t)1 << 16)

static_assert(sizeof(struct object) == 32, "two in a cache line");

/* The pair of entries of a table without any. */
static struct object no_entries[2];

static inline struct object *find(const struct objects *o, uint64_t ptr)
{
	struct object *obj = objects_home(o, ptr);

	while (obj->ptr && obj->ptr != ptr)
		if (++obj == o->entries + o->nr_entries)
			obj = o->entries;
	return obj;
}

/* Each pair of entries is in one cache line. Returns NULL without memory. */
static struct object *new_entries(struct context *ctx, size_t nr)
{
	return context_zeroed(ctx, nr * sizeof(struct object));
}

static void free_entries(struct objects *o)
{
	if (o->nr_entries)
		context_free_zeroed(o->entries, o->nr_entries * sizeof(*o->entries));
}

static bool keep(const struct object *obj, int64_t freed_since)
{
	if (!obj->ptr)
		return false;
	return obj->slot.state == SLOT_LIVE ||
	       (obj->slot.state == SLOT_FREED && obj->slot.time >= freed_since);
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
	if (stay >= nr / 8 * 5)
		nr = (MIN_ENTRIES + stay / 2 * 3) & ~(size_t)1;
	return nr;
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
	new.nr_entries = next_size(o, stay);
	new.entries = new_entries(o->ctx, new.nr_entries);
	if (!new.entries)
		return false;
	most = new.nr_entries / 16 * 11;
	new.used = 0;
	new.cleaned = time;
	new.moves++;
	if (o->used > most && count_kept(o, freed_since) > most)
		freed_since = INT64_MAX;

	for (i = 0; i < o->nr_entries; i++) {
		if (!keep(&o->entries[i], freed_since))
			continue;
		*find(&new, o->entries[i].ptr) = o->entries[i];
		new.used++;
	}
	free_entries(o);
	*o = new;
	return true;
}

/* Return the object at @ptr, or NULL if there is none. */
struct object *objects_find(const struct objects *o, uint64_t ptr)
{
	struct object *obj;

	if (!o->nr_entries)
		return NULL;
	obj = find(o, ptr);
	return obj->ptr ? obj : NULL;
}

/* objects_get() of an object that isn't where the search begins. */
struct object *objects_look_up(struct objects *o, uint64_t ptr, int64_t time)
{
	struct object *obj;

	/* Only a new object may move others: a caller may hold a pointer to a known one. */
	if (o->used >= o->nr_entries / 4 * 3 && !objects_find(o, ptr) &&
	    !clean(o, time)) {
		o->scratch = (struct object) { .ptr = ptr };
		return &o->scratch;
	}
	obj = find(o, ptr);
	if (!obj->ptr) {
		obj->ptr = ptr;
		o->used++;
	}
	return obj;
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

/* ---- store and restore ---- */

/*
 * Return whether a table may have @nr entries, of which so many were used: no more than
 * objects_look_up() lets it have, and no fewer than justify its memory.
 */
static bool size_possible(uint64_t nr, uint64_t used)
{
	return used <= nr / 4 * 3 && nr % 2 == 0 && nr / 16 <= used + MIN_ENTRIES / 8;
}

/* Return whether objects_archive() can store the objects. */
bool objects_fit_archive(const struct objects *o)
{
	return size_possible(o->nr_entries, o->used);
}

/* Restore an object. Return whether it is live. */
static bool restore_object(struct objects *o, struct archive *a, const struct object *obj,
			   uint32_t nr_kinds)
{
	struct object *place;

	archive_expect(a, obj->ptr && slot_possible(&obj->slot, nr_kinds));
	if (a->is_damaged)
		return false;
	place = find(o, obj->ptr);
	archive_expect(a, !place->ptr);
	*place = *obj;
	return obj->slot.state == SLOT_LIVE;
}

/* Restore @used objects of a list into a table of @nr entries. Return how many are live. */
static size_t restore_objects(struct objects *o, struct archive *a, const struct object *list,
			      size_t used, size_t nr, uint32_t nr_kinds)
{
	size_t i, live = 0;

	o->entries = new_entries(o->ctx, nr);
	if (!o->entries) {
		o->entries = no_entries;
		return 0;
	}
	o->nr_entries = nr;
	o->used = used;
	for (i = 0; i < used; i++)
		live += restore_object(o, a, &list[i], nr_kinds);
	return live;
}

/* Copy all objects to a list. */
static void list_objects(const struct objects *o, struct object *list)
{
	size_t i;

	for (i = 0; i < o->nr_entries; i++)
		if (o->entries[i].ptr)
			*list++ = o->entries[i];
}

/* Store all objects, or restore them where there are none. Kinds have numbers below @nr_kinds. */
void objects_archive(struct objects *o, struct archive *a, uint32_t nr_kinds)
{
	const size_t used = archive_count(a, o->used, sizeof(*o->entries));
	const uint64_t nr = archive_number(a, o->nr_entries, SIZE_MAX / sizeof(*o->entries));
	struct object *list = context_calloc(a->ctx, used + 1, sizeof(*list));

	archive_value(a, &o->cleaned);
	archive_bool(a, &o->keep_freed);
	o->live = archive_number(a, o->live, used);
	archive_expect(a, list && size_possible(nr, used));
	if (!a->is_damaged && !a->reads)
		list_objects(o, list);
	if (!a->is_damaged)
		archive_rows(a, list, used, sizeof(*list));
	if (archive_goes_on(a) && nr)
		archive_expect(a, restore_objects(o, a, list, used, nr, nr_kinds) == o->live);
	free(list);
}

/* Make an empty set of objects. */
void objects_init(struct objects *o, struct context *ctx, uint64_t seed)
{
	*o = (struct objects) { .ctx = ctx, .seed = seed, .entries = no_entries };
}

/* Free all memory. */
void objects_free(struct objects *o)
{
	free_entries(o);
	objects_init(o, o->ctx, o->seed);
}
