/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The file map<n> of a marker channel: the buffer of a CPU, mapped into the memory of
 * its reader.
 *
 * A mapping of the whole file, read only, has all sub-buffers, of which only those are
 * complete that MARKER_CHANNEL_NEXT tells of. What poll() says of cpu<n> it says here.
 */
#ifndef _UAPI_LINUX_MARKER_CHANNEL_H
#define _UAPI_LINUX_MARKER_CHANNEL_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * struct marker_channel_subbuf - the oldest sub-buffer that is complete
 * @generation: changes each time the channel gets new buffers, which are to be mapped
 *	anew then, before this is asked again; not before all of the last ones is
 *	consumed
 * @sequence: number of it in the CPU's stream, from 0 on in each generation
 * @offset: of its first byte that read() has not taken, in the mapping
 * @bytes: from there on, above 0
 */
struct marker_channel_subbuf {
	__u64	generation;
	__u64	sequence;
	__u64	offset;
	__u64	bytes;
};

/* EAGAIN: there is none now. */
#define MARKER_CHANNEL_NEXT	_IOR(0xBC, 0, struct marker_channel_subbuf)

/*
 * Give the sub-buffer of that generation and sequence number back, which the CPU will
 * write again. ESTALE: that isn't the oldest one that is complete.
 */
#define MARKER_CHANNEL_CONSUME	_IOW(0xBC, 1, struct marker_channel_subbuf)

#endif /* _UAPI_LINUX_MARKER_CHANNEL_H */
