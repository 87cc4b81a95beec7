/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The live memory of each call site and cache, and of who allocated it, now, a second ago and at
 * the mark.
 */
#ifndef KMEMTRACE_TOP_PAIRS_H
#define KMEMTRACE_TOP_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmemtrace.h"

/* A pair has one name for each of so many ways to group. */
#define PAIR_NAMES	8

/*
 * The second key of a pair: cache, task and cgroup. Numbers that are too large stand for unknown
 * ones.
 */
#define PAIR_CACHE_BITS		24
#define PAIR_TASK_BITS		24
#define PAIR_CGROUP_BITS	16

/**
 * struct pair - allocations of one call site from one cache, by one task, in one cgroup
 * @site: the call site
 * @second: the second key
 * @live: live bytes
 * @objects: live objects or pages
 * @waste: live bytes that nobody requested
 * @allocs: allocations
 * @live_before: @live at the last update
 * @allocs_before: @allocs at the last update
 * @marked: @live at the mark
 * @oldest: time of the oldest live allocation; INT64_MAX: none, or unknown
 * @names: for the user: zero when the pair is new
 */
struct pair {
	uint64_t site, second;
	uint64_t live, objects, waste, allocs;
	uint64_t live_before, allocs_before, marked;
	int64_t oldest;
	uint32_t names[PAIR_NAMES];
};

/* Return the number of the cache for kmemtrace_get_cache(). */
static inline uint32_t pair_cache(const struct pair *pair)
{
	return pair->second & ((1U << PAIR_CACHE_BITS) - 1);
}

/* Return the number of the task for kmemtrace_get_task(). */
static inline uint32_t pair_task(const struct pair *pair)
{
	return pair->second >> PAIR_CACHE_BITS & ((1U << PAIR_TASK_BITS) - 1);
}

/* Return the number of the cgroup for kmemtrace_get_cgroup(). */
static inline uint32_t pair_cgroup(const struct pair *pair)
{
	return pair->second >> (PAIR_CACHE_BITS + PAIR_TASK_BITS);
}

/**
 * struct pairs - the pairs of one allocator, by site and second key; zeroed memory has none
 * @list: the pairs
 * @nr: entries of @list
 */
struct pairs {
	struct pair *list;
	size_t nr;

	/* private: */
	size_t room;
};

int pairs_update(struct pairs *pairs, const struct kmemtrace_trace *trace,
		 enum kmemtrace_space space);
int pairs_find_oldest(struct pairs *pairs, const struct kmemtrace_trace *trace,
		      enum kmemtrace_space space);
void pairs_mark(struct pairs *pairs);
void pairs_free(struct pairs *pairs);

#endif /* KMEMTRACE_TOP_PAIRS_H */
