/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's counters over time: a row for each, with its extremes in steps of the time.
 * Memory grows with the changes, up to one of each row in each step, not with the readings.
 */
#ifndef KMEMTRACE_SERIES_H
#define KMEMTRACE_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/context.h"
#include "common/counters.h"
#include "read/counters.h"
#include "sums/history.h"
#include "sums/ram.h"

/* Readings from which on growth is looked for: two in each part of the time. */
#define SERIES_PARTS		8
/* The row of what no other counter has of MemTotal, 0 if it is negative. */
#define SERIES_REST		"Unaccounted"
#define SERIES_MIN_READINGS	(2 * SERIES_PARTS)

/**
 * struct series_step - the values of a row in a part of the time
 * @least: the smallest
 * @most: the largest
 */
struct series_step {
	uint64_t least, most;
};

/**
 * struct series_change - a step in which a row changed
 * @number: of the step
 * @value: the last one in it
 * @step: the extremes
 */
struct series_change {
	unsigned int number;
	uint64_t value;
	struct series_step step;
};

/**
 * struct series_row - a row
 * @table: its table
 * @is_total: it is the sum of its table
 * @text: what the kernel calls it, private; NULL: it is a sum
 * @name: @text; once all is read, of a call site the function. NULL: it is a sum
 * @place: of a call site: file and line, else NULL
 * @module: of a call site: its module; NULL: the kernel itself
 * @values: those of the last reading; 0 once the kernel has no such row
 * @first: those of the first reading; 0 if it had no such row
 * @value: what the steps have: bytes, or the only value
 * @peak: the largest @value
 * @peak_time: when that was read first
 * @rises: readings in which @value was larger than in the one before
 * @falls: readings in which it was smaller
 * @fullest: of /proc/meminfo, @value in the reading with the least available memory
 * @initial: @value before the first change; valid if there is one
 * @changes: the steps in which it changed, in their order
 * @nr_changes: entries of @changes
 * @seen: number of the last full reading that had it, or after which it came
 * @is_present: the kernel had it in or after some full reading, and may have it now
 */
struct series_row {
	enum counter_table table;
	bool is_total;
	char *text;
	const char *name, *place, *module;
	uint64_t values[COUNTER_VALUES], first[COUNTER_VALUES];
	uint64_t value, peak, fullest;
	int64_t peak_time;
	uint64_t rises, falls;
	uint64_t initial;
	struct series_change *changes;
	unsigned int nr_changes;
	uint64_t seen;
	bool is_present;
};

/**
 * struct series - all rows; zeroed memory has none
 * @ctx: the context of the trace
 * @state: how far the file could be read
 * @rows: the sums first, then in the order in which they came
 * @nr: entries in @rows
 * @left_out: rows that had no room
 * @readings: whole or not
 * @begin: time of the first reading
 * @end: time of the last one
 * @seconds: CLOCK_REALTIME of the first reading
 * @width: nanoseconds of a step, 0 before the second reading
 * @origin: nanoseconds from the begin of the first step to the first reading
 * @nr_steps: steps that have begun
 * @has_reading: by step: there was a reading in it
 * @ram: the rows of /proc/meminfo
 * @nr_ram: entries of @ram
 * @fullest: time of the reading with the least available memory
 * @least: what was available then
 * @rest: the row SERIES_REST; NULL: the kernel has no MemTotal
 */
struct series {
	struct context *ctx;
	struct counters_state state;
	struct series_row **rows;
	size_t nr;
	uint64_t left_out;
	uint64_t readings;
	int64_t begin, end, seconds;
	uint64_t width, origin;
	unsigned int nr_steps;
	bool has_reading[HISTORY_STEPS];
	struct series_row **ram;
	size_t nr_ram;
	int64_t fullest;
	uint64_t least;
	struct series_row *rest;

	/* private: */
	uint64_t seed;
	uint32_t *table;
	struct series_row **ids;
	struct series_row **present;
	size_t nr_present;
	uint64_t sums[NR_COUNTER_TABLES];
	uint64_t full;
	bool is_full;
	bool is_second;
};

/**
 * enum series_when - a reading
 * @SERIES_BEGIN: the first one
 * @SERIES_FULLEST: that with the least available memory
 * @SERIES_END: the last one
 */
enum series_when { SERIES_BEGIN, SERIES_FULLEST, SERIES_END, NR_SERIES_WHEN };

/**
 * struct series_reading - the values of a reading
 * @s: the series
 * @when: which one
 */
struct series_reading {
	const struct series *s;
	enum series_when when;
};

ram_counter series_meminfo;
int series_read(struct series *s, struct context *ctx, struct files *files);
struct series_step series_step(const struct series_row *row, size_t step);
bool series_growth(const struct series *s, const struct series_row *row, double *per_hour);
void series_free(struct series *s);

#endif /* KMEMTRACE_SERIES_H */
