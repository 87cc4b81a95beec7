/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The standard error of a sum over a sample of objects, by the method of random groups.
 *
 * The hash of its address puts each sampled object into one of 32 groups. The group does not
 * depend on whether the object is in the sample. So each group is a sample of its own, and the
 * differences between the sums of the groups show how far the sum of all may be off.
 */
#ifndef KMEMTRACE_SPREAD_H
#define KMEMTRACE_SPREAD_H

#include <stdint.h>

#include "linux/kmemtrace.h"

#define SPREAD_GROUPS	32

/* Return the group of a sampled object. All objects that use an address have one group. */
static inline unsigned int spread_group(uint64_t ptr)
{
	return kmemtrace_hash(ptr) >> 43 & (SPREAD_GROUPS - 1);
}

/**
 * struct spread - a sum over sampled objects, by group
 * @sums: the scaled sum of each group
 */
struct spread {
	uint64_t sums[SPREAD_GROUPS];
};

uint64_t spread_error(const struct spread *s);

#endif /* KMEMTRACE_SPREAD_H */
