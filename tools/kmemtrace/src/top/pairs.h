/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The live memory of each call site and cache, now, a second ago and at the mark.
 */
#ifndef KMEMTRACE_TOP_PAIRS_H
#define KMEMTRACE_TOP_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmemtrace.h"

/* A pair has one name for each of so many ways to group. */
#define PAIR_NAMES	8

/**
 * struct pair - allocations of one call site from one cache
 * @site: the call site
 * @cache: number of the cache for kmemtrace_get_cache()
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
	uint64_t site, cache;
	uint64_t live, objects, waste, allocs;
	uint64_t live_before, allocs_before, marked;
	int64_t oldest;
	uint32_t names[PAIR_NAMES];
};

/**
 * struct pairs - the pairs of one allocator, by site and cache; zeroed memory has none
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
