/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Markers of block devices.
 *
 * They are called for the requests of a device's queue. Devices without requests do not
 * call them: device mapper, md, zram and other drivers that take bios themselves. What
 * these pass on to another device is seen there. Not seen either: a bio on its way to
 * a request, and which bios are merged into one request.
 */
#ifndef _LINUX_MARKERS_BLOCK_H
#define _LINUX_MARKERS_BLOCK_H

#include <linux/marker.h>
#include <linux/types.h>

/*
 * The driver begins with a request: @bytes from the 512-byte @sector on, of the whole disk
 * @major:@minor, 0:0 if the queue has no disk. @op is REQ_OP_..., @flags are the other
 * bits REQ_... . Called again if the driver has to start the request again.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_BLOCK, block_issue,
	MARKER_PARAMS(unsigned int major, unsigned int minor, u64 sector,
		      unsigned int bytes, unsigned int op, unsigned int flags),
	MARKER_ARGS(major, minor, sector, bytes, op, flags),
	"major %u minor %u sector %llu bytes %u op %u flags %x")

/*
 * @bytes of a request from @sector on are complete, with @error, which is 0 or negative. A
 * request may complete in several parts. A request with a cache flush before or behind it
 * completes once more, with 0 bytes; so does a flush alone, without a block_issue of its own.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_BLOCK, block_complete,
	MARKER_PARAMS(unsigned int major, unsigned int minor, u64 sector,
		      unsigned int bytes, unsigned int op, unsigned int flags,
		      int error),
	MARKER_ARGS(major, minor, sector, bytes, op, flags, error),
	"major %u minor %u sector %llu bytes %u op %u flags %x error %d")

/* The arguments that both have; needs <linux/blktrace_api.h>. */
#define BLOCK_MARKER_ARGS(_rq, _bytes)					\
	(_rq)->q->disk ? (_rq)->q->disk->major : 0,			\
	(_rq)->q->disk ? (_rq)->q->disk->first_minor : 0,		\
	blk_rq_trace_sector(_rq), _bytes,				\
	(__force u32)req_op(_rq),					\
	(__force u32)((_rq)->cmd_flags & ~REQ_OP_MASK)

#endif /* _LINUX_MARKERS_BLOCK_H */
