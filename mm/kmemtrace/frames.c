// SPDX-License-Identifier: GPL-2.0
/* Records of page frames: neighbours of one state become one record. */
#include <linux/build_bug.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/stddef.h>
#include <uapi/linux/kmemtrace.h>
#include "address.h"
#include "frames.h"
#include "record.h"

static_assert(sizeof(struct kmemtrace_snapshot_pages) == 56);
static_assert(offsetof(struct kmemtrace_snapshot_pages, timestamp) == 48);

static struct kmemtrace_snapshot_pages
kmemtrace_frames_record(int node, enum kmemtrace_frames state, u64 ptr,
			u64 bytes)
{
	return (struct kmemtrace_snapshot_pages) {
		.event_id = KMEMTRACE_EVENT_SNAPSHOT,
		.type_id = KMEMTRACE_TYPE_PAGES,
		.event_size = sizeof(struct kmemtrace_snapshot_pages),
		.node = node,
		.state = state,
		.found = state != KMEMTRACE_FRAMES_OWN,
		.ptr = ptr,
		.bytes = bytes,
	};
}

/**
 * kmemtrace_emit_reserved - record memory that is not in the page allocator
 * @node: its node
 * @pfn: first frame; it may have no struct page, but is in the linear map
 * @nr: number of frames
 * @found: true: the snapshot found it so; false: it is being plugged in or unplugged
 */
void kmemtrace_emit_reserved(int node, unsigned long pfn, unsigned long nr,
			     bool found)
{
	struct kmemtrace_snapshot_pages record =
		kmemtrace_frames_record(node, KMEMTRACE_FRAMES_RESERVED,
					(unsigned long)__va(PFN_PHYS(pfn)),
					(u64)nr << PAGE_SHIFT);

	record.found = found;
	kmemtrace_write(&record, sizeof(record));
}

/**
 * kmemtrace_flush_frames - record the frames that were added to a run
 * @run: the run; empty afterwards
 */
void kmemtrace_flush_frames(struct kmemtrace_snapshot_pages *run)
{
	if (run->bytes)
		kmemtrace_write(run, sizeof(*run));
	run->bytes = 0;
}

/**
 * kmemtrace_add_frames - add frames to a run, or record the run and begin another
 * @run: neighbouring frames of one state that are not recorded yet
 * @node: node of the frames
 * @state: their state
 * @pfn: the first
 * @nr: number of frames
 *
 * A run grows at either end.
 */
void kmemtrace_add_frames(struct kmemtrace_snapshot_pages *run, int node,
			  enum kmemtrace_frames state, unsigned long pfn,
			  unsigned long nr)
{
	u64 ptr = kmemtrace_page_ptr(pfn_to_page(pfn));
	u64 bytes = (u64)nr << PAGE_SHIFT;

	if (run->state != state || run->node != node ||
	    (run->ptr + run->bytes != ptr && ptr + bytes != run->ptr))
		kmemtrace_flush_frames(run);
	if (!run->bytes)
		*run = kmemtrace_frames_record(node, state, ptr, 0);
	run->ptr = min(run->ptr, ptr);
	run->bytes += bytes;
}

/**
 * kmemtrace_emit_own - record which pages are a buffer of kmemtrace
 * @pages: the pages
 * @nr: number of frames
 *
 * A reader uses this record to distinguish memory of the tracer from other memory.
 *
 * Context: task.
 */
void kmemtrace_emit_own(struct page **pages, size_t nr)
{
	struct kmemtrace_snapshot_pages run = { };

	for (size_t i = 0; i < nr; i++)
		kmemtrace_add_frames(&run, page_to_nid(pages[i]),
				     KMEMTRACE_FRAMES_OWN,
				     page_to_pfn(pages[i]), 1);
	kmemtrace_flush_frames(&run);
}
