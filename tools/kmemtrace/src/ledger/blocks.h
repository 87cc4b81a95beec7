/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The size of each block of pages, for traces of ABI version 1: there, a free of pages
 * has no size, and frees the block that begins at its address.
 */
#ifndef KMEMTRACE_BLOCKS_H
#define KMEMTRACE_BLOCKS_H

#include <stdint.h>

#include "sums/table.h"

/**
 * struct blocks - blocks of more than one page; set @ctx of @table only
 * @table: by address; @live is the size in bytes, 0 after it was freed
 */
struct blocks {
	struct table table;
};

/* Add a block of @bytes, more than a page. */
static inline void blocks_add(struct blocks *b, uint64_t ptr, uint64_t bytes)
{
	table_row_of(&b->table, ptr)->live = bytes;
}

/* Return the bytes of the block that begins at @ptr. */
static inline uint64_t blocks_find(const struct blocks *b, uint64_t ptr, uint64_t page_size)
{
	const struct row *row = table_find(&b->table, ptr);

	return row && row->live ? row->live : page_size;
}

/* Remove the block that begins at @ptr, if there is one. */
static inline void blocks_remove(struct blocks *b, uint64_t ptr)
{
	if (table_has(&b->table, ptr))
		table_row_of(&b->table, ptr)->live = 0;
}

#endif /* KMEMTRACE_BLOCKS_H */
