// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of kmemtrace.c, which includes this file. */
#include <kunit/test.h>
#include <linux/string.h>

#define callsite_test_unwind	kmemtrace_unwind
#include "../../../mm/kmemtrace/callsite_search_test.h"

/* Stored steps lead to the same call site as the unwinder, and are mostly complete. */
static void callsite_test_learned(struct kunit *test)
{
	unsigned int steps = 0;

	callsite_test_searches(test);
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_steps); i++)
		steps += kmemtrace_steps[i] != 0;
	kunit_info(test, "%u steps\n", steps);
	KUNIT_EXPECT_GT(test, steps, 10);
}

/* Stored steps lead along the same path as the unwinder, to its end. */
static noinline void path_test_follow(struct kunit *test)
{
	unsigned long *frame = __builtin_frame_address(0);
	struct kmemtrace_path followed, unwound;

	KUNIT_ASSERT_TRUE(test, kmemtrace_path_unwind(&unwound, frame[1], frame));
	KUNIT_EXPECT_GT(test, unwound.depth, 3);
	KUNIT_EXPECT_FALSE(test, unwound.is_cut);
	KUNIT_ASSERT_TRUE(test, kmemtrace_path_follow(&followed, frame[1], frame));
	KUNIT_EXPECT_EQ(test, followed.hash, unwound.hash);
	KUNIT_ASSERT_EQ(test, followed.depth, unwound.depth);
	KUNIT_EXPECT_EQ(test, memcmp(followed.frames, unwound.frames,
				     unwound.depth * sizeof(unwound.frames[0])), 0);
}

/* No step leads there. */
static noinline void path_test_not_there(struct kunit *test)
{
	unsigned long *frame = __builtin_frame_address(0);
	struct kmemtrace_path path;

	kmemtrace_path_walk(&path, frame[1] + 1, frame);
	KUNIT_ASSERT_EQ(test, path.depth, 1);
	KUNIT_EXPECT_EQ(test, path.frames[0], frame[1] + 1);
	KUNIT_EXPECT_TRUE(test, path.is_cut);
}

static int callsite_test_suite_init(struct kunit_suite *suite)
{
	kmemtrace_callsite_init();
	return 0;
}

static int callsite_test_init(struct kunit *test)
{
	return kmemtrace_path_init();
}

static void callsite_test_exit(struct kunit *test)
{
	kmemtrace_path_exit();
}

static struct kunit_case callsite_test_cases[] = {
	KUNIT_CASE(callsite_test_learned),
	KUNIT_CASE(path_test_follow),
	KUNIT_CASE(path_test_not_there),
	{ }
};

static struct kunit_suite callsite_test_suite = {
	.name = "kmemtrace_callsite_x86",
	.suite_init = callsite_test_suite_init,
	.init = callsite_test_init,
	.exit = callsite_test_exit,
	.test_cases = callsite_test_cases,
};

kunit_test_suite(callsite_test_suite);
