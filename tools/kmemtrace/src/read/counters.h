/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counters of the kernel over time, as kmemtraced --counters writes them, or at both ends
 * of a trace of events. common/counters.h has the format.
 */
#ifndef KMEMTRACE_READ_COUNTERS_H
#define KMEMTRACE_READ_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/context.h"
#include "common/counters.h"
#include "read/files.h"
#include "read/input.h"

/**
 * struct counters_taker - takes what a file has
 * @begin: a reading begins; @time and @seconds are CLOCK_MONOTONIC and CLOCK_REALTIME
 * @row: a row has a new ID, and these values
 * @update: a row has other values
 * @gone: the kernel does not have a row any more; its ID is not used again before the next
 *	full reading
 * @end: the reading is whole
 *
 * Each returns 0 or -errno, which ends the reading of the file. IDs are below
 * COUNTER_MAX_IDS.
 */
struct counters_taker {
	int (*begin)(void *arg, bool is_full, int64_t time, int64_t seconds);
	int (*row)(void *arg, uint32_t id, enum counter_table table, const char *name,
		   const uint64_t *values);
	int (*update)(void *arg, uint32_t id, const uint64_t *values);
	int (*gone)(void *arg, uint32_t id);
	int (*end)(void *arg);
};

/* Rows of a full reading, and as many new ones until the next. */
#define COUNTER_MAX_IDS	(2 * COUNTER_MAX_ROWS)

/**
 * struct counters_state - how far a file could be read
 * @readings: whole readings
 * @offset: the bytes of text that were read
 * @is_partial: the text ends within a reading
 * @fault: why the text ends early
 * @fault_at: offset of the fault in the compressed file
 * @problem: why the text at @offset has no meaning; "": it has one
 */
struct counters_state {
	uint64_t readings;
	uint64_t offset;
	bool is_partial;
	enum input_fault fault;
	uint64_t fault_at;
	char problem[128];
};

int counters_read(struct counters_state *state, struct context *ctx, struct files *files,
		  const struct counters_taker *taker, void *arg);

#endif /* KMEMTRACE_READ_COUNTERS_H */
