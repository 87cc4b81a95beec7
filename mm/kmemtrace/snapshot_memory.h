/* SPDX-License-Identifier: GPL-2.0 */
/* Slab objects and page frames of a snapshot. */
#ifndef _MM_KMEMTRACE_SNAPSHOT_MEMORY_H
#define _MM_KMEMTRACE_SNAPSHOT_MEMORY_H

unsigned int kmemtrace_snapshot_memory(void);

#endif /* _MM_KMEMTRACE_SNAPSHOT_MEMORY_H */
