// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of clock.c, which includes this file. */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/timekeeping.h>

static void check_clocks(struct kunit *test, bool cycles)
{
	struct kmemtrace_clock first = { }, second = { };
	u64 before = ktime_get_mono_fast_ns();

	kmemtrace_read_clocks(&first, cycles);
	usleep_range(100, 200);
	kmemtrace_read_clocks(&second, cycles);
	KUNIT_EXPECT_GE(test, first.monotonic, before);
	KUNIT_EXPECT_GE(test, second.monotonic, first.monotonic);
	KUNIT_EXPECT_LE(test, second.monotonic, ktime_get_mono_fast_ns());
	KUNIT_EXPECT_GT(test, second.timestamp, first.timestamp);
	KUNIT_EXPECT_GE(test, first.error, hrtimer_resolution);
	KUNIT_EXPECT_EQ(test, first.frequency, second.frequency);
	if (!cycles)
		KUNIT_EXPECT_EQ(test, first.frequency, 0);
}

/* kmemtrace_read_clocks() reads both clocks at one moment, and both count. */
static void kmemtrace_test_clocks(struct kunit *test)
{
	check_clocks(test, false);
	if (kmemtrace_cycles_possible())
		check_clocks(test, true);
	else
		KUNIT_EXPECT_FALSE(test, kmemtrace_counts_cycles());
}

static struct kunit_case kmemtrace_clock_cases[] = {
	KUNIT_CASE(kmemtrace_test_clocks),
	{ }
};

static struct kunit_suite kmemtrace_clock_suite = {
	.name = "kmemtrace_clock",
	.test_cases = kmemtrace_clock_cases,
};

kunit_test_suite(kmemtrace_clock_suite);
