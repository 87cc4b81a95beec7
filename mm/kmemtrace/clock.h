/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of the timestamps. */
#ifndef _MM_KMEMTRACE_CLOCK_H
#define _MM_KMEMTRACE_CLOCK_H

#include <linux/compiler.h>
#include <linux/sched/clock.h>
#include <linux/types.h>
#include <asm/kmemtrace.h>

struct kmemtrace_clock;

bool kmemtrace_cycles_possible(void);
void kmemtrace_choose_clock(void);
void kmemtrace_use_cycles(bool cycles);
bool kmemtrace_counts_cycles(void);
u64 kmemtrace_uncertainty(bool cycles);
void kmemtrace_read_clocks(struct kmemtrace_clock *clock, bool cycles);

/* Return the time in cycles or in nanoseconds of local_clock(). */
static __always_inline u64 kmemtrace_time(bool cycles)
{
	return cycles ? arch_kmemtrace_counter() : local_clock();
}

#endif /* _MM_KMEMTRACE_CLOCK_H */
