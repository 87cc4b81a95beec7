/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lifetimes, by the call sites of the allocation and the free.
 */
#ifndef KMEMTRACE_SPANS_H
#define KMEMTRACE_SPANS_H

#include <stdbool.h>

#include "report/report.h"

/* The steps of short lifetimes: less than a millisecond. */
#define SHORT_STEPS	4

/**
 * struct span - lifetimes with the same call sites, or groups of them
 * @site: call site of the allocations
 * @freed_by: call site of the frees; 0: any
 * @name: name of the group of @site; NULL: there is no group
 * @freed_by_name: name of the group of @freed_by
 * @allocs: allocations at @site, live ones included; 0 of pairs
 * @sum: sum of the lifetimes, without call sites
 */
struct span {
	uint64_t site, freed_by;
	char *name, *freed_by_name;
	uint64_t allocs;
	struct kmemtrace_lifetime sum;
};

/**
 * struct spans - the lifetimes of an allocator
 * @list: by call sites
 * @nr: entries of @list
 * @sum: sum of all call sites
 */
struct spans {
	struct span *list;
	size_t nr;
	struct kmemtrace_lifetime sum;
};

/* Returns a number of some lifetimes. */
typedef uint64_t span_number(const struct kmemtrace_lifetime *sum);

uint64_t span_ended_in(const struct kmemtrace_lifetime *sum, unsigned int steps);
uint64_t span_mean(const struct kmemtrace_lifetime *sum);
unsigned int span_median(const struct kmemtrace_lifetime *sum);

static inline uint64_t span_ended(const struct kmemtrace_lifetime *sum)
{
	return span_ended_in(sum, KMEMTRACE_LIFETIME_STEPS);
}

static inline uint64_t span_short(const struct kmemtrace_lifetime *sum)
{
	return span_ended_in(sum, SHORT_STEPS);
}

static inline uint64_t span_remote(const struct kmemtrace_lifetime *sum)
{
	return sum->remote;
}

void spans_collect(struct spans *s, const struct report *r, enum kmemtrace_space space,
		   bool in_pairs, span_number *number);
void spans_free(struct spans *s);
void print_span_site(const struct report *r, const struct span *span, FILE *out);
void print_span(const struct report *r, const struct span *span, FILE *out);

#endif /* KMEMTRACE_SPANS_H */
