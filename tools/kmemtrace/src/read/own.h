/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The self-allocations of a boot: pages of the buffers of kmemtrace.
 */
#ifndef KMEMTRACE_OWN_H
#define KMEMTRACE_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/streams.h"

/**
 * struct own_page - the allocation of a page
 * @ptr: address of the page
 * @timestamp: timestamp of the record
 */
struct own_page {
	uint64_t ptr;
	int64_t timestamp;
};

/**
 * struct own - the pages of buffers, until all CPUs are up; zeroed memory has none
 * @pages: in the order of their records, all of one stream
 * @nr: entries in @pages
 * @last: the entry that own_has() found last
 */
struct own {
	struct own_page *pages;
	size_t nr, last;
};

int own_find(struct own *own, struct streams *s, uint64_t page_size);
bool own_has(struct own *own, const struct kmemtrace_event *ev);
void own_free(struct own *own);

#endif /* KMEMTRACE_OWN_H */
