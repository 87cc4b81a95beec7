// SPDX-License-Identifier: GPL-2.0
/*
 * spans.c - lifetimes of memory that was allocated and freed in the trace
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/api-lists.h"
#include "books/books.h"
#include "relations/columns.h"
#include "relations/spans.h"

/* The steps of short lifetimes: less than a millisecond. */
#define SHORT_STEPS	4

/**
 * struct span_row - lifetimes with the same call sites
 * @space: the allocator
 * @site: call site of the allocations
 * @free_site: call site of the frees
 * @allocs: allocations there, those of live memory included
 * @sum: the lifetimes
 */
struct span_row {
	int space;
	uint64_t site, free_site;
	uint64_t allocs;
	struct kmemtrace_lifetime sum;
};

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_sites(const void *a, const void *b)
{
	const struct span_row *x = a, *y = b;

	return x->space - y->space ?: compare_u64(x->site, y->site) ?:
	       compare_u64(x->free_site, y->free_site);
}

static uint64_t ended_in(const struct span_row *row, unsigned int steps)
{
	uint64_t nr = 0;

	while (steps--)
		nr += row->sum.ended[steps];
	return nr;
}

static uint64_t ended(const struct span_row *row)
{
	return ended_in(row, KMEMTRACE_LIFETIME_STEPS);
}

/* Those with most frees first. */
static int compare_spans(const void *a, const void *b)
{
	return compare_u64(ended(b), ended(a)) ?: by_sites(a, b);
}

static void add_lifetimes(struct kmemtrace_lifetime *sum, const struct kmemtrace_lifetime *l)
{
	unsigned int i;

	for (i = 0; i < KMEMTRACE_LIFETIME_STEPS; i++)
		sum->ended[i] += l->ended[i];
	sum->ns += l->ns;
	sum->ns_high += l->ns_high + (sum->ns < l->ns);
	sum->bytes += l->bytes;
	sum->remote += l->remote;
}

/* ---- rows ---- */

/**
 * struct collecting - the argument of the function below
 * @r: the relation
 * @has_site: rows differ in the call site of the allocation
 * @has_free_site: rows differ in that of the free
 */
struct collecting {
	struct kmemtrace_relation *r;
	bool has_site, has_free_site;
};

static int add_lifetime(void *arg, const struct kmemtrace_lifetime *lifetime)
{
	const struct collecting *c = arg;
	struct span_row *row = relation_add(c->r);

	if (!row)
		return -ENOMEM;
	*row = (struct span_row) {
		.space = lifetime->space,
		.site = c->has_site ? lifetime->alloc_site : 0,
		.free_site = c->has_free_site ? lifetime->free_site : 0,
		.sum = *lifetime,
	};
	return 0;
}

static void merge(struct kmemtrace_relation *r)
{
	struct span_row *rows = (struct span_row *)r->rows;
	size_t i, nr = 0;

	if (r->nr)
		qsort(rows, r->nr, sizeof(*rows), by_sites);
	for (i = 0; i < r->nr; i++) {
		if (nr && !by_sites(&rows[nr - 1], &rows[i]))
			add_lifetimes(&rows[nr - 1].sum, &rows[i].sum);
		else
			rows[nr++] = rows[i];
	}
	r->nr = nr;
}

/* Set the allocations of each row, those of memory that was never freed included. */
static void set_allocs(struct kmemtrace_relation *r, bool has_site)
{
	const struct ledger *l = &r->trace->t.ledger;
	struct span_row key = { .space = 0 }, *row;
	uint32_t i;

	for (i = 0; i < l->kinds.nr; i++) {
		const struct kmemtrace_kind kind = api_kind(l, i);

		if (kind.is_free || kind.is_hidden)
			continue;
		key.space = kind.space;
		key.site = has_site ? kind.call_site : 0;
		row = r->nr ? bsearch(&key, r->rows, r->nr, sizeof(key), by_sites) : NULL;
		if (row)
			row->allocs += books_row(l, i).allocs;
	}
}

static int collect(struct kmemtrace_relation *r, bool has_site, bool has_free_site)
{
	struct collecting c = { r, has_site, has_free_site };
	int space, ret = 0;

	for (space = 0; !ret && space < NR_SPACES; space++)
		ret = kmemtrace_each_lifetime(r->trace, space, add_lifetime, &c);
	if (ret)
		return ret;
	merge(r);
	if (!has_free_site)
		set_allocs(r, has_site);
	return 0;
}

static int fill_totals(struct kmemtrace_relation *r)
{
	return collect(r, false, false);
}

static int fill_lifetimes(struct kmemtrace_relation *r)
{
	return collect(r, true, false);
}

static int fill_pairs(struct kmemtrace_relation *r)
{
	return collect(r, true, true);
}

/* ---- values ---- */

