// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of mm/kmemtrace_snapshot.c, which includes this file: what the
 * allocators tell of the memory they have handed out.
 */
#include <asm/sections.h>
#include <kunit/test.h>
#include <linux/percpu.h>

#define TEST_OBJECTS	100
#define TEST_SIZE	264

/* What is looked for, and how often it was found. */
static u64 test_ptr;
static size_t test_bytes;
static unsigned int test_found;

/* ---- slab objects ---- */

struct test_slab {
	void	*object;
	int	ret;
	bool	live;
};

/* Does the slab of an object say that it is live? */
static int test_look_at_object(void *data)
{
	struct test_slab *test = data;
	struct slab *slab = virt_to_slab(test->object);
	unsigned int index = obj_to_index(slab->slab_cache, slab, test->object);
	u64 live;

	test->ret = slab_live_objects(slab, index, 1, &live);
	test->live = live;
	return 0;
}

static void expect_live(struct kunit *test, void *object, bool live)
{
	struct test_slab slab = { .object = object };

	if (is_kfence_address(object))
		return;
	stop_machine(test_look_at_object, &slab, NULL);
	KUNIT_EXPECT_EQ(test, slab.ret, 0);
	KUNIT_EXPECT_EQ(test, slab.live, live);
}

/* Some are free in their slab, some on the list of this CPU. */
static void kmemtrace_test_slab(struct kunit *test)
{
	struct kmem_cache *cache = kmem_cache_create("kmemtrace_test",
						     TEST_SIZE, 0,
						     SLAB_NO_MERGE, NULL);
	void *objects[TEST_OBJECTS];

	KUNIT_ASSERT_NOT_NULL(test, cache);
	for (int i = 0; i < TEST_OBJECTS; i++) {
		objects[i] = kmem_cache_alloc(cache, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, objects[i]);
	}
	for (int i = 0; i < TEST_OBJECTS; i += 3)
		kmem_cache_free(cache, objects[i]);
	/* Where KASAN holds them back, they are not free yet. */
	kasan_cache_shrink(cache);
	for (int i = 0; i < TEST_OBJECTS; i++)
		expect_live(test, objects[i], i % 3);
	for (int i = 0; i < TEST_OBJECTS; i++)
		if (i % 3)
			kmem_cache_free(cache, objects[i]);
	kmem_cache_destroy(cache);
}

/* ---- page frames ---- */

struct test_frame {
	struct page		*page;
	enum kmemtrace_frames	state;
};

static struct kmemtrace_part test_part;

static int test_look_at_page(void *data)
{
	struct test_frame *frame = data;
	unsigned long pfn = page_to_pfn(frame->page), nr;

	test_part.pgdat = NODE_DATA(page_to_nid(frame->page));
	test_part.start = pfn;
	test_part.end = pfn + 1;
	kmemtrace_mark_pcp(&test_part);
	frame->state = kmemtrace_state_of(&test_part, frame->page, pfn, &nr);
	return 0;
}

static enum kmemtrace_frames state_of(struct page *page)
{
	struct test_frame frame = { .page = page };

	stop_machine(test_look_at_page, &frame, NULL);
	return frame.state;
}

/* A page that is freed waits on the list of this CPU, until somebody takes it. */
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

/* ---- per-CPU memory and vmalloc ---- */

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

	/* What vmap() made has no pages of its own. */
	test_ptr = (unsigned long)kasan_reset_tag(mapped);
	test_bytes = PAGE_SIZE;
	vmalloc_for_each_area(test_vmalloc);
	KUNIT_EXPECT_EQ(test, test_found, 1);
	vunmap(mapped);
	__free_page(page);
}

static struct kunit_case kmemtrace_snapshot_test_cases[] = {
	KUNIT_CASE(kmemtrace_test_slab),
	KUNIT_CASE(kmemtrace_test_frames),
	KUNIT_CASE(kmemtrace_test_percpu),
	KUNIT_CASE(kmemtrace_test_vmalloc),
	{ }
};

static struct kunit_suite kmemtrace_snapshot_test_suite = {
	.name = "kmemtrace_snapshot",
	.test_cases = kmemtrace_snapshot_test_cases,
};

kunit_test_suite(kmemtrace_snapshot_test_suite);
