/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The file map<n> of a marker channel: the buffer of CPU n, for mmap().
 *
 * A reader maps the whole file, read only and shared. The mapping holds all
 * sub-buffers; only the one that MARKER_CHANNEL_NEXT returns is complete. poll()
 * reports the same as for cpu<n>.
 */
#ifndef _UAPI_LINUX_MARKER_CHANNEL_H
#define _UAPI_LINUX_MARKER_CHANNEL_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * struct marker_channel_subbuf - the oldest complete sub-buffer
 * @generation: changes each time the channel gets new buffers. A reader that sees
 *	it change must map the file again, and then call MARKER_CHANNEL_NEXT
 *	again. It changes only when all sub-buffers of the last generation
 *	have been consumed
 * @sequence: number of the sub-buffer in the CPU's stream; each generation begins
 *	at 0
 * @offset: offset in the mapping of the first byte that read() has not taken
 * @bytes: number of bytes from there on, never 0
 */
struct marker_channel_subbuf {
	__u64	generation;
	__u64	sequence;
	__u64	offset;
	__u64	bytes;
};

/* Get the oldest complete sub-buffer. EAGAIN: no sub-buffer is complete. */
#define MARKER_CHANNEL_NEXT	_IOR(0xBC, 0, struct marker_channel_subbuf)

/*
 * Release the sub-buffer of this generation and sequence number, so that the CPU can
 * write it again. ESTALE: it is not the oldest complete one.
 */
#define MARKER_CHANNEL_CONSUME	_IOW(0xBC, 1, struct marker_channel_subbuf)

#endif /* _UAPI_LINUX_MARKER_CHANNEL_H */
