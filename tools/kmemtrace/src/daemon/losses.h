/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records that are missing from a trace.
 */
#ifndef COLLECTOR_LOSSES_H
#define COLLECTOR_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct lost - records that were lost
 * @bytes: their bytes
 * @records: how many
 */
struct lost {
	uint64_t	bytes;
	uint64_t	records;
};

/**
 * struct overrun - the losses of one CPU
 * @cpu: number of the CPU
 * @events: events since tracing was switched on, recorded or lost; 0 if the recorder
 *	doesn't count them
 * @all: all losses since tracing was switched on
 * @unreported: those of them that the stream doesn't report yet
 * @overwritten: records that newer ones replaced, in no other count
 */
struct overrun {
	int		cpu;
	uint64_t	events;
	struct lost	all;
	struct lost	unreported;
	uint64_t	overwritten;
};

/**
 * struct tally - what the stored part of a stream reports
 * @lost: records that are missing
 * @began: the position of the stream is known; the rest is 0 before that
 * @sequence: number of the last sub-buffer
 * @events: events of the CPU, stored or not, up to the end of the stored part
 * @before: those of them in sub-buffers before the first that was stored
 * @skipped: those of them in sub-buffers between others that were stored
 */
struct tally {
	struct lost	lost;
	bool		began;
	uint64_t	sequence;
	uint64_t	events;
	uint64_t	before;
	uint64_t	skipped;
};

/**
 * enum extent - the part of the kernel's records that was stored
 * @EXTENT_GROWS: the threads are reading
 * @EXTENT_CUT: the threads have ended, and some records may be left
 * @EXTENT_ALL: all of them
 */
enum extent {
	EXTENT_GROWS,
	EXTENT_CUT,
	EXTENT_ALL,
};

#endif /* COLLECTOR_LOSSES_H */
