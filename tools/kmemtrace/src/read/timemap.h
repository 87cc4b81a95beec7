/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a trace's timestamps to nanoseconds of CLOCK_MONOTONIC.
 */
#ifndef KMEMTRACE_TIMEMAP_H
#define KMEMTRACE_TIMEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/input.h"
#include "read/tracedir.h"

/* enum kmemtrace_clock_id */
#define TIMEMAP_CLOCKS	2

/**
 * struct timepair - one moment on both clocks
 * @time: as in the records
 * @ns: CLOCK_MONOTONIC
 * @error: nanoseconds by which @ns may be wrong
 * @uncertainty: nanoseconds by which @time may differ on two CPUs
 * @rate: nanoseconds a unit of @time from here on
 */
struct timepair {
	uint64_t time, ns, error, uncertainty;
	double rate;
};

/**
 * struct timemap - what the records of struct kmemtrace_clock say of one clock
 * @pairs: by @time, both times of which grow
 * @nr: entries in @pairs, 0: nothing is known, and nothing to be converted
 * @rate: nanoseconds a unit of time, before the first of @pairs
 * @error: the largest of those in @pairs
 */
struct timemap {
	struct timepair *pairs;
	size_t nr;
	double rate;
	uint64_t error;

	/* private: */
	uint64_t frequency, known_at;
};

/**
 * struct timemaps - what a trace's timestamps are
 * @of: each clock of enum kmemtrace_clock_id, of which most traces have one
 */
struct timemaps {
	struct timemap of[TIMEMAP_CLOCKS];
};

/**
 * struct timespan - timestamps that are converted alike
 * @begin: the first
 * @length: how many there are
 * @ns: of @begin, in CLOCK_MONOTONIC
 * @rate: nanoseconds a unit of time
 * @as_is: there is nothing to be converted
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

/* What timemap_ns() says of @time, which @span has. */
static inline int64_t timespan_ns(const struct timespan *span, uint64_t time)
{
	if (span->as_is)
		return time;
	return span->ns +
	       (uint64_t)(int64_t)((double)(int64_t)(time - span->begin) *
				   span->rate);
}

int timemaps_add(struct timemaps *maps, const struct tracedir *dir, struct input *in,
		 unsigned int cpu, enum byte_order order);
void timemaps_finish(struct timemaps *maps, const struct tracedir *dir);
void timemaps_close(struct timemaps *maps);
struct timespan timemap_span(const struct timemap *map, size_t hint);
int64_t timemap_ns(const struct timemap *map, size_t *hint, uint64_t time);

#endif /* KMEMTRACE_TIMEMAP_H */
