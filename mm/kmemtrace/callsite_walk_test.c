// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of callsite_walk.c, which includes this file. */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/slab.h>

static void *callsite_test_object;
static unsigned long callsite_test_site;

static void callsite_test_kfree(void *data, unsigned long call_site,
				const void *ptr)
{
	if (ptr == callsite_test_object)
		callsite_test_site = kmemtrace_caller(call_site);
}

/* kvfree() jumps to kfree() or calls it, as the compiler wants. */
static noinline void callsite_test_kvfree(void *object)
{
	kvfree(object);
	barrier();
}

/* The call site is the caller of a wrapper, when its address is new and when it is known. */
static void callsite_test_wrapper(struct kunit *test)
{
	unsigned long here = (unsigned long)callsite_test_kvfree;

	KUNIT_ASSERT_EQ(test, register_marker_kfree(callsite_test_kfree, NULL),
			0);
	for (int i = 0; i < 2; i++) {
		callsite_test_site = 0;
		callsite_test_object = kmalloc(32, GFP_KERNEL);
		if (callsite_test_object)
			callsite_test_kvfree(callsite_test_object);
		KUNIT_EXPECT_GT(test, callsite_test_site, here);
		KUNIT_EXPECT_LT(test, callsite_test_site, here + 256);
	}
	remove_marker_kfree(callsite_test_kfree, NULL);
	marker_synchronize_unregister();
}

/* A fast search of its own has tests of its own. */
#ifdef arch_kmemtrace_caller_frame
/* The caller is in the probe, as that of kmemtrace_callsite_from() is. */
#define callsite_test_unwind(frame)	kmemtrace_unwind(_RET_IP_)
#include "callsite_search_test.h"

/* The links of the frames lead to the same call site as the unwinder. */
static void callsite_test_links(struct kunit *test)
{
	unsigned int passed = 0;

	callsite_test_searches(test);
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_passed); i++)
		passed += kmemtrace_passed[i] != 0;
	kunit_info(test, "%u return addresses into the allocator\n", passed);
	KUNIT_EXPECT_GT(test, passed, 10);
}
#endif

static int callsite_test_init(struct kunit_suite *suite)
{
	kmemtrace_callsite_init();
	return 0;
}

static struct kunit_case callsite_test_cases[] = {
	KUNIT_CASE(callsite_test_wrapper),
#ifdef arch_kmemtrace_caller_frame
	KUNIT_CASE(callsite_test_links),
#endif
	{ }
};

static struct kunit_suite callsite_test_suite = {
	.name = "kmemtrace_callsite_walk",
	.suite_init = callsite_test_init,
	.test_cases = callsite_test_cases,
};

kunit_test_suite(callsite_test_suite);
