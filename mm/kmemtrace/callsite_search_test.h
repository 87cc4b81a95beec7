/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The common part of the KUnit tests of each fast search for a caller. The file that
 * includes this one has kmemtrace_follow(), the fast search, and callsite_test_unwind(),
 * the search with the unwinder. Both get the frame of a probe.
 */
#include <kunit/test.h>
#include <linux/atomic.h>
#include <linux/gfp.h>
#include <linux/kmemtrace.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "compat.h"

static atomic_t callsite_same, callsite_other, callsite_unwound;

/* Compare the result of the fast search with that of the unwinder. */
static noinline void callsite_test_compare(unsigned long *frame)
{
	unsigned long unwound = callsite_test_unwind(frame);

	if ((kmemtrace_follow(frame) ?: unwound) == unwound)
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
		int nr = alloc_pages_bulk(GFP_KERNEL, ARRAY_SIZE(pages), pages);

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

/* Both searches find the same call site, and the fast one finds nearly all of them. */
static void callsite_test_searches(struct kunit *test)
{
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
	kunit_info(test, "%d searches, %d unwound\n",
		   atomic_read(&callsite_same), atomic_read(&callsite_unwound));
	KUNIT_EXPECT_EQ(test, atomic_read(&callsite_other), 0);
	KUNIT_EXPECT_GT(test, atomic_read(&callsite_same), 500);
	KUNIT_EXPECT_LT(test, atomic_read(&callsite_unwound),
			atomic_read(&callsite_same) / 20);
}
