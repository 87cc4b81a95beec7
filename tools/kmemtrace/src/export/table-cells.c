// SPDX-License-Identifier: GPL-2.0
/*
 * Table: lives by call site, by the step of time in which they began and in which they ended.
 *
 * The figures of any part of the trace that begins and ends with a step are sums of cells. Their
 * number depends on call sites and steps, not on events. The steps become longer with the trace:
 * they are multiples of a power of two of nanoseconds, so that two become one.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "common/memory.h"
#include "export/table.h"

#define MAX_STEPS	128

/* The step of memory that is older than the trace, or live at its end. */
#define NO_STEP		UINT64_MAX

enum {
	ALLOCATOR = NR_COMMON, SITE, BORN, DIED, STEP, LIVES, BYTES,
};

static const struct parquet_column columns[] = {
	COMMON_COLUMNS,
	[ALLOCATOR] = { "allocator", PARQUET_TEXT, false },
	[SITE] = { "site", PARQUET_TEXT, false },
	[BORN] = { "born_ns", PARQUET_NUMBER, true },
	[DIED] = { "died_ns", PARQUET_NUMBER, true },
	[STEP] = { "step_ns", PARQUET_NUMBER, false },
	[LIVES] = { "lives", PARQUET_NUMBER, false },
	[BYTES] = { "bytes", PARQUET_NUMBER, false },
	{ NULL }
};

/**
 * struct cell - lives that have all but their sums in common
 * @site: call site of the allocations
 * @born: step in which they began, or NO_STEP
 * @died: step in which they ended, or NO_STEP
 * @space: the allocator
 * @count: how many
 * @bytes: their bytes
 */
struct cell {
	uint64_t site, born, died;
	int space;
	uint64_t count, bytes;
};

/**
 * struct cells - all cells
 * @list: the cells
 * @nr: entries of @list
 * @slots: a hash of indices plus one
 * @bits: there are 2^bits @slots
 * @seed: of the hash
 * @shift: a step has 2^shift nanoseconds
 * @first: the first time
 * @last: the last time
 */
struct cells {
	struct cell *list;
	uint32_t nr, *slots;
	unsigned int bits;
	uint64_t seed;
	unsigned int shift;
	uint64_t first, last;
};

/* ---- a hash ---- */

static bool are_same(const struct cell *a, const struct cell *b)
{
	return a->site == b->site && a->born == b->born && a->died == b->died &&
	       a->space == b->space;
}

static uint32_t *slot_of(const struct cells *c, const struct cell *cell)
{
	uint32_t mask = (UINT32_C(1) << c->bits) - 1, slot;
	uint64_t hash = hash_key(cell->site, c->seed);

	hash = hash_key(cell->born ^ cell->died << 32, hash ^ hash >> 32);
	hash = hash_key(cell->died ^ (uint64_t)cell->space << 56, hash ^ hash >> 32);
	slot = hash >> (64 - c->bits);
	while (c->slots[slot] && !are_same(&c->list[c->slots[slot] - 1], cell))
		slot = (slot + 1) & mask;
	return &c->slots[slot];
}

static void grow(struct cells *c)
{
	uint32_t i;

	c->bits = c->bits ? c->bits + 1 : 8;
	free(c->slots);
	c->slots = must_calloc((size_t)1 << c->bits, sizeof(*c->slots));
	c->list = must_realloc(c->list, (size_t)1 << (c->bits - 1), sizeof(*c->list));
	for (i = 0; i < c->nr; i++)
		*slot_of(c, &c->list[i]) = i + 1;
}

/* Add a cell, or its sums to those of the same one. */
static void add(struct cells *c, const struct cell *cell)
{
	uint32_t *slot;

	if (!c->bits || c->nr == UINT32_C(1) << (c->bits - 1))
		grow(c);
	slot = slot_of(c, cell);
	if (*slot) {
		c->list[*slot - 1].count += cell->count;
		c->list[*slot - 1].bytes += cell->bytes;
	} else {
		c->list[c->nr] = *cell;
		*slot = ++c->nr;
	}
}

