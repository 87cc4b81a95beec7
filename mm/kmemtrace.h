/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of kmemtrace share. */
#ifndef __MM_KMEMTRACE_H
#define __MM_KMEMTRACE_H

#include <linux/bits.h>
#include <linux/highmem.h>
#include <linux/kasan.h>
#include <linux/mm.h>
#include <linux/pfn.h>
#include <linux/vmalloc.h>

struct kmem_cache;
struct slab;
struct zone;

/* A page that has no address in the linear map is named by its physical one. */
#define KMEMTRACE_PHYS	BIT_ULL(63)

static __always_inline u64 kmemtrace_page_ptr(struct page *page)
{
	if (PageHighMem(page))
		return KMEMTRACE_PHYS | PFN_PHYS(page_to_pfn(page));
	return (unsigned long)kasan_reset_tag(page_address(page));
}

/* Was, or is, this made by vmalloc(), with pages of its own? */
static inline bool kmemtrace_is_vmalloc(const struct vm_struct *area)
{
	return area->nr_pages &&
	       (area->flags & (VM_ALLOC | VM_UNINITIALIZED |
			       VM_MAP_PUT_PAGES)) == VM_ALLOC;
}

static inline u64 kmemtrace_vmalloc_ptr(const struct vm_struct *area)
{
	return (unsigned long)kasan_reset_tag(area->addr);
}

static inline size_t kmemtrace_vmalloc_bytes(const struct vm_struct *area)
{
	return (size_t)area->nr_pages << PAGE_SHIFT;
}

void kmemtrace_callsite_init(void);
void kmemtrace_write(const void *record, size_t size);
void kmemtrace_put_cache(u8 op, unsigned long call_site,
			 struct kmem_cache *cache, const char *name);
void kmemtrace_put_own(struct page **pages, size_t nr);
struct page **kmemtrace_own_pages(unsigned int cpu, size_t *nr);
void kmemtrace_snapshot(void);

/*
 * What the allocators know of the memory they handed out; each stands in the
 * file of its allocator.
 */
void *slab_first_object(struct slab *slab);
int slab_live_objects(struct slab *slab, unsigned int first, unsigned int nr,
		      u64 *live);
void page_alloc_mark_pcp(struct zone *zone, unsigned long pfn,
			 unsigned long nr, unsigned long *free);
void pcpu_for_each_area(void (*fn)(unsigned long ptr, size_t bytes));
void vmalloc_for_each_area(void (*fn)(const struct vm_struct *area));

#endif /* __MM_KMEMTRACE_H */
