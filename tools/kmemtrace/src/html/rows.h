/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows: the kinds that the page does not distinguish are one row.
 */
#ifndef KMEMTRACE_HTML_ROWS_H
#define KMEMTRACE_HTML_ROWS_H

#include <stdbool.h>

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
 * struct rows - rows of all allocators
 * @of: by allocator
 * @nr: how many rows each allocator has
 * @of_kind: the row of each kind, counted over all allocators, or NO_ROW
 * @nr_kinds: entries of @of_kind
 * @places: those of all kinds, in the order of call sites
 * @nr_places: entries of @places
 */
struct rows {
	struct kmemtrace_rows *of[NR_SPACES];
	size_t nr[NR_SPACES];
	uint32_t *of_kind;
	size_t nr_kinds;
	struct place *places;
	size_t nr_places;

	/* private: */
	const struct report *r;
};

void rows_make(struct rows *rows, const struct report *r);
void rows_free(struct rows *rows);

/* Return the place of a row, which the first key numbers. */
static inline const struct place *row_place(const struct rows *rows,
					    const struct kmemtrace_row *row)
{
	return &rows->places[row->key];
}

/* The parts of the second key of a row. */

static inline uint64_t row_size(const struct kmemtrace_row *row)
{
	return row->second_key & 0xffffffffff;
}

/* Return the number of the slab cache; of pages, enum kmemtrace_mobility. */
static inline uint32_t row_cache(const struct kmemtrace_row *row)
{
	return row->second_key >> 40 & 0x7fffff;
}

static inline bool row_is_older(const struct kmemtrace_row *row)
{
	return row->second_key >> 63;
}

#endif /* KMEMTRACE_HTML_ROWS_H */
