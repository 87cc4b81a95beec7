// SPDX-License-Identifier: GPL-2.0
/*
 * cells.c - a hash of cells, whose steps get longer when there are too many of them
 */
#include "config.h"

#include <stdlib.h>

#include "common/hash.h"
#include "sums/cells.h"

/* Nanoseconds of a step, at first: 2^10. */
#define MIN_SHIFT	10
#define MIN_BITS	6

/* No kind is that large. */
#define UNUSED		UINT64_MAX

/* ---- the hash ---- */

static struct cell *cell_at(const struct cells *c, uint64_t key)
{
	size_t mask = ((size_t)1 << c->bits) - 1;
	size_t at = hash_key(key, c->seed) >> (64 - c->bits);

	while (c->list[at].key != UNUSED && c->list[at].key != key)
		at = (at + 1) & mask;
	return &c->list[at];
}

/* Return whether there is an empty hash now. */
static bool make_hash(struct cells *c, unsigned int bits)
{
	size_t i, room = (size_t)1 << bits;

	c->list = context_calloc(c->ctx, room, sizeof(*c->list));
	if (!c->list)
		return false;
	for (i = 0; i < room; i++)
		c->list[i].key = UNUSED;
	c->bits = bits;
	c->nr = 0;
	return true;
}

static void add_counts(struct cell *cell, const struct cell *counts)
{
	cell->nr += counts->nr;
	cell->req += counts->req;
	cell->calls += counts->calls;
}

/* Add to a cell for which there is room. */
static void insert_counts(struct cells *c, uint64_t key, const struct cell *counts)
{
	struct cell *cell = cell_at(c, key);

	if (cell->key == UNUSED) {
		c->nr++;
		cell->key = key;
	}
	add_counts(cell, counts);
}

/* Return the key of a cell after its steps have become twice as long. */
static uint64_t widened(uint64_t key)
{
	const struct cell cell = { .key = key };
	unsigned int ended = cell_ended(&cell);

	return cell_key(cell_kind(&cell), cell_born(&cell) / 2,
			ended == CELLS_NEVER ? ended : ended / 2);
}

/* Put all cells into a hash of another size, or of longer steps. */
static void rehash(struct cells *c, unsigned int bits, bool widens)
{
	size_t i, room = (size_t)1 << c->bits;
	struct cell *old = c->list;

	if (!make_hash(c, bits)) {
		c->list = old;
		return;
	}
	for (i = 0; i < room; i++)
		if (old[i].key != UNUSED)
			insert_counts(c, widens ? widened(old[i].key) : old[i].key, &old[i]);
	free(old);
}

static void lengthen_steps(struct cells *c)
{
	c->shift++;
	rehash(c, c->bits, true);
}

/* Return the most cells. With one step, each kind has two of them. */
static size_t max_cells(const struct cells *c)
{
	return c->max + 4 * (size_t)c->kinds;
}

static bool is_hash_full(const struct cells *c)
{
	return c->nr == (size_t)1 << (c->bits - 1);
}

/*
 * Add to a cell. If it is new, and there are as many as there may be, make all steps longer.
 */
static void put_counts(struct cells *c, uint64_t key, const struct cell *counts)
{
	while (cell_at(c, key)->key == UNUSED && !context_error(c->ctx)) {
		if (c->nr >= max_cells(c)) {
			lengthen_steps(c);
			key = widened(key);
		} else if (is_hash_full(c)) {
			rehash(c, c->bits + 1, false);
		} else {
			break;
		}
	}
	if (!context_error(c->ctx))
		insert_counts(c, key, counts);
}

/* ---- steps ---- */

static uint64_t step_of_time(const struct cells *c, int64_t time)
{
	return time < c->begin ? 0 : ((uint64_t)time - (uint64_t)c->begin) >> c->shift;
}

/* Make the steps long enough for a time. */
static void reach(struct cells *c, int64_t time)
{
	while (step_of_time(c, time) >= CELLS_STEPS && !context_error(c->ctx))
		lengthen_steps(c);
}

/* ---- public interface ---- */

/**
 * cells_init - begin to count
 * @c: result, to be cells_free()d even after an error
 * @ctx: the context that receives errors
 * @begin: time of the first step
 * @max: most cells, beside those that many kinds need
 *
 * Return: 0 or -errno.
 */
int cells_init(struct cells *c, struct context *ctx, int64_t begin, size_t max)
{
	*c = (struct cells) {
		.begin = begin,
		.shift = MIN_SHIFT,
		.ctx = ctx,
		.max = max,
		.seed = hash_seed(),
	};
	return make_hash(c, MIN_BITS) ? 0 : context_error(ctx);
}

/**
 * cells_count - count memory that is allocated, or freed
 * @c: the cells
 * @count: the memory. A free before its allocation is taken for one at the same time
 */
void cells_count(struct cells *c, const struct cell_count *count)
{
	int64_t ended = count->ended < count->born ? count->born : count->ended;
	bool never = count->ended == CELLS_LIVE;

	if (count->kind >= c->kinds)
		c->kinds = count->kind + 1;
	reach(c, never ? count->born : ended);
	put_counts(c, cell_key(count->kind, step_of_time(c, count->born),
			       never ? CELLS_NEVER : step_of_time(c, ended)), &count->cell);
}

static int by_cell_key(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/*
 * Subtract what ended from what was allocated, and leave out what is empty then. A cell that
 * never ends comes after the others of its kind and its step of allocation. Return how many
 * are left.
 */
static size_t leave_live(struct cell *list, size_t nr)
{
	struct cell ended = { .key = UNUSED };
	size_t i, left = 0;

	for (i = 0; i < nr; i++) {
		struct cell cell = list[i];

		if (ended.key != cell.key >> 8)
			ended = (struct cell) { .key = cell.key >> 8 };
		if (cell_ended(&cell) == CELLS_NEVER) {
			cell.nr -= ended.nr;
			cell.req -= ended.req;
		}
		add_counts(&ended, &cell);
		if (cell.nr || cell.calls)
			list[left++] = cell;
	}
	return left;
}

/* Make a sorted list of the cells of a hash. @to may be the hash. Return how many there are. */
static size_t sort_cells(const struct cells *c, struct cell *to)
{
	size_t i, nr = 0, room = (size_t)1 << c->bits;

	for (i = 0; i < room; i++)
		if (c->list[i].key != UNUSED)
			to[nr++] = c->list[i];
	qsort(to, nr, sizeof(*to), by_cell_key);
	return leave_live(to, nr);
}

/**
 * cells_list - list the cells so far; counting may go on
 * @c: the cells, before cells_end()
 * @list: result, in the order of their keys, to be freed
 * @nr: result, how many there are
 *
 * Return: 0 or -errno.
 */
int cells_list(const struct cells *c, struct cell **list, size_t *nr)
{
	*list = context_calloc(c->ctx, c->nr + 1, sizeof(**list));
	if (!*list)
		return context_error(c->ctx);
	*nr = sort_cells(c, *list);
	return 0;
}

/* Sort the cells in place. Call only cells_free() afterwards. Returns 0 or -errno. */
int cells_end(struct cells *c)
{
	struct cell *shrunk;

	if (context_error(c->ctx))
		return context_error(c->ctx);
	c->nr = sort_cells(c, c->list);
	shrunk = reallocarray(c->list, c->nr + 1, sizeof(*c->list));
	if (shrunk)
		c->list = shrunk;
	return 0;
}

/* Free all memory. */
void cells_free(struct cells *c)
{
	free(c->list);
	*c = (struct cells) { .nr = 0 };
}
