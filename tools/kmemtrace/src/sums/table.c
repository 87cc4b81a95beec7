// SPDX-License-Identifier: GPL-2.0
/*
 * Counters by key: an array of rows and a hash of indices into it.
 */
#include "config.h"

#include "common/memory.h"
#include "sums/table.h"

#define MIN_SLOTS	1024

static uint32_t slot_of(const struct table *t, uint64_t key)
{
	uint32_t slot = hash_u64(key) >> 32 & (t->nr_slots - 1);

	while (t->slots[slot] && t->rows[t->slots[slot] - 1].key != key)
		slot = (slot + 1) & (t->nr_slots - 1);
	return slot;
}

/* Half of the slots stay empty. */
static void grow(struct table *t)
{
	uint32_t i;

	t->nr_slots = t->nr_slots ? 2 * t->nr_slots : MIN_SLOTS;
	free(t->slots);
	t->slots = must_calloc(t->nr_slots, sizeof(*t->slots));
	t->rows = must_realloc(t->rows, t->nr_slots / 2, sizeof(*t->rows));
	for (i = 0; i < t->nr; i++)
		t->slots[slot_of(t, t->rows[i].key)] = i + 1;
}

/**
 * table_index - find a key
 * @t: the table; zeroed memory is an empty one
 * @key: the key
 *
 * Return: the index of its row, a new one with zero counters when it had none.
 */
uint32_t table_index(struct table *t, uint64_t key)
{
	uint32_t slot;

	if (t->nr == t->nr_slots / 2)
		grow(t);
	slot = slot_of(t, key);
	if (!t->slots[slot]) {
		t->rows[t->nr] = (struct row) { .key = key };
		t->slots[slot] = ++t->nr;
	}
	return t->slots[slot] - 1;
}

/* The row of @key, or NULL. */
const struct row *table_find(const struct table *t, uint64_t key)
{
	uint32_t i = t->nr ? t->slots[slot_of(t, key)] : 0;

	return i ? &t->rows[i - 1] : NULL;
}

/* Has it a row of @key? */
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

uint64_t row_live(const struct row *row)
{
	return row->live_alloc;
}

uint64_t row_peak(const struct row *row)
{
	return row->peak;
}

uint64_t row_alloc(const struct row *row)
{
	return row->alloc;
}

uint64_t row_count(const struct row *row)
{
	return row->allocs;
}

uint64_t row_waste(const struct row *row)
{
	return wasted(row->req, row->alloc);
}

uint64_t row_remote(const struct row *row)
{
	return row->remote;
}

/* Add the counters of @row to those of @key. */
void table_add(struct table *t, uint64_t key, const struct row *row)
{
	row_add(table_row(t, key), row);
}

/* Give back all memory; the table is an empty one then. */
void table_free(struct table *t)
{
	free(t->rows);
	free(t->slots);
	*t = (struct table) { 0 };
}
