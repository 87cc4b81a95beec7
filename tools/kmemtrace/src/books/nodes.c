// SPDX-License-Identifier: GPL-2.0
/*
 * On which NUMA node memory lies: ranges of addresses, of which a machine has few.
 */
#include "config.h"

#include <string.h>

#include "books/nodes.h"
#include "common/memory.h"

/* What memory that is in more pieces is, nobody knows. */
#define MAX_RANGES	4096

/* How many ranges begin at @ptr or before? */
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

/* Let @range be a part of the one before it, if they are neighbours. */
static bool join(struct node_range *before, const struct node_range *range)
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

static void insert_range(struct nodes *n, size_t i, const struct node_range *range)
{
	if (n->nr == n->room) {
		n->room = n->room ? 2 * n->room : 16;
		n->ranges = must_realloc(n->ranges, n->room, sizeof(*n->ranges));
	}
	memmove(&n->ranges[i + 1], &n->ranges[i],
		(n->nr - i) * sizeof(*n->ranges));
	n->ranges[i] = *range;
	n->nr++;
}

/**
 * nodes_add - some memory is on a node
 * @n: what is known already
 * @range: the memory, in one piece; of a node that can't be, nothing is learnt
 */
void nodes_add(struct nodes *n, const struct node_range *range)
{
	size_t i = nr_before(n, range->first);

	if (range->node < 0 || range->node >= MAX_NODES)
		return;
	n->are_many |= n->nr && n->ranges[0].node != range->node;
	if (i && join(&n->ranges[i - 1], range))
		i--;
	else if (n->nr < MAX_RANGES)
		insert_range(n, i, range);
	else
		return;
	while (i + 1 < n->nr && join(&n->ranges[i], &n->ranges[i + 1]))
		remove_range(n, i + 1);
}

/* A range with an address in it; on NO_NODE, and of nothing else, where none is known. */
struct node_range nodes_find(const struct nodes *n, uint64_t ptr)
{
	size_t i = nr_before(n, ptr);

	if (i && ptr <= n->ranges[i - 1].last)
		return n->ranges[i - 1];
	return (struct node_range) { .first = ptr, .last = ptr, .node = NO_NODE };
}

/* Give back all memory. */
void nodes_free(struct nodes *n)
{
	free(n->ranges);
	*n = (struct nodes) { 0 };
}
