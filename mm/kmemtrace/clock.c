// SPDX-License-Identifier: GPL-2.0
/*
 * Which clock the timestamps have.
 *
 * Each sub-buffer has one clock, that of its first record. A change of the clock
 * takes effect from the next sub-buffer on.
 */
#define pr_fmt(fmt) "kmemtrace: " fmt

#include <linux/compiler.h>
#include <linux/init.h>
#include <linux/marker_clock.h>
#include <linux/printk.h>
#include "clock.h"

/* Written with the switching lock of core.c held, read in any context. */
static bool kmemtrace_cycles __read_mostly;

static enum marker_clock_choice kmemtrace_clock_param __ro_after_init;

static int __init kmemtrace_parse_clock(char *arg)
{
	if (marker_clock_parse(arg, &kmemtrace_clock_param))
		pr_warn("kmemtrace.clock=%s is neither auto nor cycles nor local, using auto\n",
			arg ?: "");
	return 0;
}
early_param("kmemtrace.clock", kmemtrace_parse_clock);

/**
 * kmemtrace_use_cycles - set the clock of the next sub-buffers
 * @cycles: cycles instead of local_clock()
 */
void kmemtrace_use_cycles(bool cycles)
{
	WRITE_ONCE(kmemtrace_cycles, cycles);
}

/**
 * kmemtrace_choose_clock - set the clock by the command line and the counter
 *
 * Context: task, before recording starts.
 */
void kmemtrace_choose_clock(void)
{
	bool cycles = marker_clock_choose(kmemtrace_clock_param);

	if (kmemtrace_clock_param == MARKER_CLOCK_CYCLES && !cycles)
		pr_warn("kmemtrace.clock=cycles: there is no counter for all CPUs, using local_clock\n");
	kmemtrace_use_cycles(cycles);
}

/**
 * kmemtrace_counts_cycles - return which clock the next sub-buffer has
 *
 * Context: any. A stale value makes one more sub-buffer with the former clock.
 * Return: true for cycles, false for local_clock().
 */
bool kmemtrace_counts_cycles(void)
{
	return READ_ONCE(kmemtrace_cycles) && !arch_marker_unstable();
}
