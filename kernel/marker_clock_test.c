// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of marker_clock.c, which includes this file. */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/timekeeping.h>

static void check_clocks(struct kunit *test, bool cycles)
{
	struct marker_clock_reading first, second;
	u64 before = ktime_get_mono_fast_ns();

	marker_clock_read(&first, cycles);
	usleep_range(100, 200);
	marker_clock_read(&second, cycles);
	KUNIT_EXPECT_GE(test, first.monotonic, before);
	KUNIT_EXPECT_GE(test, second.monotonic, first.monotonic);
	KUNIT_EXPECT_LE(test, second.monotonic, ktime_get_mono_fast_ns());
	KUNIT_EXPECT_GT(test, second.timestamp, first.timestamp);
	KUNIT_EXPECT_GE(test, first.error, hrtimer_resolution);
	KUNIT_EXPECT_EQ(test, first.frequency, second.frequency);
	if (!cycles)
		KUNIT_EXPECT_EQ(test, first.frequency, NSEC_PER_SEC);
}

/* marker_clock_read() reads both clocks at one moment, and both count. */
static void marker_clock_test_read(struct kunit *test)
{
	check_clocks(test, false);
	if (marker_clock_possible())
		check_clocks(test, true);
	else
		KUNIT_EXPECT_FALSE(test,
				   marker_clock_choose(MARKER_CLOCK_CYCLES));
	KUNIT_EXPECT_FALSE(test, marker_clock_choose(MARKER_CLOCK_LOCAL));
}

static struct kunit_case marker_clock_cases[] = {
	KUNIT_CASE(marker_clock_test_read),
	{ }
};

static struct kunit_suite marker_clock_suite = {
	.name = "marker_clock",
	.test_cases = marker_clock_cases,
};

kunit_test_suite(marker_clock_suite);
