// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of snapshot.c, which includes this file: what the per-CPU allocator and
 * vmalloc know of live memory.
 */
#include <kunit/test.h>
#include <linux/gfp.h>
#include <linux/percpu.h>

#define TEST_SIZE	264

/* The area to look for, and how often it was found. */
static u64 test_ptr;
static size_t test_bytes;
static unsigned int test_found;

static void test_percpu(unsigned long ptr, size_t bytes)
{
	if (ptr == test_ptr && bytes == test_bytes)
		test_found++;
}

static void kmemtrace_test_percpu(struct kunit *test)
{
	void __percpu *ptr = __alloc_percpu(TEST_SIZE, 8);

	KUNIT_ASSERT_NOT_NULL(test, (__force void *)ptr);
	test_ptr = (__force unsigned long)ptr;
	test_bytes = TEST_SIZE;
	test_found = 0;
	pcpu_for_each_area(test_percpu);
	KUNIT_EXPECT_EQ(test, test_found, 1);
	free_percpu(ptr);
	pcpu_for_each_area(test_percpu);
	KUNIT_EXPECT_EQ(test, test_found, 1);
}

static void test_vmalloc(const struct vm_struct *area)
{
	if (kmemtrace_vmalloc_ptr(area) == test_ptr &&
	    kmemtrace_is_vmalloc(area) &&
	    kmemtrace_vmalloc_bytes(area) == test_bytes)
		test_found++;
}

static void kmemtrace_test_vmalloc(struct kunit *test)
{
	void *ptr = vmalloc(3 * PAGE_SIZE - 1);
	struct page *page = alloc_page(GFP_KERNEL);
	void *mapped = vmap(&page, 1, VM_MAP, PAGE_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ptr);
	KUNIT_ASSERT_NOT_NULL(test, mapped);
	test_ptr = (unsigned long)kasan_reset_tag(ptr);
	test_bytes = 3 * PAGE_SIZE;
	test_found = 0;
	vmalloc_for_each_area(test_vmalloc);
	KUNIT_EXPECT_EQ(test, test_found, 1);
	vfree(ptr);
	vmalloc_for_each_area(test_vmalloc);
	KUNIT_EXPECT_EQ(test, test_found, 1);

	/* An area of vmap() has no pages of its own. */
	test_ptr = (unsigned long)kasan_reset_tag(mapped);
	test_bytes = PAGE_SIZE;
	vmalloc_for_each_area(test_vmalloc);
	KUNIT_EXPECT_EQ(test, test_found, 1);
	vunmap(mapped);
	__free_page(page);
}

static struct kunit_case kmemtrace_snapshot_test_cases[] = {
	KUNIT_CASE(kmemtrace_test_percpu),
	KUNIT_CASE(kmemtrace_test_vmalloc),
	{ }
};

static struct kunit_suite kmemtrace_snapshot_test_suite = {
	.name = "kmemtrace_snapshot",
	.test_cases = kmemtrace_snapshot_test_cases,
};

kunit_test_suite(kmemtrace_snapshot_test_suite);
