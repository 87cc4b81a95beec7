/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters by key: a call site, a size, a cache, a pair of CPUs.
 */
#ifndef KMEMTRACE_TABLE_H
#define KMEMTRACE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/context.h"

/**
 * struct row - the counters of one key
 * @key: the key
 * @allocs: allocations
 * @req: bytes requested by @allocs
 * @alloc: bytes allocated by @allocs
 * @frees: frees of memory that was known to be live; for pages, of blocks
 * @remote: frees on another CPU than the allocation
 * @live: objects (pages: single pages) that are not freed
 * @live_req: bytes requested by @live
 * @live_alloc: bytes allocated by @live
 * @peak: bytes that were live when the allocator reached its peak
 */
struct row {
	uint64_t key;
	uint64_t allocs, req, alloc;
	uint64_t frees, remote;
	uint64_t live, live_req, live_alloc;
	uint64_t peak;
};

/* The index of a row for which there is no memory. */
#define TABLE_NO_ROW	UINT32_MAX

/**
 * struct table - rows in the order in which their keys came; only @ctx must be set
 * @ctx: the context that receives an error
 * @rows: the rows; they move when a new one is added
 * @nr: number of @rows
 */
struct table {
	struct context *ctx;
	struct row *rows;
	uint32_t nr;

	/* private: a hash of the row numbers plus one; 2^bits slots */
	uint32_t *slots;
	unsigned int bits;
	uint64_t seed;
	struct row scratch;
};

void row_add(struct row *sum, const struct row *row);

uint32_t table_index(struct table *t, uint64_t key);
const struct row *table_find(const struct table *t, uint64_t key);
bool table_has(const struct table *t, uint64_t key);
void table_add(struct table *t, uint64_t key, const struct row *row);
void table_clear(struct table *t);

/**
 * table_row_of - find or add the row of a key
 * @t: the table
 * @key: the key
 *
 * Return: the row; without memory a row that is never read, and the context has the error.
 */
static inline struct row *table_row_of(struct table *t, uint64_t key)
{
	uint32_t i = table_index(t, key);

	return i == TABLE_NO_ROW ? &t->scratch : &t->rows[i];
}

#endif /* KMEMTRACE_TABLE_H */
