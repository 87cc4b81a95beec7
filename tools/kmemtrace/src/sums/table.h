/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters by key: a call site, a size, a cache, a pair of CPUs.
 */
#ifndef KMEMTRACE_TABLE_H
#define KMEMTRACE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct row - what was counted under one key
 * @key: the key
 * @allocs: allocations
 * @req: bytes asked for by @allocs
 * @alloc: bytes given to @allocs
 * @frees: of what is known to have been live; of pages, of blocks of them
 * @remote: objects freed on another CPU than they were allocated on
 * @live: objects (pages: single pages) not freed so far
 * @live_req: bytes asked for by @live
 * @live_alloc: bytes given to @live
 * @peak: likewise, when most of the namespace lived
 */
struct row {
	uint64_t key;
	uint64_t allocs, req, alloc;
	uint64_t frees, remote;
	uint64_t live, live_req, live_alloc;
	uint64_t peak;
};

/**
 * struct table - rows in the order in which their keys came
 * @rows: the rows; move when a new one is added
 * @nr: of @rows
 */
struct table {
	struct row *rows;
	uint32_t nr;

	/* private: indices into rows, plus one; a power of two of them */
	uint32_t *slots;
	uint32_t nr_slots;
};

/* Is anything counted? What was there before tracing began may be freed by its end. */
static inline bool row_is_used(const struct row *row)
{
	return row->allocs || row->frees || row->remote || row->live || row->peak;
}

/* What was given beyond what was asked for. */
static inline uint64_t wasted(uint64_t req, uint64_t alloc)
{
	return alloc > req ? alloc - req : 0;
}

void row_add(struct row *sum, const struct row *row);

/* What lists of rows may be ordered by. */
uint64_t row_live(const struct row *row);
uint64_t row_peak(const struct row *row);
uint64_t row_alloc(const struct row *row);
uint64_t row_count(const struct row *row);
uint64_t row_waste(const struct row *row);
uint64_t row_remote(const struct row *row);

uint32_t table_index(struct table *t, uint64_t key);
const struct row *table_find(const struct table *t, uint64_t key);
bool table_has(const struct table *t, uint64_t key);
void table_add(struct table *t, uint64_t key, const struct row *row);
void table_free(struct table *t);

/* The row of @key, a new one when it has none yet. */
static inline struct row *table_row(struct table *t, uint64_t key)
{
	uint32_t i = table_index(t, key);

	return &t->rows[i];
}

#endif /* KMEMTRACE_TABLE_H */
