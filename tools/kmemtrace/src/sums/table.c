// SPDX-License-Identifier: GPL-2.0
/*
 * table.c - counters by key: an array of rows and a hash of indices into it
 */
#include "config.h"

#include <stdlib.h>

#include "common/hash.h"
#include "sums/table.h"

#define MIN_BITS	6

static uint32_t slot_of_row(const struct table *t, uint64_t key)
{
	uint32_t mask = (UINT32_C(1) << t->bits) - 1;
	uint32_t slot = hash_key(key, t->seed) >> (64 - t->bits);

	while (t->slots[slot] && t->rows[t->slots[slot] - 1].key != key)
		slot = (slot + 1) & mask;
	return slot;
}

static bool is_table_full(const struct table *t)
{
	return !t->bits || t->nr == UINT32_C(1) << (t->bits - 1);
}

/* Double the slots, half of which stay empty. Returns false without memory. */
static bool double_rows(struct table *t)
{
	unsigned int bits = t->bits ? t->bits + 1 : MIN_BITS;
	struct row *rows = context_realloc(t->ctx, t->rows, (size_t)1 << (bits - 1),
					   sizeof(*rows));
	uint32_t *slots, i;

	if (!rows)
		return false;
	t->rows = rows;
	slots = context_calloc(t->ctx, (size_t)1 << bits, sizeof(*slots));
	if (!slots)
		return false;
	free(t->slots);
	if (!t->bits)
		t->seed = hash_seed();
	t->slots = slots;
	t->bits = bits;
	for (i = 0; i < t->nr; i++)
		t->slots[slot_of_row(t, t->rows[i].key)] = i + 1;
	return true;
}

/**
 * table_index - find or add a key
 * @t: the table
 * @key: the key
 *
 * Return: the index of its row, whose counters are zero if it is new; TABLE_NO_ROW
 *	without memory.
 */
uint32_t table_index(struct table *t, uint64_t key)
{
	uint32_t slot;

	if (is_table_full(t) && !double_rows(t))
		return TABLE_NO_ROW;
	slot = slot_of_row(t, key);
	if (!t->slots[slot]) {
		t->rows[t->nr] = (struct row) { .key = key };
		t->slots[slot] = ++t->nr;
	}
	return t->slots[slot] - 1;
}

/* Return the row of @key, or NULL. */
const struct row *table_find(const struct table *t, uint64_t key)
{
	uint32_t i = t->nr ? t->slots[slot_of_row(t, key)] : 0;

	return i ? &t->rows[i - 1] : NULL;
}

/* Return whether there is a row of @key. */
bool table_has(const struct table *t, uint64_t key)
{
	return table_find(t, key);
}

/* Add the counters of @row to those of @sum. */
void row_add(struct row *sum, const struct row *row)
{
	sum->allocs += row->allocs;
	sum->req += row->req;
	sum->alloc += row->alloc;
	sum->frees += row->frees;
	sum->remote += row->remote;
	sum->live += row->live;
	sum->live_req += row->live_req;
	sum->live_alloc += row->live_alloc;
	sum->peak += row->peak;
}

/* Add the counters of @row to those of @key. */
void table_add(struct table *t, uint64_t key, const struct row *row)
{
	row_add(table_row_of(t, key), row);
}

/* Free all memory; the table is empty then. */
void table_clear(struct table *t)
{
	free(t->rows);
	free(t->slots);
	*t = (struct table) { .ctx = t->ctx };
}
