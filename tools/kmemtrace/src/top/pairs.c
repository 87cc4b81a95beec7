// SPDX-License-Identifier: GPL-2.0
/*
 * pairs.c - the live memory of each call site and cache, and of who allocated it
 *
 * The sums come from the library, sorted by key. Pairs are sorted alike, so that each update
 * goes through both lists once.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "top/pairs.h"

/* Return a number of so many bits; 0 if it has more. */
static uint64_t limit(uint32_t number, unsigned int bits)
{
	return number >> bits ? 0 : number;
}

static uint64_t second_key(const struct kmemtrace_kind *kind)
{
	return limit(kind->cache, PAIR_CACHE_BITS) |
	       limit(kind->task, PAIR_TASK_BITS) << PAIR_CACHE_BITS |
	       limit(kind->cgroup, PAIR_CGROUP_BITS) << (PAIR_CACHE_BITS + PAIR_TASK_BITS);
}

static bool keys_of(void *arg, const struct kmemtrace_kind *kind, uint64_t keys[2])
{
	(void)arg;
	keys[0] = kind->call_site;
	keys[1] = second_key(kind);
	return true;
}

static int compare(const struct pair *pair, uint64_t site, uint64_t second)
{
	if (pair->site != site)
		return pair->site > site ? 1 : -1;
	return (pair->second > second) - (pair->second < second);
}

/* Insert an empty pair at @at. Return 0 or -ENOMEM. */
static int insert(struct pairs *pairs, size_t at, uint64_t site, uint64_t second)
{
	size_t room = pairs->room ? 2 * pairs->room : 256;
	struct pair *list;

	if (pairs->nr == pairs->room) {
		list = reallocarray(pairs->list, room, sizeof(*list));
		if (!list)
			return -ENOMEM;
		pairs->list = list;
		pairs->room = room;
	}
	list = pairs->list + at;
	memmove(list + 1, list, (pairs->nr - at) * sizeof(*list));
	*list = (struct pair) { .site = site, .second = second, .oldest = INT64_MAX };
	pairs->nr++;
	return 0;
}

static void set(struct pair *pair, const struct kmemtrace_row *row)
{
	pair->live = row->live_bytes_alloc;
	pair->objects = row->live;
	pair->waste = row->live_bytes_alloc > row->live_bytes_req ?
		      row->live_bytes_alloc - row->live_bytes_req : 0;
	pair->allocs = row->allocs;
	if (!pair->live)
		pair->oldest = INT64_MAX;
}

static void begin_update(struct pairs *pairs)
{
	size_t i;

	for (i = 0; i < pairs->nr; i++) {
		struct pair *pair = &pairs->list[i];

		pair->live_before = pair->live;
		pair->allocs_before = pair->allocs;
		pair->live = 0;
		pair->objects = 0;
		pair->waste = 0;
	}
}

/**
 * pairs_update - take over the sums of an allocator
 * @pairs: its pairs
 * @trace: the trace, after kmemtrace_update()
 * @space: the allocator
 *
 * Return: 0 or -errno.
 */
int pairs_update(struct pairs *pairs, const struct kmemtrace_trace *trace,
		 enum kmemtrace_space space)
{
	const struct kmemtrace_grouping grouping = {
		.size = sizeof(grouping), .keys = keys_of,
	};
	const struct kmemtrace_row *row;
	struct kmemtrace_rows *rows;
	size_t i, at = 0;
	int ret = kmemtrace_group(trace, space, &grouping, KMEMTRACE_KEYS, &rows);

	if (ret)
		return ret;
	begin_update(pairs);
	for (i = 0; !ret && (row = kmemtrace_rows_get(rows, i)); i++) {
		while (at < pairs->nr &&
		       compare(&pairs->list[at], row->key, row->second_key) < 0)
			at++;
		if (at == pairs->nr || compare(&pairs->list[at], row->key, row->second_key))
			ret = insert(pairs, at, row->key, row->second_key);
		if (!ret)
			set(&pairs->list[at], row);
	}
	kmemtrace_rows_close(rows);
	return ret;
}

static struct pair *find(const struct pairs *pairs, uint64_t site, uint64_t second)
{
	size_t low = 0, high = pairs->nr, mid;
	int order;

	while (low < high) {
		mid = low + (high - low) / 2;
		order = compare(&pairs->list[mid], site, second);
		if (!order)
			return &pairs->list[mid];
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static int take_oldest(void *arg, const struct kmemtrace_kind *kind, int64_t time)
{
	struct pair *pair = find(arg, kind->call_site, second_key(kind));

	if (pair && time < pair->oldest)
		pair->oldest = time;
	return 0;
}

/**
 * pairs_find_oldest - find the oldest live allocation of each pair
 * @pairs: after pairs_update()
 * @trace: the trace
 * @space: the allocator of the pairs
 *
 * Return: 0 or -errno.
 */
int pairs_find_oldest(struct pairs *pairs, const struct kmemtrace_trace *trace,
		      enum kmemtrace_space space)
{
	size_t i;

	for (i = 0; i < pairs->nr; i++)
		pairs->list[i].oldest = INT64_MAX;
	return kmemtrace_each_oldest(trace, space, take_oldest, pairs);
}

/* Let changes count from now on. */
void pairs_mark(struct pairs *pairs)
{
	size_t i;

	for (i = 0; i < pairs->nr; i++)
		pairs->list[i].marked = pairs->list[i].live;
}

void pairs_free(struct pairs *pairs)
{
	free(pairs->list);
	*pairs = (struct pairs) { .nr = 0 };
}
