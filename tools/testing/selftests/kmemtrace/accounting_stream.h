/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records of all CPUs of a trace, ordered by time.
 */
#ifndef ACCOUNTING_STREAM_H
#define ACCOUNTING_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include <linux/kmemtrace.h>

/**
 * struct stream - the records of one CPU
 * @cpu: number of the CPU
 * @data: content of the file
 * @size: size of the file in bytes
 * @at: offset of the next record
 * @ahead: time of the next record
 * @clock: the last CLOCK record so far
 * @events: number of ALLOC, FREE and FAILED records so far
 * @lost: number of lost records so far, by the LOST records
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
	struct stream *last;	/* stream of the last record */
};

/* Both exit with a message if a file can't be read or a record is invalid. */
void open_streams(struct streams *streams, const char *dir);
const struct kmemtrace_event *next_record(struct streams *streams);

/* Return the CLOCK_MONOTONIC time of the last record. */
uint64_t monotonic_time(const struct streams *streams,
			const struct kmemtrace_event *event);

#endif
