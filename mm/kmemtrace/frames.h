/* SPDX-License-Identifier: GPL-2.0 */
/* Records of page frames: neighbours of one state become one record. */
#ifndef _MM_KMEMTRACE_FRAMES_H
#define _MM_KMEMTRACE_FRAMES_H

#include <linux/types.h>
#include <uapi/linux/kmemtrace.h>

struct page;

void kmemtrace_add_frames(struct kmemtrace_snapshot_pages *run, int node,
			  enum kmemtrace_frames state, unsigned long pfn,
			  unsigned long nr);
void kmemtrace_flush_frames(struct kmemtrace_snapshot_pages *run);
void kmemtrace_emit_reserved(int node, unsigned long pfn, unsigned long nr,
			     bool found);
void kmemtrace_emit_own(struct page **pages, size_t nr);

#endif /* _MM_KMEMTRACE_FRAMES_H */
