/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The limits of the ABI. The library leaves records beyond them out of all sums,
 * kmemtrace-check reports them.
 */
#ifndef KMEMTRACE_ABI_H
#define KMEMTRACE_ABI_H

#include <stdint.h>

#include "linux/kmemtrace.h"

/* All records but pads begin with these, in the same widths. */
#define EVENT_MIN_SIZE	sizeof(struct kmemtrace_event)
/* The smallest pad. Each record begins with the same bytes. */
#define EVENT_PAD_SIZE	sizeof(struct kmemtrace_pad)
/* The largest record. event_order() relies on it to distinguish the byte orders. */
#define EVENT_MAX_SIZE	4096

/* Interfaces (enum kmemtrace_type_id) that allocate. */
#define EVENT_NR_TYPES	5

/* The order of the largest block of pages: 16 GB in frames of 64 kB. */
#define ABI_MAX_ORDER	18

/* The most frames of one record of the snapshot: 4 TB in frames of 4 kB. */
#define SNAPSHOT_MAX_FRAMES	(UINT64_C(1) << 30)

/* Nodes are below it: the largest MAX_NUMNODES of any architecture, 1 << NODES_SHIFT. */
#define MAX_NODES	1024

/**
 * abi_max_bytes - return the most bytes that one allocation may have
 * @type: enum kmemtrace_type_id, below EVENT_NR_TYPES
 * @page_size: page size of the traced machine
 *
 * Return: the bytes. Sizes of slab objects have 32 bits, others 40.
 */
static inline uint64_t abi_max_bytes(unsigned int type, uint64_t page_size)
{
	if (type == KMEMTRACE_TYPE_PAGES)
		return page_size << ABI_MAX_ORDER;
	if (type == KMEMTRACE_TYPE_KMALLOC || type == KMEMTRACE_TYPE_CACHE)
		return UINT32_MAX;
	return (UINT64_C(1) << 40) - 1;
}

#endif /* KMEMTRACE_ABI_H */
