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
	table_row(&b->table, ptr)->live = bytes;
}

/* Return the bytes of the block that begins at @ptr, and remove it. */
static inline uint64_t blocks_take(struct blocks *b, uint64_t ptr, uint64_t page_size)
{
	uint64_t bytes = page_size;
	struct row *row;

	if (table_has(&b->table, ptr)) {
		row = table_row(&b->table, ptr);
		if (row->live)
			bytes = row->live;
		row->live = 0;
	}
	return bytes;
}

#endif /* KMEMTRACE_BLOCKS_H */
