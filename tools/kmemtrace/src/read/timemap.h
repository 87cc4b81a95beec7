/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Convert the timestamps of a trace to nanoseconds of CLOCK_MONOTONIC.
 */
#ifndef KMEMTRACE_TIMEMAP_H
#define KMEMTRACE_TIMEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/context.h"
#include "read/tracedir.h"

/* enum kmemtrace_clock_id; enum ktrace_clock_id has the same clocks */
#define TIMEMAP_CLOCKS	2

/**
 * struct timepair - one moment on both clocks
 * @time: the clock of the records
 * @ns: CLOCK_MONOTONIC
 * @error: nanoseconds by which @ns may be wrong
 * @uncertainty: nanoseconds by which @time may differ between two CPUs
 * @rate: nanoseconds of a unit of @time from here on
 */
struct timepair {
	uint64_t time, ns, error, uncertainty;
	double rate;
};

/**
 * struct timemap - what the records about the clocks say about one of them
 * @pairs: sorted; both times of them increase
 * @nr: entries in @pairs; 0: timestamps of this clock are not converted
 * @rate: nanoseconds of a unit of time before the first of @pairs
 * @error: the largest error of @pairs
 * @grows: more pairs may follow the last one; it is known how timestamps between the first
 *	and the last one are converted
 */
struct timemap {
	struct timepair *pairs;
	size_t nr;
	double rate;
	uint64_t error;
	bool grows;

	/* private: @best: the smallest error of all pairs, chosen or not */
	uint64_t frequency, known_at, best;
};

/**
 * struct timemaps - how the timestamps of a trace are converted
 * @of: a map for each clock of enum kmemtrace_clock_id; most traces have one clock
 * @held: pairs that timemaps_settle() has not taken
 * @nr_held: how many
 * @earliest: no record of the trace is before this time, while @has_bounds
 * @latest: nor after this one
 */
struct timemaps {
	struct timemap of[TIMEMAP_CLOCKS];
	bool has_bounds;
	int64_t earliest, latest;
	struct held_pair *held;
	size_t nr_held;

	/* private: @enough: pairs to be held before they are examined again */
	size_t enough;
	uint64_t nr_pairs;
};

/**
 * struct timespan - timestamps that are converted alike
 * @begin: the first timestamp
 * @length: how many
 * @ns: CLOCK_MONOTONIC at @begin
 * @rate: nanoseconds of a unit of time
 * @as_is: timestamps are not converted
 */
struct timespan {
	uint64_t begin, length, ns;
	double rate;
	bool as_is;
};

static inline bool timespan_has(const struct timespan *span, uint64_t time)
{
	return time - span->begin < span->length;
}

/* Return what timemap_ns() returns for @time, which is in @span. */
static inline int64_t timespan_ns(const struct timespan *span, uint64_t time)
{
	if (span->as_is)
		return time;
	return span->ns +
	       (uint64_t)(int64_t)((double)(int64_t)(time - span->begin) *
				   span->rate);
}

/* Return whether it is known how a timestamp is converted. */
static inline bool timemap_knows(const struct timemap *map, uint64_t time)
{
	return !map->grows || (map->nr && time >= map->pairs[0].time &&
			       time < map->pairs[map->nr - 1].time);
}

int timemaps_add_pair(struct timemaps *maps, struct context *ctx, unsigned int clock,
		      const struct timepair *pair, uint64_t frequency);
void timemaps_finish(struct timemaps *maps);
void timemaps_bound(struct timemaps *maps, const struct tracedir *dir);
void timemaps_warn(const struct timemaps *maps, const struct tracedir *dir);
void timemaps_begin(struct timemaps *maps);
int timemaps_hold(struct timemaps *maps, struct context *ctx, unsigned int clock,
		  unsigned int cpu, const struct timepair *pair, uint64_t frequency);
int timemaps_settle(struct timemaps *maps, struct context *ctx, uint64_t until,
		    uint64_t needed);
int timemaps_end(struct timemaps *maps, const struct tracedir *dir);
void timemaps_follow(struct timemaps *maps, struct context *ctx, unsigned int clock,
		     const struct timepair *pair, uint64_t frequency);
void timemaps_close(struct timemaps *maps);
struct timespan timemap_span(const struct timemap *map, size_t hint);
int64_t timemap_ns(const struct timemap *map, size_t *hint, uint64_t time);

#endif /* KMEMTRACE_TIMEMAP_H */
