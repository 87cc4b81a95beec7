// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of kmemtrace.c, which includes this file. */
#include <kunit/test.h>

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

static int callsite_test_init(struct kunit_suite *suite)
{
	kmemtrace_callsite_init();
	return 0;
}

static struct kunit_case callsite_test_cases[] = {
	KUNIT_CASE(callsite_test_learned),
	{ }
};

static struct kunit_suite callsite_test_suite = {
	.name = "kmemtrace_callsite_x86",
	.suite_init = callsite_test_init,
	.test_cases = callsite_test_cases,
};

kunit_test_suite(callsite_test_suite);
