/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trend of a short series of values.
 */
#ifndef KMEMTRACE_TREND_H
#define KMEMTRACE_TREND_H

#include <stddef.h>
#include <stdint.h>

/* A series has at most this many values. */
#define TREND_MAX	64

/**
 * struct trend - the trend of a series
 * @slope: median of the slopes of all pairs of values
 * @chance: probability that the same values in random order rise as much, or more
 */
struct trend {
	double slope, chance;
};

struct trend trend_fit(const double *times, const uint64_t *values, size_t nr);

#endif /* KMEMTRACE_TREND_H */
