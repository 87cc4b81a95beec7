// SPDX-License-Identifier: GPL-2.0
/*
 * The clock of recorders: which clock can be used, and how it relates to
 * CLOCK_MONOTONIC. See <linux/marker_clock.h>.
 */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/marker_clock.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>

/* Whether a recorder's command line asks for cycles. */
static bool marker_clock_wanted __initdata;

/* Cycles per second as measured here, if the architecture doesn't know them. */
static u64 marker_clock_measured __ro_after_init;

/**
 * marker_clock_parse - parse the value of a boot parameter
 * @word: "auto", "cycles" or "local", or NULL
 * @choice: result
 *
 * Return: 0 or -EINVAL.
 */
int __init marker_clock_parse(const char *word, enum marker_clock_choice *choice)
{
	static const char * const words[] __initconst = {
		[MARKER_CLOCK_AUTO]	= "auto",
		[MARKER_CLOCK_CYCLES]	= "cycles",
		[MARKER_CLOCK_LOCAL]	= "local",
	};
	int index = match_string(words, ARRAY_SIZE(words), word ?: "");

	if (index < 0)
		return -EINVAL;
	*choice = index;
	if (*choice == MARKER_CLOCK_CYCLES)
		marker_clock_wanted = true;
	return 0;
}

/* Return the cycles per second, or 0 while unknown. */
static u64 marker_clock_frequency(void)
{
	return arch_marker_frequency() ?: marker_clock_measured;
}

/**
 * marker_clock_possible - check whether the counter can be a clock
 *
 * Return: true if the counter has 64 bits, so that it never wraps, if it counts, and if
 * the kernel has not found that it differs between CPUs.
 */
bool marker_clock_possible(void)
{
	return sizeof(cycles_t) == sizeof(u64) && arch_marker_counter() &&
	       !arch_marker_unstable();
}

/**
 * marker_clock_choose - choose a clock
 * @choice: of the command line
 *
 * Return: true for cycles, false for local_clock().
 */
bool marker_clock_choose(enum marker_clock_choice choice)
{
	return marker_clock_possible() &&
	       (choice == MARKER_CLOCK_CYCLES ||
		(choice == MARKER_CLOCK_AUTO && arch_marker_synchronous()));
}

/**
 * marker_clock_uncertainty - estimate the difference between the clocks of two CPUs
 * @cycles: of cycles instead of local_clock()
 *
 * Timestamps of two CPUs that differ by less may be in the wrong order.
 *
 * Return: nanoseconds: few for synchronous clocks; a tick if the kernel keeps the clock
 * of each CPU only within a tick of a common clock.
 */
u64 marker_clock_uncertainty(bool cycles)
{
#ifdef CONFIG_HAVE_UNSTABLE_SCHED_CLOCK
	if (!cycles && !sched_clock_stable())
		return TICK_NSEC;
#endif
	return NSEC_PER_USEC;
}

/**
 * marker_clock_read - read a clock and CLOCK_MONOTONIC at one moment
 * @reading: result
 * @cycles: read cycles instead of local_clock()
 *
 * The error includes the resolution of CLOCK_MONOTONIC, which is a tick until the
 * kernel has found a clock for high-resolution timers.
 *
 * Context: any but NMI.
 */
void marker_clock_read(struct marker_clock_reading *reading, bool cycles)
{
	u64 frequency = cycles ? marker_clock_frequency() : NSEC_PER_SEC;
	u64 before = marker_clock_time(cycles), after;

	reading->monotonic = ktime_get_mono_fast_ns();
	after = marker_clock_time(cycles);
	/* The reads are unordered, and a virtual CPU may move between them. */
	if ((s64)(after - before) < 0)
		after = before;
	reading->timestamp = before + (after - before) / 2;
	reading->frequency = frequency;
	reading->error = hrtimer_resolution;
	if (frequency)
		reading->error += mul_u64_u64_div_u64(after - before,
						      NSEC_PER_SEC, frequency);
	else
		reading->error += TICK_NSEC;
}

/* Count cycles for 10 ms if a command line asks for them and their rate is unknown. */
static int __init marker_clock_measure(void)
{
	struct marker_clock_reading first, last;
	u64 ns;

	if (!marker_clock_wanted || marker_clock_frequency() ||
	    !marker_clock_possible())
		return 0;
	marker_clock_read(&first, true);
	mdelay(10);
	marker_clock_read(&last, true);
	ns = last.monotonic - first.monotonic;
	if (ns)
		marker_clock_measured =
			mul_u64_u64_div_u64(last.timestamp - first.timestamp,
					    NSEC_PER_SEC, ns);
	return 0;
}
late_initcall(marker_clock_measure);

#ifdef CONFIG_MARKER_CHANNEL_KUNIT_TEST
#include "marker_clock_test.c"
#endif
