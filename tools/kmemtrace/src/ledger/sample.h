/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Traces that are a sample: they have one of so many slab objects below the size of a page.
 *
 * The objects that are in the trace stand for those that are not. Each kind has a weight by
 * which its sums are multiplied. Counters of threads are not weighted: total.c, timeline.c and
 * the lists of the library multiply where they add up kinds.
 */
#ifndef KMEMTRACE_SAMPLE_H
#define KMEMTRACE_SAMPLE_H

#include "ledger/state.h"
#include "linux/kmemtrace.h"
#include "sums/spread.h"

/* Return whether the trace has only some of the objects of an allocator and a size. */
static inline bool sample_applies(const struct ledger *l, enum space space, uint64_t bytes)
{
	return l->one_of > 1 && space == SPACE_SLAB && bytes < l->page_size;
}

/* Return for how many objects one object of a kind of allocation stands. */
static inline unsigned int sample_weight(const struct ledger *l, const struct kind *kind)
{
	return sample_applies(l, kind_space(kind), class_size(kind->class)) ? l->one_of : 1;
}

#endif /* KMEMTRACE_SAMPLE_H */
