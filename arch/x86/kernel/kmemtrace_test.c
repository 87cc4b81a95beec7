// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of kmemtrace.c, which includes this file. */
#include <kunit/test.h>
#include <linux/atomic.h>
#include <linux/gfp.h>
#include <linux/kmemtrace.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

static atomic_t callsite_same, callsite_other, callsite_unwound;

/* Compare the result by stored steps with that of the unwinder. */
static noinline void callsite_test_compare(unsigned long *frame)
{
	if ((kmemtrace_follow(frame) ?: kmemtrace_unwind(frame)) ==
	    kmemtrace_unwind(frame))
		atomic_inc(&callsite_same);
	else
		atomic_inc(&callsite_other);
	if (!kmemtrace_follow(frame))
		atomic_inc(&callsite_unwound);
}

static void callsite_test_alloc(void *data, struct page *page,
				unsigned int order, gfp_t gfp)
{
	callsite_test_compare(__builtin_frame_address(0));
}

static void callsite_test_free(void *data, struct page *page,
			       unsigned int order)
{
	callsite_test_compare(__builtin_frame_address(0));
}

static void callsite_test_area(void *data, const struct vm_struct *area)
{
	callsite_test_compare(__builtin_frame_address(0));
}

/* Call the entry points of the page allocator. Other tasks call some of them, too. */
static void callsite_test_load(void)
{
	for (int i = 0; i < 100; i++) {
		unsigned long page = __get_free_pages(GFP_KERNEL, i % 4);
		struct folio *folio = folio_alloc(GFP_KERNEL, i % 3);
		void *exact = alloc_pages_exact(5 * PAGE_SIZE, GFP_KERNEL);
		void *area = vmalloc(i * PAGE_SIZE + 1);
		void *large = kvmalloc(SZ_1M, GFP_KERNEL);
		struct page *pages[8] = {};
		int nr = alloc_pages_bulk_array(GFP_KERNEL, ARRAY_SIZE(pages),
						pages);

		free_pages(page, i % 4);
		if (folio)
			folio_put(folio);
		if (exact)
			free_pages_exact(exact, 5 * PAGE_SIZE);
		vfree(area);
		kvfree(large);
		release_pages(pages, nr);
	}
}

/* Stored steps lead to the same call site as the unwinder, and are mostly complete. */
static void callsite_test_learned(struct kunit *test)
{
	unsigned int steps = 0;

	KUNIT_ASSERT_EQ(test, register_marker_page_alloc(callsite_test_alloc,
							 NULL), 0);
	KUNIT_EXPECT_EQ(test, register_marker_page_free(callsite_test_free,
							NULL), 0);
	KUNIT_EXPECT_EQ(test, register_marker_vm_area_free(callsite_test_area,
							   NULL), 0);
	callsite_test_load();
	remove_marker_page_alloc(callsite_test_alloc, NULL);
	remove_marker_page_free(callsite_test_free, NULL);
	remove_marker_vm_area_free(callsite_test_area, NULL);
	marker_synchronize_unregister();
	for (int i = 0; i < ARRAY_SIZE(kmemtrace_steps); i++)
		steps += kmemtrace_steps[i] != 0;
	kunit_info(test, "%d searches, %d unwound, %u steps\n",
		   atomic_read(&callsite_same), atomic_read(&callsite_unwound),
		   steps);
	KUNIT_EXPECT_EQ(test, atomic_read(&callsite_other), 0);
	KUNIT_EXPECT_GT(test, atomic_read(&callsite_same), 500);
	KUNIT_EXPECT_LT(test, atomic_read(&callsite_unwound),
			atomic_read(&callsite_same) / 20);
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
