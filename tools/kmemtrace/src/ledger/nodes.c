// SPDX-License-Identifier: GPL-2.0
/*
 * nodes.c - the NUMA node of memory: ranges of addresses; a machine has few
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ledger/nodes.h"

/* Ranges beyond that are ignored. */
#define MAX_RANGES	4096

/* Return how many ranges begin at @ptr or before. */
static size_t nr_before(const struct nodes *n, uint64_t ptr)
{
	size_t low = 0, high = n->nr;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (n->ranges[mid].first <= ptr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Join @range to the one before it if they are neighbours. Returns whether they are. */
static bool join_ranges(struct node_range *before, const struct node_range *range)
{
	if (before->node != range->node ||
	    (before->last < range->first && range->first - before->last > 1))
		return false;
	if (before->last < range->last)
		before->last = range->last;
	return true;
}

static void remove_range(struct nodes *n, size_t i)
{
	n->nr--;
	memmove(&n->ranges[i], &n->ranges[i + 1],
		(n->nr - i) * sizeof(*n->ranges));
}

static void insert_range(struct nodes *n, struct context *ctx, size_t i,
			 const struct node_range *range)
{
	size_t room = n->room ? 2 * n->room : 16;
	struct node_range *ranges;

	if (n->nr == n->room) {
		ranges = context_realloc(ctx, n->ranges, room, sizeof(*ranges));
		if (!ranges)
			return;
		n->ranges = ranges;
		n->room = room;
	}
	memmove(&n->ranges[i + 1], &n->ranges[i],
		(n->nr - i) * sizeof(*n->ranges));
	n->ranges[i] = *range;
	n->nr++;
}

/**
 * nodes_add - add a range of memory
 * @n: all ranges
 * @ctx: the context that receives an error
 * @range: the range; it is ignored if its node is impossible
 */
void nodes_add(struct nodes *n, struct context *ctx, const struct node_range *range)
{
	size_t i = nr_before(n, range->first);

	if (range->node < 0 || range->node >= MAX_NODES)
		return;
	n->are_many |= n->nr && n->ranges[0].node != range->node;
	if (i && join_ranges(&n->ranges[i - 1], range))
		i--;
	else if (n->nr < MAX_RANGES)
		insert_range(n, ctx, i, range);
	else
		return;
	while (i + 1 < n->nr && join_ranges(&n->ranges[i], &n->ranges[i + 1]))
		remove_range(n, i + 1);
}

/* Return the range of an address; if there is none, all that is between two ranges, on NO_NODE. */
struct node_range nodes_find(const struct nodes *n, uint64_t ptr)
{
	size_t i = nr_before(n, ptr);

	if (i && ptr <= n->ranges[i - 1].last)
		return n->ranges[i - 1];
	return (struct node_range) {
		.first = i ? n->ranges[i - 1].last + 1 : 0,
		.last = i < n->nr ? n->ranges[i].first - 1 : UINT64_MAX,
		.node = NO_NODE,
	};
}

/* Free all memory. */
void nodes_free(struct nodes *n)
{
	free(n->ranges);
	*n = (struct nodes) { 0 };
}
