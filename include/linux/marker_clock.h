/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of recorders: a cycle counter or local_clock().
 *
 * Cycles can be timestamps if all CPUs read one counter with a constant rate. Reading it
 * costs half of local_clock(), which converts cycles to nanoseconds. A reader of the
 * records can do that later.
 */
#ifndef _LINUX_MARKER_CLOCK_H
#define _LINUX_MARKER_CLOCK_H

#include <linux/compiler.h>
#include <linux/sched/clock.h>
#include <linux/types.h>
#include <asm/marker_clock.h>

/**
 * enum marker_clock_choice - what the command line asks for
 * @MARKER_CLOCK_AUTO: cycles if the architecture promises that they are right
 * @MARKER_CLOCK_CYCLES: cycles if the counter can be a clock
 * @MARKER_CLOCK_LOCAL: local_clock()
 */
enum marker_clock_choice {
	MARKER_CLOCK_AUTO,
	MARKER_CLOCK_CYCLES,
	MARKER_CLOCK_LOCAL,
};

/**
 * struct marker_clock_reading - a clock and CLOCK_MONOTONIC at one moment
 * @timestamp: of the clock
 * @monotonic: CLOCK_MONOTONIC in nanoseconds
 * @frequency: units of @timestamp per second; 0 while unknown
 * @error: nanoseconds by which @monotonic may be wrong for @timestamp
 */
struct marker_clock_reading {
	u64	timestamp;
	u64	monotonic;
	u64	frequency;
	u64	error;
};

int marker_clock_parse(const char *word, enum marker_clock_choice *choice);
bool marker_clock_possible(void);
bool marker_clock_choose(enum marker_clock_choice choice);
u64 marker_clock_uncertainty(bool cycles);
void marker_clock_read(struct marker_clock_reading *reading, bool cycles);

/* Return the time in cycles or in nanoseconds of local_clock(). */
static __always_inline u64 marker_clock_time(bool cycles)
{
	return cycles ? arch_marker_counter() : local_clock();
}

#endif /* _LINUX_MARKER_CLOCK_H */
