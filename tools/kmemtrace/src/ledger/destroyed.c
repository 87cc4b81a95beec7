// SPDX-License-Identifier: GPL-2.0
/*
 * destroyed.c - slab caches that are destroyed with live objects
 *
 * A cache is destroyed once. So each kind is examined once, in the list of its cache.
 */
#include "config.h"

#include <stdlib.h>

#include "ledger/total.h"
#include "ledger/destroyed.h"

/* Entries that the search for an oldest object may visit: some, and more with each event. */
#define FREE_VISITS		(UINT64_C(1) << 24)
#define VISITS_PER_EVENT	8

/*
 * Make room for @nr numbers and as many again, so that a list which grows by one often is
 * copied rarely. Returns false without memory.
 */
static bool make_room_for(struct ledger *l, uint32_t **list, uint32_t *room, uint32_t nr)
{
	uint32_t *more;

	if (nr <= *room)
		return true;
	more = context_realloc(l->ctx, *list, 2 * (size_t)nr, sizeof(*more));
	if (!more)
		return false;
	*list = more;
	*room = 2 * nr;
	return true;
}

/* Make room for all caches and kinds. Returns false without memory. */
static bool make_room_for_cache_kinds(struct ledger *l)
{
	struct cache_kinds *k = &l->cache_kinds;

	if (!make_room_for(l, &k->first, &k->room, l->caches.nr) ||
	    !make_room_for(l, &k->next, &k->room_kinds, l->kinds.nr))
		return false;
	for (; k->nr < l->caches.nr; k->nr++)
		k->first[k->nr] = NO_KIND;
	return true;
}

/* Add the new kinds to the lists of their caches. Returns false without memory. */
static bool list_new_kinds(struct ledger *l)
{
	struct cache_kinds *k = &l->cache_kinds;

	if (k->nr == l->caches.nr && k->nr_kinds == l->kinds.nr)
		return true;
	if (!make_room_for_cache_kinds(l))
		return false;
	for (; k->nr_kinds < l->kinds.nr; k->nr_kinds++) {
		const struct kind *kind = kinds_get(&l->kinds, k->nr_kinds);
		uint32_t cache = class_cache(kind->class);

		if (kind_is_free(kind) || cache >= k->nr)
			continue;
		k->next[k->nr_kinds] = k->first[cache];
		k->first[cache] = k->nr_kinds;
	}
	return true;
}

/* Return whether objects of a cache are live. */
bool destroyed_in_use(struct ledger *l, uint32_t cache)
{
	uint32_t kind;

	if (!list_new_kinds(l))
		return false;
	for (kind = l->cache_kinds.first[cache]; kind != NO_KIND;
	     kind = l->cache_kinds.next[kind])
		if (total_live(l, kind).live)
			return true;
	return false;
}

static bool is_older(const struct object *a, const struct object *b)
{
	return a->slot.time < b->slot.time ||
	       (a->slot.time == b->slot.time && a->ptr < b->ptr);
}

/* Return whether the limit allows to visit all objects. If so, count the visits. */
static bool may_visit(struct ledger *l)
{
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < NR_SHARDS; i++)
		nr += l->shards[i].objects[SPACE_SLAB].nr_entries;
	if (l->objects_visited + nr > FREE_VISITS + VISITS_PER_EVENT * (uint64_t)l->events)
		return false;
	l->objects_visited += nr;
	return true;
}

/**
 * destroyed_oldest - find the oldest live object of a cache
 * @l: the ledger
 * @cache: index of the cache
 *
 * Return: the object; NULL if there is none, or such searches took too long before.
 */
const struct object *destroyed_oldest(struct ledger *l, uint32_t cache)
{
	const struct object *obj, *oldest = NULL;
	size_t i, n;

	for (i = 0; i < NR_SHARDS && (i || may_visit(l)); i++) {
		obj = l->shards[i].objects[SPACE_SLAB].entries;
		n = l->shards[i].objects[SPACE_SLAB].nr_entries;
		for (; n--; obj++)
			if (obj->ptr && obj->slot.state == SLOT_LIVE &&
			    class_cache(kinds_get(&l->kinds,
						  obj->slot.kind)->class) == cache &&
			    (!oldest || is_older(obj, oldest)))
				oldest = obj;
	}
	return oldest;
}

/* Free all memory. */
void cache_kinds_free(struct cache_kinds *k)
{
	free(k->first);
	free(k->next);
	*k = (struct cache_kinds) { .nr = 0 };
}
