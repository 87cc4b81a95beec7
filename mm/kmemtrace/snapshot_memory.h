/* SPDX-License-Identifier: GPL-2.0 */
/* Slab objects and page frames of a snapshot. */
#ifndef _MM_KMEMTRACE_SNAPSHOT_MEMORY_H
#define _MM_KMEMTRACE_SNAPSHOT_MEMORY_H

/**
 * struct kmemtrace_missing - slabs that a snapshot lacks
 * @unsure: because tasks were changing them
 * @unlisted: because the allocator can't list their objects
 */
struct kmemtrace_missing {
	unsigned int unsure;
	unsigned int unlisted;
};

int kmemtrace_snapshot_memory(struct kmemtrace_missing *missing);

#endif /* _MM_KMEMTRACE_SNAPSHOT_MEMORY_H */
