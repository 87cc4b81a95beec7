/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_ROWS_H
#define KMEMTRACED_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/counters.h"

#define ROWS_BUCKETS	16384

struct row;

/**
 * struct rows - the rows of the counters; zeroed memory has none
 * @nr: rows
 * @ids: numbers that were given to rows since the last full reading
 * @reading: number of the current reading, from 1
 * @left_out: rows that had no room
 *
 * A row that does not change costs its look-up.
 */
struct rows {
	size_t nr;
	unsigned int ids;
	uint64_t reading;
	uint64_t left_out;

	/* private: */
	struct row *buckets[ROWS_BUCKETS];
	struct row *first, **end;
};

void rows_begin(struct rows *r);
int rows_take(void *rows, enum counter_table table, const char *name,
	      const uint64_t *values);
void rows_write(struct rows *r, bool full, FILE *out);
void rows_free(struct rows *r);

#endif /* KMEMTRACED_ROWS_H */