/* ---- steps ---- */

static uint64_t halved(uint64_t step)
{
	return step == NO_STEP ? step : step / 2;
}

/* Let two steps become one. */
static void widen(struct cells *c)
{
	uint32_t nr = c->nr, i;

	c->shift++;
	c->nr = 0;
	memset(c->slots, 0, sizeof(*c->slots) << c->bits);
	for (i = 0; i < nr; i++) {
		struct cell cell = c->list[i];

		cell.born = halved(cell.born);
		cell.died = halved(cell.died);
		add(c, &cell);
	}
}

/* Make the steps so long that there are enough of them up to @time, which is not negative. */
static void reach(struct cells *c, uint64_t time)
{
	if (time < c->first)
		c->first = time;
	if (time > c->last)
		c->last = time;
	while ((c->last >> c->shift) - (c->first >> c->shift) >= MAX_STEPS) {
		if (c->nr)
			widen(c);
		else
			c->shift++;
	}
}

/* Times before the begin of CLOCK_MONOTONIC are in damaged streams only. */
static uint64_t clamp(int64_t time)
{
	return time < 0 ? 0 : time;
}

static int add_life(struct table_file *t, const struct kmemtrace_life *life)
{
	struct cell cell = {
		.site = life->call_site,
		.born = NO_STEP,
		.died = NO_STEP,
		.space = life->space,
		.count = 1,
		.bytes = life->bytes_alloc,
	};
	struct cells *c = t->state;

	if (!c) {
		c = must_calloc(1, sizeof(*c));
		c->seed = hash_seed();
		c->first = UINT64_MAX;
		t->state = c;
	}
	if (!life->is_older)
		reach(c, clamp(life->born));
	if (life->is_ended)
		reach(c, clamp(life->died));
	if (!life->is_older)
		cell.born = clamp(life->born) >> c->shift;
	if (life->is_ended)
		cell.died = clamp(life->died) >> c->shift;
	add(c, &cell);
	return 0;
}

/* ---- the table ---- */

static char *text(const struct table_file *t, size_t column, uint64_t key)
{
	return column == ALLOCATOR ? text_of_space(key) : text_of_site(t, key);
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_site(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;

	if (x->space != y->space)
		return compare(x->space, y->space);
	if (x->site != y->site)
		return compare(x->site, y->site);
	return x->born != y->born ? compare(x->born, y->born) : compare(x->died, y->died);
}

static int add_cells(struct table_file *t)
{
	struct cells *c = t->state;
	struct parquet *file = t->file;
	uint32_t i;
	int ret = 0;

	if (!c)
		return 0;
	qsort(c->list, c->nr, sizeof(*c->list), by_site);
	for (i = 0; !ret && i < c->nr; i++) {
		const struct cell *cell = &c->list[i];

		table_begin_row(t);
		parquet_text(file, ALLOCATOR, cell->space);
		parquet_text(file, SITE, cell->site);
		if (cell->born != NO_STEP)
			parquet_number(file, BORN, cell->born << c->shift);
		if (cell->died != NO_STEP)
			parquet_number(file, DIED, cell->died << c->shift);
		parquet_number(file, STEP, UINT64_C(1) << c->shift);
		parquet_number(file, LIVES, cell->count);
		parquet_number(file, BYTES, cell->bytes);
		ret = parquet_end_row(file);
	}
	return ret;
}

static void free_cells(struct table_file *t)
{
	struct cells *c = t->state;

	if (!c)
		return;
	free(c->list);
	free(c->slots);
	free(c);
}

const struct table_info table_cells = {
	.name = "cells",
	.columns = columns,
	.text = text,
	.life = add_life,
	.end = add_cells,
	.free = free_cells,
};
