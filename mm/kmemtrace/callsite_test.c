// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of callsite.c, which includes this file, and of the search for a caller.
 */
#include <kunit/test.h>
#include <linux/sched.h>

/* Functions of this version that other files call: the compiler can't inline all calls. */
static const struct {
	const char	*name;
	bool		built;
} known_wrappers[] = {
#include "known_wrappers.h"
	{ "kfree_const", true },
	{ "mempool_free", true },
	{ "mempool_free_slab", true },
	{ "mempool_kfree", true },
};

static void callsite_test_known(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(known_wrappers); i++) {
		const char *name = known_wrappers[i].name;
		unsigned long addr = kallsyms_lookup_name(name);

		if (!known_wrappers[i].built)
			continue;
		KUNIT_EXPECT_NE_MSG(test, addr, 0, "%s", name);
		KUNIT_EXPECT_TRUE_MSG(test, kmemtrace_in_wrapper(addr + 1),
				      "%s", name);
	}
	KUNIT_EXPECT_FALSE(test,
			   kmemtrace_in_wrapper((unsigned long)schedule + 1));
}

static void callsite_test_sorted(struct kunit *test)
{
	for (int i = 0; i < kmemtrace_nr_ranges; i++) {
		const struct kmemtrace_range *range = &kmemtrace_ranges[i];

		KUNIT_EXPECT_LT(test, range->start, range->end);
		if (i)
			KUNIT_EXPECT_GT(test, range->start, range[-1].end);
	}
}

/* Takes the place of a probe, which is never a call site. */
static noinline unsigned long callsite_test_probe(void)
{
	unsigned long call_site = kmemtrace_callsite();

	barrier();
	return call_site;
}

/* Takes the place of a caller: it is no function of the page allocator. */
static noinline unsigned long callsite_test_caller(void)
{
	unsigned long call_site = callsite_test_probe();

	barrier();
	return call_site;
}

static void callsite_test_self(struct kunit *test)
{
	unsigned long call_site = callsite_test_caller();
	unsigned long here = (unsigned long)callsite_test_caller;

	KUNIT_EXPECT_GT(test, call_site, here);
	KUNIT_EXPECT_LT(test, call_site, here + 256);
}

static int callsite_test_init(struct kunit_suite *suite)
{
	kmemtrace_callsite_init();
	return 0;
}

static struct kunit_case callsite_test_cases[] = {
	KUNIT_CASE(callsite_test_known),
	KUNIT_CASE(callsite_test_sorted),
	KUNIT_CASE(callsite_test_self),
	{ }
};

static struct kunit_suite callsite_test_suite = {
	.name = "kmemtrace_callsite",
	.suite_init = callsite_test_init,
	.test_cases = callsite_test_cases,
};

kunit_test_suite(callsite_test_suite);
