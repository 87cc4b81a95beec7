/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which allocations of a boot are of kmemtrace's own buffers.
 */
#ifndef KMEMTRACE_OWN_H
#define KMEMTRACE_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/event.h"
#include "read/streams.h"

/**
 * struct own_page - the allocation of a page
 * @ptr: its address
 * @timestamp: as in its record
 */
struct own_page {
	uint64_t ptr;
	int64_t timestamp;
};

/**
 * struct own - those of buffers, until all CPUs are up; zeroed memory has none
 * @pages: in the order of their records, all in one stream
 * @nr: of @pages
 * @last: the last one that own_has() found
 */
struct own {
	struct own_page *pages;
	size_t nr, last;
};

int own_find(struct own *own, struct streams *s, uint64_t page_size);
bool own_has(struct own *own, const struct kmemtrace_event *ev);
void own_free(struct own *own);

#endif /* KMEMTRACE_OWN_H */
