// SPDX-License-Identifier: GPL-2.0
/*
 * The objects of one namespace: a hash with open addressing. Entries are never
 * removed one by one; when the table is full, those freed long ago go.
 */
#include "config.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "books/objects.h"
#include "common/limit.h"
#include "common/memory.h"

/*
 * A table has room for so many, and for half as many again as live; the first ones have
 * less, since in some namespaces little happens.
 */
#define MIN_ENTRIES	LIMIT(32768, 1024)
#define FIRST_ENTRIES	(MIN_ENTRIES / 64)
#define LINE		64
#define HUGE_PAGE	((size_t)2 << 20)
/* So many freed ones are kept where asked for. */
#define MAX_FREED	LIMIT((size_t)1 << 16, 16)

static_assert(sizeof(struct object) == 32, "two in a cache line");

static struct object *find(const struct objects *o, uint64_t ptr)
{
	struct object *obj = objects_home(o, ptr);

	while (obj->ptr && obj->ptr != ptr)
		if (++obj == o->entries + o->nr_entries)
			obj = o->entries;
	return obj;
}

/*
 * Aligned, so that each pair of entries is in one line of the processor's cache. Large
 * pages save it most of the work of finding them.
 */
static struct object *new_entries(size_t nr)
{
	size_t bytes = nr * sizeof(struct object);
	void *entries;

	if (posix_memalign(&entries, bytes < HUGE_PAGE ? LINE : HUGE_PAGE, bytes))
		out_of_memory();
	madvise(entries, bytes & -HUGE_PAGE, MADV_HUGEPAGE);
	return memset(entries, 0, bytes);
}

static bool keep(const struct object *obj, int64_t freed_since)
{
	if (!obj->ptr)
		return false;
	return obj->slot.state == SLOT_LIVE ||
	       (obj->slot.state == SLOT_FREED && obj->slot.time >= freed_since);
}

/* How many entries would stay? */
static size_t count_kept(const struct objects *o, int64_t freed_since)
{
	size_t i, kept = 0;

	for (i = 0; i < o->nr_entries; i++)
		kept += keep(&o->entries[i], freed_since);
	return kept;
}

/* Entries of the next table, where so many objects stay. */
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
 * The objects freed since the last time move as well, if they don't crowd it.
 */
static void clean(struct objects *o, int64_t time)
{
	struct objects new = {
		.live = o->live,
		.keep_freed = o->keep_freed,
		.cleaned = time,
	};
	int64_t freed_since = o->cleaned;
	size_t i, stay = o->live;

	if (o->keep_freed) {
		size_t all = count_kept(o, INT64_MIN);

		if (all - o->live <= MAX_FREED) {
			stay = all;
			freed_since = INT64_MIN;
		}
	}
	new.nr_entries = next_size(o, stay);
	new.entries = new_entries(new.nr_entries);
	if (count_kept(o, freed_since) > new.nr_entries / 16 * 11)
		freed_since = INT64_MAX;

	for (i = 0; i < o->nr_entries; i++) {
		if (!keep(&o->entries[i], freed_since))
			continue;
		*find(&new, o->entries[i].ptr) = o->entries[i];
		new.used++;
	}
	free(o->entries);
	*o = new;
}

/* The object at @ptr, or NULL if there is none. */
struct object *objects_find(const struct objects *o, uint64_t ptr)
{
	struct object *obj;

	if (!o->nr_entries)
		return NULL;
	obj = find(o, ptr);
	return obj->ptr ? obj : NULL;
}

/* objects_get() of one that isn't where the search begins. */
struct object *objects_look_up(struct objects *o, uint64_t ptr, int64_t time)
{
	struct object *obj;

	/* Nobody may have seen an object that is moved. */
	if (o->used >= o->nr_entries / 4 * 3 && !objects_find(o, ptr))
		clean(o, time);
	obj = find(o, ptr);
	if (!obj->ptr) {
		obj->ptr = ptr;
		o->used++;
	}
	return obj;
}

/**
 * objects_each - go through all that is known, in no order
 * @o: the objects
 * @each: is given each object, live or not, and @arg
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

/* Give back all memory. */
void objects_free(struct objects *o)
{
	free(o->entries);
	*o = (struct objects) { 0 };
}
