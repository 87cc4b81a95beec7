/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACED_CHANGES_H
#define KMEMTRACED_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/counters.h"

#define CHANGES_BUCKETS	16384

struct counter_row;

/**
 * struct changes - the rows of the counters; zeroed memory has none
 * @nr: rows
 * @ids: numbers that were given to rows since the last full reading
 * @reading: number of the current reading, from 1
 * @left_out: rows that had no room
 *
 * A row that does not change costs its look-up.
 */
struct changes {
	size_t nr;
	unsigned int ids;
	uint64_t reading;
	uint64_t left_out;

	/* private: */
	struct counter_row *buckets[CHANGES_BUCKETS];
	struct counter_row *first, **end;
};

void changes_begin(struct changes *r);
int changes_take(void *changes, enum counter_table table, const char *name,
		 const uint64_t *values);
void changes_write(struct changes *r, bool full, FILE *out);
void changes_free(struct changes *r);

#endif /* KMEMTRACED_CHANGES_H */
