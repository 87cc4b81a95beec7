/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lives, by the call sites at which they began and ended.
 */
#ifndef KMEMTRACE_SPANS_H
#define KMEMTRACE_SPANS_H

#include <stdbool.h>

#include "report/views.h"
#include "sums/lifetimes.h"

/* The steps of what lives but a moment, which is a millisecond. */
#define SHORT_STEPS	4

/**
 * struct span - lives that began, and ended, at the same call sites, or groups of them
 * @site: where they began
 * @freed_by: where they ended; 0 where all are one
 * @name: of the group of @site; NULL: it is shown as it is
 * @freed_by_name: of that of @freed_by
 * @allocs: allocations at @site, those that live included; 0 of pairs
 * @sum: of all of them; its kinds are of no meaning
 */
struct span {
	uint64_t site, freed_by;
	char *name, *freed_by_name;
	uint64_t allocs;
	struct lifetime sum;
};

/**
 * struct spans - those of one namespace
 * @list: of call sites
 * @nr: of @list
 * @sum: of all call sites
 */
struct spans {
	struct span *list;
	size_t nr;
	struct lifetime sum;
};

static inline uint64_t span_ended(const struct lifetime *sum)
{
	return lifetime_ended(sum, LIFETIME_STEPS);
}

static inline uint64_t span_short(const struct lifetime *sum)
{
	return lifetime_ended(sum, SHORT_STEPS);
}

static inline uint64_t span_remote(const struct lifetime *sum)
{
	return sum->remote;
}

void spans_collect(struct spans *s, const struct report *r, enum space space,
		   bool in_pairs, uint64_t (*number)(const struct lifetime *sum));
void spans_free(struct spans *s);
void print_span_site(const struct report *r, const struct span *span, FILE *out);
void print_span(const struct report *r, const struct span *span, FILE *out);
json_object *span_site_json(const struct report *r, const struct span *span);
json_object *span_json(const struct report *r, const struct span *span);

#endif /* KMEMTRACE_SPANS_H */
