/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits of the allocations of a kernel.
 */
#ifndef KMEMTRACE_LIVE_H
#define KMEMTRACE_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/abi.h"
#include "read/event.h"
#include "sums/kinds.h"
#include "sums/stats.h"

/* The order of the largest block of pages. */
#define LIVE_MAX_ORDER	ABI_MAX_ORDER

/* Return the allocator of a type, which is below EVENT_NR_TYPES. */
static inline enum space live_space(uint8_t type)
{
	static const enum space spaces[EVENT_NR_TYPES] = {
		[KMEMTRACE_TYPE_KMALLOC] = SPACE_SLAB,
		[KMEMTRACE_TYPE_CACHE] = SPACE_SLAB,
		[KMEMTRACE_TYPE_PAGES] = SPACE_PAGES,
		[KMEMTRACE_TYPE_PERCPU] = SPACE_PERCPU,
		[KMEMTRACE_TYPE_VMALLOC] = SPACE_VMALLOC,
	};

	return spaces[type];
}

/* Return the most bytes of one allocation. */
static inline uint64_t live_max_bytes(enum space space, uint64_t page_size)
{
	if (space == SPACE_PAGES)
		return abi_max_bytes(KMEMTRACE_TYPE_PAGES, page_size);
	return abi_max_bytes(space == SPACE_SLAB ? KMEMTRACE_TYPE_KMALLOC :
			     KMEMTRACE_TYPE_VMALLOC, page_size);
}

/**
 * live_object_possible - check whether a kernel could have allocated an object
 * @space: its allocator, not that of pages
 * @ptr: its address
 * @req: bytes requested
 * @alloc: bytes allocated
 *
 * A class can't store more bytes, and a slot can't store a larger difference.
 *
 * Return: whether it could.
 */
static inline bool live_object_possible(enum space space, uint64_t ptr,
					uint64_t req, uint64_t alloc)
{
	uint64_t max = live_max_bytes(space, 0);

	return !!ptr & (req - 1 < max) & (alloc <= max) &
	       (alloc - req + INT32_MAX <= 2 * (uint64_t)INT32_MAX);
}

#endif /* KMEMTRACE_LIVE_H */
