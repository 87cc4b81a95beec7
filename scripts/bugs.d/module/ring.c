// SPDX-License-Identifier: GPL-2.0
/*
 * The driver of a device that moves data through pages, without hardware. Writing N to the
 * parameter of a bug makes N transfers that meet it.
 */
#include <linux/gfp.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>

#define BURST 64

/* ring_param: a parameter NAME that calls ring_NAME() as many times as is written to it */
#define ring_param(name)						\
	static int ring_set_##name(const char *text,			\
				   const struct kernel_param *kp)	\
	{								\
		unsigned int times;					\
		int err = kstrtouint(text, 0, &times);			\
									\
		while (!err && times--) {				\
			ring_##name();					\
			cond_resched();					\
		}							\
		return err;						\
	}								\
	static const struct kernel_param_ops ring_ops_##name = {	\
		.set = ring_set_##name,					\
	};								\
	module_param_cb(name, &ring_ops_##name, NULL, 0200)

/* A transfer needs a block of four pages. */
static noinline unsigned long ring_block(void)
{
	return __get_free_pages(GFP_KERNEL, 2);
}

static void ring_healthy(void)
{
	unsigned long block = ring_block();

	free_pages(block, 2);
}

/* Aborting a transfer frees the first page of its block alone. */
static noinline void ring_abort(unsigned long block)
{
	if (block)
		free_page(block);
}

static void ring_order(void)
{
	ring_abort(ring_block());
	ring_healthy();
}
ring_param(order);

/*
 * A burst of transfers fills pages, and keeps the descriptor that comes in the middle of them: one
 * page that can't be moved, among 63 that are free again.
 */
static LIST_HEAD(ring_descriptors);

static noinline struct page *ring_descriptor(void)
{
	struct page *page = alloc_page(GFP_KERNEL);

	if (page)
		list_add(&page->lru, &ring_descriptors);
	return page;
}

static noinline struct page *ring_buffer(void)
{
	return alloc_page(GFP_KERNEL);
}

static void ring_scatter(void)
{
	static struct page *buffers[BURST];
	int i;

	for (i = 0; i < BURST; i++) {
		buffers[i] = ring_buffer();
		if (i == BURST / 2)
			ring_descriptor();
	}
	for (i = 0; i < BURST; i++)
		if (buffers[i])
			__free_page(buffers[i]);
}
ring_param(scatter);

/* Requests come and go in bulk; completing them frees all but the last one. */
static struct kmem_cache *ring_requests;

static noinline int ring_submit(void **requests)
{
	return kmem_cache_alloc_bulk(ring_requests, GFP_KERNEL, 16, requests);
}

static noinline void ring_complete(void **requests, int count)
{
	kmem_cache_free_bulk(ring_requests, count - 1, requests);
}

static void ring_bulk(void)
{
	void *requests[16];
	int count = ring_submit(requests);

	if (count)
		ring_complete(requests, count);
}
ring_param(bulk);

static int __init ring_init(void)
{
	ring_requests = kmem_cache_create("ring_request", 184, 0, SLAB_NO_MERGE, NULL);
	return ring_requests ? 0 : -ENOMEM;
}
module_init(ring_init);

MODULE_DESCRIPTION("A ring of pages with bugs");
MODULE_LICENSE("GPL");
