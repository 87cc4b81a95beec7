// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of refs.c, which includes this file. Tracing is off: no record is written. */
#include <kunit/test.h>

DEFINE_KMEMTRACE_REF(kunit);

/* What the probe below was called with. */
struct refs_test_call {
	unsigned long	call_site;
	const void	*object;
	int		change;
	int		count;
};

static void refs_test_probe(void *data, unsigned long call_site,
			    const void *object, int change, int count)
{
	*(struct refs_test_call *)data =
		(struct refs_test_call) { call_site, object, change, count };
}

/* A kind that is defined by one line is known, and its name fits into a record. */
static void refs_test_known(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, kmemtrace_kind_is_known("kunit"));
	KUNIT_EXPECT_FALSE(test, kmemtrace_kind_is_known("nothing"));
	KUNIT_EXPECT_FALSE(test, kmemtrace_kind_is_known(""));
	KUNIT_EXPECT_FALSE(test, kmemtrace_kind_is_known("0123456789abcdef"));
	KUNIT_EXPECT_EQ(test, kmemtrace_kind_is_known("page"),
			IS_ENABLED(CONFIG_DEBUG_PAGE_REF));
}

/* Ends with the call: it must not become a jump, which has no return address of its own. */
static noinline void refs_test_get(const void *object)
{
	kmemtrace_ref_get(kunit, object, 1);
}

/* A probe gets the caller of the function that changes the count. */
static void refs_test_call(struct kunit *test)
{
	struct refs_test_call call = { };

	kmemtrace_ref(kunit, test, 1, 1);
	KUNIT_EXPECT_NULL(test, call.object);
	KUNIT_ASSERT_EQ(test, register_marker_ref_kunit(refs_test_probe, &call), 0);
	kmemtrace_ref(kunit, test, 2, 3);
	KUNIT_EXPECT_PTR_EQ(test, call.object, (const void *)test);
	KUNIT_EXPECT_EQ(test, call.change, 2);
	KUNIT_EXPECT_EQ(test, call.count, 3);
	refs_test_get(test);
	KUNIT_EXPECT_LT(test, call.call_site - (unsigned long)refs_test_get, 256);
	KUNIT_EXPECT_EQ(test, call.change, 1);
	KUNIT_EXPECT_EQ(test, call.count, 2);
	kmemtrace_ref_put(kunit, test, false);
	KUNIT_EXPECT_EQ(test, call.change, -1);
	KUNIT_EXPECT_EQ(test, call.count, KMEMTRACE_REF_COUNT_UNKNOWN);
	kmemtrace_ref_put(kunit, test, true);
	KUNIT_EXPECT_EQ(test, call.count, 0);
	KUNIT_EXPECT_EQ(test, unregister_marker_ref_kunit(refs_test_probe, &call), 0);
}

/* The chosen kinds get probes, and lose them. */
static void refs_test_register(struct kunit *test)
{
	kmemtrace_choose_kind(2, "kunit");
	KUNIT_EXPECT_STREQ(test, kmemtrace_chosen_kind(2), "kunit");
	KUNIT_EXPECT_EQ(test, kmemtrace_register_refs(), 0);
	KUNIT_EXPECT_TRUE(test, static_key_enabled(&__marker_ref_kunit.key));
	kmemtrace_unregister_refs();
	marker_synchronize_unregister();
	KUNIT_EXPECT_FALSE(test, static_key_enabled(&__marker_ref_kunit.key));
	kmemtrace_choose_kind(2, "");
}

static struct kunit_case refs_test_cases[] = {
	KUNIT_CASE(refs_test_known),
	KUNIT_CASE(refs_test_call),
	KUNIT_CASE(refs_test_register),
	{ }
};

static struct kunit_suite refs_test_suite = {
	.name = "kmemtrace_refs",
	.test_cases = refs_test_cases,
};

kunit_test_suite(refs_test_suite);
