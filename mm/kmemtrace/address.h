/* SPDX-License-Identifier: GPL-2.0 */
/* Names of memory in records. */
#ifndef _MM_KMEMTRACE_ADDRESS_H
#define _MM_KMEMTRACE_ADDRESS_H

#include <linux/bits.h>
#include <linux/kasan.h>
#include <linux/mm.h>
#include <linux/pfn.h>
#include <linux/vmalloc.h>

/* Marks a physical address, of a page without an address in the linear map. */
#define KMEMTRACE_PHYS	BIT_ULL(63)

static __always_inline u64 kmemtrace_page_ptr(struct page *page)
{
	if (PageHighMem(page))
		return KMEMTRACE_PHYS | PFN_PHYS(page_to_pfn(page));
	return (unsigned long)kasan_reset_tag(page_address(page));
}

/* Return true if vmalloc() made, or is making, @area with pages of its own. */
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

#endif /* _MM_KMEMTRACE_ADDRESS_H */
