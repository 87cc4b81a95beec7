// SPDX-License-Identifier: GPL-2.0
/*
 * The clock of the timestamps: a cycle counter or local_clock().
 *
 * Timestamps are cycles if all CPUs read one counter with a constant rate. Reading it
 * costs half of local_clock(), which converts cycles to nanoseconds. A reader of the
 * trace can do that later.
 *
 * Each sub-buffer has one clock, that of its first record. A change of the clock
 * takes effect from the next sub-buffer on.
 */
#define pr_fmt(fmt) "kmemtrace: " fmt

#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/printk.h>
#include <linux/sched/clock.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>
#include <uapi/linux/kmemtrace.h>
#include "clock.h"

/* Written with the switching lock of core.c held, read in any context. */
static bool kmemtrace_cycles __read_mostly;

enum kmemtrace_clock_param { CLOCK_AUTO, CLOCK_CYCLES, CLOCK_LOCAL };

static enum kmemtrace_clock_param kmemtrace_clock_param __ro_after_init;

/* Cycles per second as measured here, if the architecture doesn't know them. */
static u64 kmemtrace_measured_frequency __ro_after_init;

static int __init kmemtrace_parse_clock(char *arg)
{
	static const char * const words[] __initconst = {
		[CLOCK_AUTO]	= "auto",
		[CLOCK_CYCLES]	= "cycles",
		[CLOCK_LOCAL]	= "local",
	};
	int word = match_string(words, ARRAY_SIZE(words), arg ?: "");

	if (word >= 0)
		kmemtrace_clock_param = word;
	else
		pr_warn("kmemtrace.clock=%s is neither auto nor cycles nor local, using auto\n",
			arg ?: "");
	return 0;
}
early_param("kmemtrace.clock", kmemtrace_parse_clock);

/* Return the cycles per second, or 0 while unknown. */
static u64 kmemtrace_frequency(void)
{
	return arch_kmemtrace_frequency() ?: kmemtrace_measured_frequency;
}

/**
 * kmemtrace_cycles_possible - check whether the counter can be a clock
 *
 * Return: true if the counter has 64 bits, so that it never wraps, if it counts, and if
 * the kernel has not found that it differs between CPUs.
 */
bool kmemtrace_cycles_possible(void)
{
	return sizeof(cycles_t) == sizeof(u64) && arch_kmemtrace_counter() &&
	       !arch_kmemtrace_unstable();
}

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
	bool cycles = kmemtrace_cycles_possible() &&
		      (kmemtrace_clock_param == CLOCK_CYCLES ||
		       (kmemtrace_clock_param == CLOCK_AUTO &&
			arch_kmemtrace_synchronous()));

	if (kmemtrace_clock_param == CLOCK_CYCLES && !cycles)
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
	return READ_ONCE(kmemtrace_cycles) && !arch_kmemtrace_unstable();
}

/**
 * kmemtrace_uncertainty - estimate the difference between the clocks of two CPUs
 * @cycles: of cycles instead of local_clock()
 *
 * Timestamps of two CPUs that differ by less may be in the wrong order.
 *
 * Return: nanoseconds: few for synchronous clocks; a tick if the kernel keeps the clock
 * of each CPU only within a tick of a common clock.
 */
u64 kmemtrace_uncertainty(bool cycles)
{
#ifdef CONFIG_HAVE_UNSTABLE_SCHED_CLOCK
	if (!cycles && !sched_clock_stable())
		return TICK_NSEC;
#endif
	return NSEC_PER_USEC;
}

/**
 * kmemtrace_read_clocks - read the clock and CLOCK_MONOTONIC at one moment
 * @clock: result: timestamp, monotonic, error; with @cycles the frequency, too
 * @cycles: read cycles instead of local_clock()
 *
 * The error includes the resolution of CLOCK_MONOTONIC, which is a tick until the
 * kernel has found a clock for high-resolution timers.
 *
 * Context: any but NMI.
 */
void kmemtrace_read_clocks(struct kmemtrace_clock *clock, bool cycles)
{
	u64 frequency = cycles ? kmemtrace_frequency() : NSEC_PER_SEC;
	u64 before = kmemtrace_time(cycles), after;

	clock->monotonic = ktime_get_mono_fast_ns();
	after = kmemtrace_time(cycles);
	/* The reads are unordered, and a virtual CPU may move between them. */
	if ((s64)(after - before) < 0)
		after = before;
	clock->timestamp = before + (after - before) / 2;
	clock->error = hrtimer_resolution;
	if (frequency)
		clock->error += mul_u64_u64_div_u64(after - before,
						    NSEC_PER_SEC, frequency);
	else
		clock->error += TICK_NSEC;
	if (cycles)
		clock->frequency = frequency;
}

/* Count cycles for 10 ms if the command line asks for them and their rate is unknown. */
static int __init kmemtrace_calibrate(void)
{
	struct kmemtrace_clock first, last;
	u64 ns;

	if (kmemtrace_clock_param != CLOCK_CYCLES || kmemtrace_frequency() ||
	    !kmemtrace_cycles_possible())
		return 0;
	kmemtrace_read_clocks(&first, true);
	mdelay(10);
	kmemtrace_read_clocks(&last, true);
	ns = last.monotonic - first.monotonic;
	if (ns)
		kmemtrace_measured_frequency =
			mul_u64_u64_div_u64(last.timestamp - first.timestamp,
					    NSEC_PER_SEC, ns);
	return 0;
}
late_initcall(kmemtrace_calibrate);

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "clock_test.c"
#endif
