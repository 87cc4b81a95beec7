/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows: the kinds that the page does not distinguish are one row.
 */
#ifndef KMEMTRACE_HTML_ROWS_H
#define KMEMTRACE_HTML_ROWS_H

#include <stdbool.h>

#include "kmemtrace-records.h"
#include "report/report.h"

/* The kind is in no row: it has no counters. */
#define NO_ROW	UINT32_MAX

/**
 * struct place - where memory comes from, and who has it
 * @site: address of the call site
 * @path: number of the call path
 * @task: number of the task
 * @cgroup: number of the memory cgroup
 */
struct place {
	uint64_t site;
	uint32_t path, task, cgroup;
};

/**
 * struct page_row - kinds that the page does not distinguish
 * @space: their allocator
 * @place: number of their place
 * @cache: number of their slab cache; of pages, enum kmemtrace_mobility
 * @bytes: bytes that each allocation got
 * @is_older: this memory was live when tracing began
 * @peak_bytes: bytes that were live at the peak
 */
struct page_row {
	int space;
	uint32_t place, cache;
	uint64_t bytes;
	bool is_older;
	uint64_t peak_bytes;
};

/**
 * struct rows - the rows
 * @list: by allocator and place
 * @nr: entries of @list
 * @of_kind: the row of each kind, or NO_ROW
 * @nr_kinds: entries of @of_kind
 * @places: those of all kinds, in the order of call sites
 * @nr_places: entries of @places
 */
struct rows {
	struct page_row *list;
	size_t nr;
	uint32_t *of_kind;
	size_t nr_kinds;
	struct place *places;
	size_t nr_places;

	/* private: */
	const struct report *r;
};

void rows_make(struct rows *rows, const struct report *r);
void rows_free(struct rows *rows);

#endif /* KMEMTRACE_HTML_ROWS_H */
