/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records of a trace directory, of all CPUs, in the order of their time.
 */
#ifndef ACCOUNTING_STREAM_H
#define ACCOUNTING_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include <linux/kmemtrace.h>

/**
 * struct stream - what one CPU recorded
 * @cpu: which
 * @data: the file
 * @size: bytes of it
 * @at: offset of the next record
 * @ahead: time of the next record
 * @clock: the last one
 * @events: ALLOC, FREE and FAILED so far
 * @lost: records that LOST told of so far
 */
struct stream {
	unsigned int cpu;
	const char *data;
	size_t size, at;
	int64_t ahead;
	struct kmemtrace_clock clock;
	uint64_t events, lost;
};

#define MAX_CPUS	64

struct streams {
	struct stream cpus[MAX_CPUS];
	unsigned int nr;
	struct stream *last;	/* that the last record came from */
};

/* All exit with a message where a file can't be read or a record is broken. */
void open_streams(struct streams *streams, const char *dir);
const struct kmemtrace_event *next_record(struct streams *streams);

/* CLOCK_MONOTONIC when the last record was written. */
uint64_t monotonic_time(const struct streams *streams,
			const struct kmemtrace_event *event);

#endif
