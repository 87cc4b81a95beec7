// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of mm/kmemtrace_callsite.c, which includes this file.
 */
#include <kunit/test.h>
#include <linux/gfp.h>
#include <linux/vmalloc.h>

/* Functions that other files call: they can't be inlined away. */
static const struct {
	const char	*name;
	bool		built;
} known_wrappers[] = {
	{ "__alloc_pages_noprof", true },
	{ "__folio_alloc_noprof", true },
	{ "__folio_put", true },
	{ "__free_pages", true },
	{ "__kvmalloc_node_noprof", true },
	{ "__page_frag_cache_drain", true },
	{ "__vmalloc_node_noprof", true },
	{ "__vmalloc_node_range_noprof", true },
	{ "__vmalloc_noprof", true },
	{ "alloc_contig_range_noprof", IS_ENABLED(CONFIG_CONTIG_ALLOC) },
	{ "alloc_pages_bulk_array_mempolicy_noprof", IS_ENABLED(CONFIG_NUMA) },
	{ "alloc_pages_bulk_noprof", true },
	{ "alloc_pages_exact_noprof", true },
	{ "alloc_pages_noprof", IS_ENABLED(CONFIG_NUMA) },
	{ "folio_alloc_noprof", IS_ENABLED(CONFIG_NUMA) },
	{ "folios_put_refs", true },
	{ "free_pages", true },
	{ "free_pages_exact", true },
	{ "free_unref_folios", true },
	{ "free_unref_page", true },
	{ "get_free_pages_noprof", true },
	{ "get_zeroed_page_noprof", true },
	{ "kvfree", true },
	{ "page_frag_cache_drain", true },
	{ "page_frag_free", true },
	{ "post_alloc_hook", true },
	{ "put_pages_list", true },
	{ "release_pages", true },
	{ "try_to_compact_pages", IS_ENABLED(CONFIG_COMPACTION) },
	{ "vfree", true },
	{ "vma_alloc_folio_noprof", IS_ENABLED(CONFIG_NUMA) },
	{ "vmalloc_huge_noprof", true },
	{ "vmalloc_node_noprof", true },
	{ "vmalloc_noprof", true },
	{ "vmalloc_user_noprof", true },
	{ "vzalloc_node_noprof", true },
	{ "vzalloc_noprof", true },
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

/* In the place of a probe, which no call site is ever in. */
static noinline unsigned long callsite_test_probe(void)
{
	unsigned long call_site = kmemtrace_callsite();

	barrier();
	return call_site;
}

/* Called from outside the allocator, the caller is who called. */
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

#ifdef KMEMTRACE_LEARNS
static atomic_t callsite_same, callsite_other, callsite_unwound;

/* The unwinder, without what was learned from it. */
static noinline void callsite_test_compare(unsigned long *frame)
{
	if (kmemtrace_search(frame) == kmemtrace_unwind(frame))
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

/* Whatever the system does in the meantime, and all that a test can. */
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

/* What was learned of frames is what the unwinder says each time, and all it takes. */
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
#endif

static int callsite_test_init(struct kunit_suite *suite)
{
	kmemtrace_callsite_init();
	return 0;
}

static struct kunit_case callsite_test_cases[] = {
	KUNIT_CASE(callsite_test_known),
	KUNIT_CASE(callsite_test_sorted),
	KUNIT_CASE(callsite_test_self),
#ifdef KMEMTRACE_LEARNS
	KUNIT_CASE(callsite_test_learned),
#endif
	{ }
};

static struct kunit_suite callsite_test_suite = {
	.name = "kmemtrace_callsite",
	.suite_init = callsite_test_init,
	.test_cases = callsite_test_cases,
};

kunit_test_suite(callsite_test_suite);
