// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of snapshot_memory.c, which includes this file: what the slab allocator knows of
 * live memory.
 */
#include <kunit/test.h>

#define TEST_OBJECTS	100
#define TEST_SIZE	264

struct test_slab {
	struct kmem_cache	*cache;
	void			*object;
	int			ret;
	bool			live;
};

/* Ask the slab of an object whether it is live. */
static int test_look_at_object(void *data)
{
	struct test_slab *test = data;
	struct slab *slab = virt_to_slab(test->object);
	unsigned int index = (kasan_reset_tag(test->object) -
			      slab_first_object(slab)) / test->cache->size;
	u64 live = 0;

	test->ret = slab_live_objects(slab, index, 1, &live);
	test->live = live;
	return 0;
}

static void expect_live(struct kunit *test, struct kmem_cache *cache,
			void *object, bool live)
{
	struct test_slab slab = { .cache = cache, .object = object };

	if (is_kfence_address(object))
		return;
	stop_machine(test_look_at_object, &slab, NULL);
	/* SLOB doesn't know its objects, and must say so. */
	KUNIT_EXPECT_EQ(test, slab.ret,
			IS_ENABLED(CONFIG_SLOB) ? -EOPNOTSUPP : 0);
	if (!slab.ret)
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
	/* KASAN may hold objects back: they are not free yet. */
	kasan_cache_shrink(cache);
	for (int i = 0; i < TEST_OBJECTS; i++)
		expect_live(test, cache, objects[i], i % 3);
	for (int i = 0; i < TEST_OBJECTS; i++)
		if (i % 3)
			kmem_cache_free(cache, objects[i]);
	kmem_cache_destroy(cache);
}

static struct kunit_case kmemtrace_snapshot_memory_test_cases[] = {
	KUNIT_CASE(kmemtrace_test_slab),
	{ }
};

static struct kunit_suite kmemtrace_snapshot_memory_test_suite = {
	.name = "kmemtrace_snapshot_memory",
	.test_cases = kmemtrace_snapshot_memory_test_cases,
};

kunit_test_suite(kmemtrace_snapshot_memory_test_suite);
