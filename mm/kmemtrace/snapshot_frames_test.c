// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of snapshot_frames.c, which includes this file: what the page allocator knows of
 * its frames.
 */
#include <asm/sections.h>
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/page_reporting.h>
#include <linux/scatterlist.h>

static enum kmemtrace_frames state_of(struct page *page)
{
	unsigned long pfn = page_to_pfn(page), nr;
	struct zone *zone = page_zone(page);
	enum kmemtrace_frames state;

	zone_pcp_disable(zone);
	spin_lock_irq(&zone->lock);
	state = kmemtrace_state_of(page, pfn, pfn + 1, &nr);
	spin_unlock_irq(&zone->lock);
	zone_pcp_enable(zone);
	return state;
}

/* A freed page leaves the list of its CPU, and is free until it is allocated again. */
static bool freed_page_is_free(struct kunit *test)
{
	struct page *page = alloc_page(GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, page);
	KUNIT_EXPECT_EQ(test, state_of(page), KMEMTRACE_FRAMES_LIVE);
	__free_page(page);
	return state_of(page) == KMEMTRACE_FRAMES_FREE;
}

static void kmemtrace_test_frames(struct kunit *test)
{
	struct page *text = pfn_to_page(PHYS_PFN(__pa_symbol(_text)));
	int tries = 10;

	while (!freed_page_is_free(test) && --tries)
		;
	KUNIT_EXPECT_NE(test, tries, 0);
	KUNIT_EXPECT_EQ(test, state_of(text), KMEMTRACE_FRAMES_RESERVED);
}

/* A page of a balloon is one that the balloon's driver has allocated. */
static void kmemtrace_test_balloon(struct kunit *test)
{
	struct page *page = alloc_page(GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, page);
	__SetPageOffline(page);
	KUNIT_EXPECT_EQ(test, state_of(page), KMEMTRACE_FRAMES_RESERVED);
	SetPageMovableOps(page);
	KUNIT_EXPECT_EQ(test, state_of(page), KMEMTRACE_FRAMES_LIVE);
	__ClearPageOffline(page);
	__free_page(page);
}

#ifdef CONFIG_PAGE_REPORTING
static DECLARE_COMPLETION(test_reporting);
static DECLARE_COMPLETION(test_go_on);
static struct page *test_reported;

/* Let the test see pages that are being reported, until it says to go on. */
static int test_report(struct page_reporting_dev_info *dev,
		       struct scatterlist *sgl, unsigned int nents)
{
	test_reported = sg_page(sgl);
	complete(&test_reporting);
	wait_for_completion(&test_go_on);
	return 0;
}

/* A pause brings the pages back to the free lists, where the snapshot finds them. */
static void kmemtrace_test_reporting(struct kunit *test)
{
	struct page_reporting_dev_info dev = { .report = test_report, .order = 4 };

	reinit_completion(&test_reporting);
	reinit_completion(&test_go_on);
	KUNIT_ASSERT_EQ(test, page_reporting_register(&dev), 0);
	KUNIT_EXPECT_NE(test,
			wait_for_completion_timeout(&test_reporting, 30 * HZ), 0);
	if (test_reported) {
		KUNIT_EXPECT_FALSE(test, is_free_buddy_page(test_reported));
		complete_all(&test_go_on);
		page_reporting_pause();
		KUNIT_EXPECT_TRUE(test, is_free_buddy_page(test_reported));
		page_reporting_resume();
	}
	complete_all(&test_go_on);
	page_reporting_unregister(&dev);
}
#endif

static struct kunit_case kmemtrace_snapshot_frames_test_cases[] = {
	KUNIT_CASE(kmemtrace_test_frames),
	KUNIT_CASE(kmemtrace_test_balloon),
#ifdef CONFIG_PAGE_REPORTING
	KUNIT_CASE_SLOW(kmemtrace_test_reporting),
#endif
	{ }
};

static struct kunit_suite kmemtrace_snapshot_frames_test_suite = {
	.name = "kmemtrace_snapshot_frames",
	.test_cases = kmemtrace_snapshot_frames_test_cases,
};

kunit_test_suite(kmemtrace_snapshot_frames_test_suite);
