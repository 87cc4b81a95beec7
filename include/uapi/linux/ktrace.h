/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The ktrace stream and the ioctls of <debugfs>/ktrace/buffers/cpu<n>.
 *
 * A stream is a sequence of records in the byte order of the traced machine. Each
 * record begins with a struct ktrace_head.
 * Documentation/ABI/testing/debugfs-ktrace describes it.
 */
#ifndef _UAPI_LINUX_KTRACE_H
#define _UAPI_LINUX_KTRACE_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* Incremented with each change of the stream. */
#define KTRACE_ABI_VERSION	1

/**
 * enum ktrace_id - the records that are no events
 * @KTRACE_ID_PAD: zeros behind the struct ktrace_head
 * @KTRACE_ID_CLOCK: struct ktrace_clock
 * @KTRACE_ID_FIRST: the first id of an event; the file info has the names and formats
 */
enum ktrace_id {
	KTRACE_ID_PAD	= 0,
	KTRACE_ID_CLOCK	= 1,
	KTRACE_ID_FIRST	= 16,
};

/**
 * struct ktrace_head - begins each record
 * @id: enum ktrace_id, or the id of an event
 * @size: bytes of the record with this head, a multiple of 8
 * @delta: the time since the timestamp of the last struct ktrace_clock, in units of
 *	its clock; 0 for PAD and CLOCK
 *
 * The arguments of an event follow, packed, in the order of the format. A number has the
 * bytes of the type that it is passed with: 4 for int and anything smaller, 4 or 8 for
 * long, size_t and pointers, 8 for long long. A string has its own bytes and a NUL. Zeros
 * fill the rest.
 */
struct ktrace_head {
	__u16	id;
	__u16	size;
	__u32	delta;
};

/**
 * enum ktrace_clock_id - the units of time
 * @KTRACE_CLOCK_LOCAL: nanoseconds of the kernel's local_clock()
 * @KTRACE_CLOCK_CYCLES: cycles of one counter for all CPUs
 */
enum ktrace_clock_id {
	KTRACE_CLOCK_LOCAL	= 0,
	KTRACE_CLOCK_CYCLES	= 1,
};

/**
 * struct ktrace_clock - begins each sub-buffer, and precedes an event whose delta would
 *	not fit into 32 bits
 * @head: the head
 * @timestamp: the time of this record, from which the deltas of later events count
 * @monotonic: CLOCK_MONOTONIC in nanoseconds, at @timestamp
 * @frequency: units of @timestamp per second, as known at that time; 0 if unknown
 * @events: number of events on this CPU before this record since tracing was switched
 *	on, recorded or lost
 * @sequence: number of this sub-buffer in the stream of the CPU, from 0 on each time that
 *	tracing is switched on
 * @cpu: the CPU
 * @clock: enum ktrace_clock_id
 * @error: nanoseconds by which @monotonic may be wrong for @timestamp
 * @uncertainty: nanoseconds by which timestamps of two CPUs may be in the wrong order
 *
 * Events are missing between two such records if @events increases by more than the number
 * of events between them.
 */
struct ktrace_clock {
	struct ktrace_head head;
	__u64	timestamp;
	__u64	monotonic;
	__u64	frequency;
	__u64	events;
	__u64	sequence;
	__u32	cpu;
	__u32	clock;
	__u32	error;
	__u32	uncertainty;
};

/*
 * ioctls. A position counts bytes; modulo the size of the buffer it is an offset in the
 * mapping. The bytes from GET_CONSUMED to GET_PRODUCED are one sub-buffer, or the rest
 * of it; none if the two are equal. ESTALE: the buffer was replaced since it was mapped
 * through this file: map it again. ENXIO: the CPU has no buffer at present.
 */

/* Get the size of the buffer in bytes, which is that of its mapping. */
#define KTRACE_BUF_GET_SIZE	_IOR(0xF5, 0, __u64)
/* Get the position behind the last complete byte of the oldest sub-buffer. */
#define KTRACE_BUF_GET_PRODUCED	_IOR(0xF5, 1, __u64)
/* Get the position of the first byte that was not consumed. */
#define KTRACE_BUF_GET_CONSUMED	_IOR(0xF5, 2, __u64)
/* Make all events so far readable that the CPU has recorded. */
#define KTRACE_BUF_PUT_PRODUCED	_IO(0xF5, 3)
/* Consume all bytes before a position, at most GET_PRODUCED. EINVAL: out of range. */
#define KTRACE_BUF_PUT_CONSUMED	_IOW(0xF5, 4, __u64)

#endif /* _UAPI_LINUX_KTRACE_H */
