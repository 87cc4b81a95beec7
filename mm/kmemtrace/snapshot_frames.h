/* SPDX-License-Identifier: GPL-2.0 */
/* Page frames of a snapshot. */
#ifndef _MM_KMEMTRACE_SNAPSHOT_FRAMES_H
#define _MM_KMEMTRACE_SNAPSHOT_FRAMES_H

#include <linux/mmzone.h>
#include <linux/types.h>
#include <uapi/linux/kmemtrace.h>

struct page;

/* Frames of a part, at least one block. */
#define KMEMTRACE_PART_FRAMES \
	(MAX_ORDER_NR_PAGES > 65536UL ? MAX_ORDER_NR_PAGES : 65536UL)

/**
 * struct kmemtrace_part - a part of a zone
 * @zone: the zone
 * @start: first frame
 * @end: the frame after the last one
 * @slabs: a bit for each frame; set if a slab began there
 * @run: neighbouring frames of one state that are not recorded yet
 */
struct kmemtrace_part {
	struct zone	*zone;
	unsigned long	start, end;
	DECLARE_BITMAP(slabs, KMEMTRACE_PART_FRAMES);
	struct kmemtrace_snapshot_pages run;
};

bool kmemtrace_is_slab(struct page *page);
unsigned int kmemtrace_next_cpu(void);
void kmemtrace_lock_memory(void);
void kmemtrace_unlock_memory(void);
int kmemtrace_snapshot_frames(struct kmemtrace_part *part,
			      void (*look)(struct kmemtrace_part *part));

#endif /* _MM_KMEMTRACE_SNAPSHOT_FRAMES_H */