static bool get_ended(const struct kmemtrace_relation *r, const void *row, unsigned int steps,
		      struct kmemtrace_value *value)
{
	(void)r;
	value->number = ended_in(row, steps);
	return true;
}

/* Return the mean in nanoseconds; 0 of none. */
static uint64_t mean_of(const struct span_row *row)
{
	uint64_t nr = ended(row), high = row->sum.ns_high, low = row->sum.ns, mean = 0;
	int bit;

	/* A long division: 32-bit machines have no 128-bit numbers. */
	for (bit = 63; nr && bit >= 0; bit--) {
		bool over = high >> 63;

		high = high << 1 | low >> 63;
		low <<= 1;
		mean <<= 1;
		if (over || high >= nr) {
			high -= nr;
			mean |= 1;
		}
	}
	return mean;
}

static bool get_mean(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
		     struct kmemtrace_value *value)
{
	(void)r;
	(void)arg;
	value->number = mean_of(row);
	return true;
}

/* Sets the end of the step of the median. */
static bool get_median(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
		       struct kmemtrace_value *value)
{
	const uint64_t nr = ended(row);
	unsigned int step = 0;

	(void)r;
	(void)arg;
	value->number = 1000;
	while (step + 1 < KMEMTRACE_LIFETIME_STEPS && ended_in(row, step + 1) < nr - nr / 2) {
		value->number *= 10;
		step++;
	}
	return nr && step + 1 < KMEMTRACE_LIFETIME_STEPS;
}

/* ---- columns ---- */

#define ENDED(n, h, steps, text)						\
	{ .name = n, .heading = h, .type = KMEMTRACE_NUMBER, .unit = KMEMTRACE_COUNT,	\
	  .get = get_ended, .arg = steps, .help = text }

#define SPAN_COLUMNS								\
	ENDED("ended", "ended", KMEMTRACE_LIFETIME_STEPS, "lifetimes that ended with a free"),	\
	COLUMN("freed_bytes", "all bytes", NUMBER, BYTES, MEMBER(struct span_row, sum.bytes),	\
	       "bytes that they freed"),					\
	{ .name = "mean_ns", .heading = "mean", .type = KMEMTRACE_NUMBER, .unit = KMEMTRACE_NS,	\
	  .get = get_mean, .help = "mean of the lifetimes" },			\
	{ .name = "median_below_ns", .heading = "median", .type = KMEMTRACE_NUMBER,	\
	  .unit = KMEMTRACE_NS, .get = get_median, MAYBE,			\
	  .help = "half of the lifetimes are shorter; none: than a second and more" },	\
	COLUMN("remote_frees", "remote", NUMBER, COUNT, MEMBER(struct span_row, sum.remote),	\
	       "lifetimes that ended on another CPU than they began"),		\
	ENDED("ended_in_1us", "<1us", 1, "lifetimes of less than 1 us"),	\
	ENDED("ended_in_10us", "<10us", 2, "lifetimes of less than 10 us"),	\
	ENDED("ended_in_100us", "<100us", 3, "lifetimes of less than 100 us"),	\
	ENDED("ended_in_1ms", "<1ms", SHORT_STEPS, "lifetimes of less than 1 ms"),	\
	ENDED("ended_in_10ms", "<10ms", 5, "lifetimes of less than 10 ms"),	\
	ENDED("ended_in_100ms", "<100ms", 6, "lifetimes of less than 100 ms"),	\
	ENDED("ended_in_1s", "<1s", 7, "lifetimes of less than 1 s")

#define ALLOCS									\
	COLUMN("allocs", "allocations", NUMBER, COUNT, MEMBER(struct span_row, allocs),	\
	       "allocations, those of memory that was not freed included")

static const struct column total_columns[] = {
	ALLOCATOR(struct span_row), ALLOCS, SPAN_COLUMNS,
};

static const struct column lifetime_columns[] = {
	ALLOCATOR(struct span_row),
	SITE("", struct span_row, site, "of the allocations", KEY),
	ALLOCS, SPAN_COLUMNS,
};

static const struct column pair_columns[] = {
	ALLOCATOR(struct span_row),
	SITE("", struct span_row, site, "of the allocations", KEY),
	SITE("freed_", struct span_row, free_site, "of the frees", KEY),
	SPAN_COLUMNS,
};

const struct relation span_relations[] = {
	LIST(INFO("lifetime_totals", "Lifetimes of memory that was freed in the trace."),
	     total_columns, struct span_row, fill_totals, compare_spans),
	LIST(INFO("lifetimes", "Lifetimes by the call site of the allocation."),
	     lifetime_columns, struct span_row, fill_lifetimes, compare_spans),
	LIST(INFO("churn", "Lifetimes by the call sites of the allocation and the free."),
	     pair_columns, struct span_row, fill_pairs, compare_spans),
};

const size_t nr_span_relations = sizeof(span_relations) / sizeof(*span_relations);
