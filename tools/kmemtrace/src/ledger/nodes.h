/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The NUMA node of memory, from the snapshot.
 */
#ifndef KMEMTRACE_NODES_H
#define KMEMTRACE_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/abi.h"
#include "common/context.h"

/* No node. */
#define NO_NODE		(-1)

/**
 * struct node_range - neighbouring addresses on one node
 * @first: the lowest
 * @last: the highest
 * @node: the node
 */
struct node_range {
	uint64_t first, last;
	int node;
};

static inline bool node_range_has(const struct node_range *range, uint64_t ptr)
{
	return ptr - range->first <= range->last - range->first;
}

/**
 * struct nodes - all ranges; zeroed memory has none
 * @ranges: by @first
 * @nr: number of @ranges
 * @are_many: they are on more than one node
 */
struct nodes {
	struct node_range *ranges;
	size_t nr;
	bool are_many;

	/* private: */
	size_t room;
};

void nodes_add(struct nodes *n, struct context *ctx, const struct node_range *range);
struct node_range nodes_find(const struct nodes *n, uint64_t ptr);
void nodes_free(struct nodes *n);

/**
 * node_key - make the key under which an allocation is counted
 * @asked: the node that it requested, or NO_NODE
 * @cpu: its CPU
 * @node: the node of the memory, or NO_NODE
 *
 * Return: the key.
 */
static inline uint64_t node_key(int asked, unsigned int cpu, int node)
{
	return (uint64_t)(asked + 1) << 32 | (uint64_t)cpu << 16 |
	       (uint64_t)(node + 1);
}

static inline int node_key_asked(uint64_t key)
{
	return (int)(key >> 32) - 1;
}

static inline unsigned int node_key_cpu(uint64_t key)
{
	return key >> 16 & 0xffff;
}

static inline int node_key_node(uint64_t key)
{
	return (int)(key & 0xffff) - 1;
}

#endif /* KMEMTRACE_NODES_H */
