// SPDX-License-Identifier: GPL-2.0
/*
 * Allocates what must be in the trace of a crash dump: each crash_keep_*() allocates objects
 * that are live when the kernel panics, each crash_drop_*() objects that were freed before.
 * The parameter objects is the number of each.
 */
#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

static unsigned int objects = 1000;
module_param(objects, uint, 0);

static struct kmem_cache *cache;

/* barrier() prevents a tail call, which has no return address in the function. */
static noinline void *crash_keep_kmalloc(void)
{
	void *memory = kmalloc(200, GFP_KERNEL);

	barrier();
	return memory;
}

static noinline void *crash_keep_cache(void)
{
	void *memory = kmem_cache_alloc(cache, GFP_KERNEL);

	barrier();
	return memory;
}

static noinline unsigned long crash_keep_pages(void)
{
	unsigned long memory = __get_free_pages(GFP_KERNEL, 1);

	barrier();
	return memory;
}

static noinline void *crash_keep_vmalloc(void)
{
	void *memory = vmalloc(3 * PAGE_SIZE);

	barrier();
	return memory;
}

static noinline void *crash_drop_kmalloc(void)
{
	void *memory = kmalloc(300, GFP_KERNEL);

	barrier();
	return memory;
}

/* A cache with a constructor is not merged with another one. */
static void crash_construct(void *object)
{
}

static int __init crash_init(void)
{
	cache = kmem_cache_create("kmemtrace_crash", 900, 0, 0,
				  crash_construct);
	if (!cache)
		return -ENOMEM;
	for (unsigned int i = 0; i < objects; i++) {
		if (!crash_keep_kmalloc() || !crash_keep_cache() ||
		    !crash_keep_pages() || !crash_keep_vmalloc())
			return -ENOMEM;
		kfree(crash_drop_kmalloc());
	}
	return 0;
}
module_init(crash_init);

MODULE_DESCRIPTION("kmemtrace test: memory that is live in a crash dump");
MODULE_LICENSE("GPL");
