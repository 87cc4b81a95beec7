// SPDX-License-Identifier: GPL-2.0
/*
 * The objects of one namespace: a hash with open addressing. Entries are never
 * removed one by one; when the table is full, those freed long ago go.
 */
#include "config.h"

#include <assert.h>
#include <stdbool.h>

#include "memory.h"
#include "objects.h"

#define MIN_SHIFT	15
/* So many freed ones are kept where asked for. */
#define MAX_FREED	((size_t)1 << 19)

static_assert(sizeof(struct object) == 32, "two in a cache line");

static struct object *find(const struct objects *o, uint64_t ptr)
{
	size_t i = hash_u64(ptr) >> (64 - o->shift);

	while (o->entries[i].ptr && o->entries[i].ptr != ptr)
		i = (i + 1) & (o->nr_entries - 1);
	return &o->entries[i];
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

/*
 * Make a new table, twice as large if objects that have to stay take half of this
 * one. The objects freed since the last time move as well, if they don't crowd it.
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
	new.shift = o->shift ? o->shift : MIN_SHIFT;
	while (stay >= (size_t)1 << (new.shift - 1))
		new.shift++;
	new.nr_entries = (size_t)1 << new.shift;
	new.entries = must_calloc(new.nr_entries, sizeof(*new.entries));
	if (count_kept(o, freed_since) > new.nr_entries / 8 * 5)
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

/* objects_get() of another object than the last one. */
struct object *objects_look_up(struct objects *o, uint64_t ptr, int64_t time)
{
	struct object *obj;

	if (o->used >= o->nr_entries / 4 * 3)
		clean(o, time);
	obj = find(o, ptr);
	if (!obj->ptr) {
		obj->ptr = ptr;
		o->used++;
	}
	o->last = obj;
	return obj;
}

/* Bring the entry of @ptr, which will be asked for soon, into the cache. */
void objects_prefetch(const struct objects *o, uint64_t ptr)
{
	if (o->nr_entries)
		__builtin_prefetch(&o->entries[hash_u64(ptr) >>
					       (64 - o->shift)], 1);
}

/* Give back all memory. */
void objects_free(struct objects *o)
{
	free(o->entries);
	*o = (struct objects) { 0 };
}
