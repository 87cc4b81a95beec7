/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that list live memory. Each is in the file of its allocator, and built with
 * CONFIG_MM_LIVE.
 */
#ifndef _MM_LIVE_H
#define _MM_LIVE_H

#include <linux/mm.h>
#include <linux/types.h>

struct kmem_cache;
struct slab;
struct vm_struct;

void slab_settle(void);
unsigned int slab_nr_objects(struct slab *slab);
void *slab_first_object(struct slab *slab);
int slab_live_objects(struct slab *slab, unsigned int first, unsigned int nr,
		      u64 *live);
#ifdef CONFIG_SLOB
size_t kmalloc_uncached_bytes(size_t size);
#else
/* Return how many bytes kmalloc() takes for an object of @size that no cache has. */
static inline size_t kmalloc_uncached_bytes(size_t size)
{
	return PAGE_SIZE << get_order(size);
}
#endif
#ifdef CONFIG_KFENCE
void kfence_for_each_object(void (*fn)(struct kmem_cache *cache,
				       unsigned long addr));
#else
static inline void kfence_for_each_object(void (*fn)(struct kmem_cache *cache,
						     unsigned long addr))
{
}
#endif
#ifdef CONFIG_PAGE_REPORTING
void page_reporting_pause(void);
void page_reporting_resume(void);
#else
static inline void page_reporting_pause(void) { }
static inline void page_reporting_resume(void) { }
#endif
void pcpu_for_each_area(void (*fn)(unsigned long ptr, size_t bytes));
void vmalloc_for_each_area(void (*fn)(const struct vm_struct *area));

#endif /* _MM_LIVE_H */
