// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of mm/kmemtrace_callsite.c, which includes this file.
 */
#include <kunit/test.h>
#include <linux/gfp.h>

/* Functions of the page allocator that other files call: never inlined away. */
static const char * const known_wrappers[] = {
	"__alloc_pages_noprof",
	"__folio_alloc_noprof",
	"__folio_put",
	"__free_pages",
	"alloc_pages_bulk_noprof",
	"alloc_pages_exact_noprof",
	"folios_put_refs",
	"free_pages",
	"free_pages_exact",
	"free_unref_folios",
	"free_unref_page",
	"get_free_pages_noprof",
	"get_zeroed_page_noprof",
	"post_alloc_hook",
	"release_pages",
};

static void callsite_test_known(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(known_wrappers); i++) {
		unsigned long addr = kallsyms_lookup_name(known_wrappers[i]);

		KUNIT_EXPECT_NE_MSG(test, addr, 0, "%s", known_wrappers[i]);
		KUNIT_EXPECT_TRUE_MSG(test, kmemtrace_in_wrapper(addr + 1),
				      "%s", known_wrappers[i]);
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

/* Called from outside the allocator, the caller is who called. */
static noinline unsigned long callsite_test_caller(void)
{
	unsigned long call_site = kmemtrace_callsite();

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

static struct kunit_case callsite_test_cases[] = {
	KUNIT_CASE(callsite_test_known),
	KUNIT_CASE(callsite_test_sorted),
	KUNIT_CASE(callsite_test_self),
	{ }
};

static struct kunit_suite callsite_test_suite = {
	.name = "kmemtrace_callsite",
	.test_cases = callsite_test_cases,
};

kunit_test_suite(callsite_test_suite);
