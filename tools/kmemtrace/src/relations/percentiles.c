// SPDX-License-Identifier: GPL-2.0
/*
 * percentiles.c - percentiles of the sizes of allocations
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "api/api-lists.h"
#include "ledger/total.h"
#include "common/number.h"
#include "relations/columns.h"

static const unsigned int percents[] = { 50, 90, 99, 100 };

#define NR_PERCENTS	(sizeof(percents) / sizeof(*percents))

/**
 * struct percentile_row - sizes of an allocator
 * @space: the allocator
 * @allocs: allocations whose size is known; @req_allocs: whose requested size is known
 * @bytes: by @percents: this percentage of @allocs got no more
 * @req: this percentage of @req_allocs requested no more
 */
struct percentile_row {
	int space;
	uint64_t allocs, req_allocs;
	uint64_t bytes[NR_PERCENTS], req[NR_PERCENTS];
};

/**
 * struct size - allocations of one size
 * @bytes: the size
 * @allocs: how many
 */
struct size {
	uint64_t bytes, allocs;
};

static int by_size(const void *a, const void *b)
{
	return compare_u64(((const struct size *)a)->bytes, ((const struct size *)b)->bytes);
}

/* The most bytes that may have been requested: no more than was allocated, but in a finding. */
static uint64_t requested(const struct kmemtrace_kind *kind)
{
	return kind->bytes_alloc >= kind->min_req && kind->bytes_alloc < kind->max_req ?
	       kind->bytes_alloc : kind->max_req;
}

/* Set percentiles from @nr sizes. Return the allocations. */
static uint64_t set_percentiles(uint64_t *to, struct size *list, size_t nr)
{
	uint64_t all = 0, smaller = 0;
	size_t i, j = 0;

	if (nr)
		qsort(list, nr, sizeof(*list), by_size);
	for (i = 0; i < nr; i++)
		all += list[i].allocs;
	for (i = 0; i < nr; i++) {
		smaller += list[i].allocs;
		for (; j < NR_PERCENTS && smaller && 100 * smaller >= percents[j] * all; j++)
			to[j] = list[i].bytes;
	}
	return all;
}

static void set_row(struct percentile_row *row, const struct ledger *l, struct size *sizes,
		    struct size *reqs)
{
	size_t nr_sizes = 0, nr_reqs = 0;
	uint64_t allocs;
	uint32_t i;

	for (i = 0; i < l->kinds.nr; i++) {
		const struct kmemtrace_kind kind = api_kind(l, i);

		if (kind.is_free || kind.is_hidden || kind.space != row->space)
			continue;
		allocs = total_row(l, i).allocs;
		if (kind.bytes_alloc)
			sizes[nr_sizes++] = (struct size) { kind.bytes_alloc, allocs };
		if (requested(&kind))
			reqs[nr_reqs++] = (struct size) { requested(&kind), allocs };
	}
	row->allocs = set_percentiles(row->bytes, sizes, nr_sizes);
	row->req_allocs = set_percentiles(row->req, reqs, nr_reqs);
}

static int fill_percentiles(struct kmemtrace_relation *r)
{
	const struct ledger *l = &r->trace->t.ledger;
	struct size *sizes = calloc(l->kinds.nr + 1, sizeof(*sizes));
	struct size *reqs = calloc(l->kinds.nr + 1, sizeof(*reqs));
	struct percentile_row row;
	int space, ret = sizes && reqs ? 0 : -ENOMEM;

	for (space = 0; !ret && space < NR_SPACES; space++) {
		row = (struct percentile_row) { .space = space };
		set_row(&row, l, sizes, reqs);
		ret = relation_add(r, &row);
	}
	free(sizes);
	free(reqs);
	return ret;
}

static bool get_percentile_size(const struct kmemtrace_relation *r, const void *row,
				unsigned int percent, struct kmemtrace_field *value)
{
	(void)r;
	value->number = ((const struct percentile_row *)row)->bytes[percent];
	return ((const struct percentile_row *)row)->allocs;
}

static bool get_req(const struct kmemtrace_relation *r, const void *row, unsigned int percent,
		    struct kmemtrace_field *value)
{
	(void)r;
	value->number = ((const struct percentile_row *)row)->req[percent];
	return ((const struct percentile_row *)row)->req_allocs;
}

#define PERCENTILE(n, h, getter, i, text)					\
	{ .name = n, .heading = h, .type = KMEMTRACE_NUMBER, .unit = KMEMTRACE_BYTES,	\
	  .get = getter, .arg = i, MAYBE, .help = text }

static const struct column percentile_columns[] = {
	ALLOCATOR(struct percentile_row),
	COLUMN("req_allocs", "allocations", NUMBER, COUNT, MEMBER(struct percentile_row, req_allocs),
	       "allocations whose requested size is known"),
	PERCENTILE("bytes_req_p50", "50%", get_req, 0, "half of them requested no more bytes"),
	PERCENTILE("bytes_req_p90", "90%", get_req, 1, "90 percent of them requested no more"),
	PERCENTILE("bytes_req_p99", "99%", get_req, 2, "99 percent of them requested no more"),
	PERCENTILE("bytes_req_max", "all", get_req, 3, "none of them requested more"),
	COLUMN("allocs", "allocations", NUMBER, COUNT, MEMBER(struct percentile_row, allocs),
	       "allocations whose allocated size is known"),
	PERCENTILE("bytes_p50", "50%", get_percentile_size, 0, "half of them got no more bytes"),
	PERCENTILE("bytes_p90", "90%", get_percentile_size, 1, "90 percent of them got no more"),
	PERCENTILE("bytes_p99", "99%", get_percentile_size, 2, "99 percent of them got no more"),
	PERCENTILE("bytes_max", "all", get_percentile_size, 3, "none of them got more"),
};

static const struct relation list[] = {
	LIST(INFO("percentiles", "Percentiles of the sizes of allocations."),
	     percentile_columns, struct percentile_row, fill_percentiles, NULL),
};

RELATIONS(percentile_relations, list);
