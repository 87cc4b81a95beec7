/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cells: memory of one kind that was allocated in one step of the time and freed in another.
 * The figures of any range of steps are sums of cells.
 */
#ifndef KMEMTRACE_CELLS_H
#define KMEMTRACE_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/context.h"

/* Maximum number of steps; they get longer as the trace does. */
#define CELLS_STEPS	128
/* The step of a free that is not in the trace. */
#define CELLS_NEVER	UINT8_MAX

/**
 * struct cell - memory of one kind that was allocated in one step and freed in another
 * @key: cell_key()
 * @nr: objects, or single pages
 * @req: bytes requested by them
 * @calls: frees of them; of a cell that never ends, all allocations in its step
 *
 * In the hash, a cell that never ends has all memory that was allocated in its step.
 */
struct cell {
	uint64_t key;
	uint64_t nr, req, calls;
};

static inline uint64_t cell_key(uint32_t kind, unsigned int born, unsigned int ended)
{
	return (uint64_t)kind << 16 | born << 8 | ended;
}

static inline uint32_t cell_kind(const struct cell *cell)
{
	return cell->key >> 16;
}

/* Return the step of the allocations. */
static inline unsigned int cell_born(const struct cell *cell)
{
	return cell->key >> 8 & UINT8_MAX;
}

/* Return the step of the frees, or CELLS_NEVER. */
static inline unsigned int cell_ended(const struct cell *cell)
{
	return cell->key & UINT8_MAX;
}

/* The time of a free that did not happen yet. */
#define CELLS_LIVE	INT64_MAX

/* Return the time of a free as the end of a cell. Damaged traces have any time. */
static inline int64_t cells_end_time(int64_t time)
{
	return time == CELLS_LIVE ? CELLS_LIVE - 1 : time;
}

/**
 * struct cell_count - what to add to a cell
 * @kind: its kind
 * @born: time of the allocations
 * @ended: time of the frees, or CELLS_LIVE
 * @cell: the counters; the key is ignored
 */
struct cell_count {
	uint32_t kind;
	int64_t born, ended;
	struct cell cell;
};

/**
 * struct cells - cells by key; zeroed memory counts nothing
 * @begin: time at which the first step begins
 * @shift: a step has 2^@shift nanoseconds
 * @nr: how many cells
 * @list: after cells_end(), the cells in the order of their keys; before, see cells_list()
 */
struct cells {
	int64_t begin;
	unsigned int shift;
	size_t nr;
	struct cell *list;

	/* private: until cells_end(), @list is a hash with open addressing and 2^bits entries */
	struct context *ctx;
	size_t max;
	uint32_t kinds;
	unsigned int bits;
	uint64_t seed;
};

int cells_init(struct cells *c, struct context *ctx, int64_t begin, size_t max);
void cells_count(struct cells *c, const struct cell_count *count);
int cells_list(const struct cells *c, struct cell **list, size_t *nr);
int cells_end(struct cells *c);
void cells_free(struct cells *c);

#endif /* KMEMTRACE_CELLS_H */
