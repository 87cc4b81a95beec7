/* SPDX-License-Identifier: GPL-2.0 */
/* Slab objects and page frames of a snapshot. */
#ifndef _MM_KMEMTRACE_SNAPSHOT_MEMORY_H
#define _MM_KMEMTRACE_SNAPSHOT_MEMORY_H

#include <linux/types.h>

/**
 * struct kmemtrace_outcome - what a snapshot of memory lacks, and what it took
 * @unsure: slabs that it lacks because tasks were changing them
 * @unlisted: slabs that it lacks because the allocator can't list their objects
 * @stop_ns: the longest time for which all CPUs stood still; 0 during boot
 */
struct kmemtrace_outcome {
	unsigned int unsure;
	unsigned int unlisted;
	u64 stop_ns;
};

int kmemtrace_snapshot_memory(struct kmemtrace_outcome *outcome);

#endif /* _MM_KMEMTRACE_SNAPSHOT_MEMORY_H */
