/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kmemtrace: every hand-out and take-back of kernel memory as an event.
 *
 * The markers below stand beside each place where the slab and the page
 * allocator hand memory to a caller (after it was obtained) or take it back
 * (before it is released). What a place passes on is what it has at hand;
 * mm/kmemtrace.c makes records of it.
 */
#ifndef _LINUX_KMEMTRACE_H
#define _LINUX_KMEMTRACE_H

#include <linux/marker.h>
#include <linux/types.h>

struct kmem_cache;
struct page;

#ifdef CONFIG_KMEMTRACE
#define DECLARE_KMEMTRACE_MARKER	DECLARE_MARKER
void kmemtrace_init(void);
unsigned long kmemtrace_callsite(void);
#else
#define DECLARE_KMEMTRACE_MARKER(_name, _params, _args, _format)	\
	DECLARE_MARKER_STUB(_name, MARKER_PARAMS(_params))
static inline void kmemtrace_init(void) { }
#endif

DECLARE_KMEMTRACE_MARKER(kmalloc,
	MARKER_PARAMS(unsigned long call_site, const void *ptr,
		      size_t bytes_req, size_t bytes_alloc, gfp_t gfp,
		      int node),
	MARKER_ARGS(call_site, ptr, bytes_req, bytes_alloc, gfp, node),
	"call_site %lx ptr %p bytes_req %zu bytes_alloc %zu gfp %x node %d")

DECLARE_KMEMTRACE_MARKER(kfree,
	MARKER_PARAMS(unsigned long call_site, const void *ptr),
	MARKER_ARGS(call_site, ptr),
	"call_site %lx ptr %p")

DECLARE_KMEMTRACE_MARKER(kmem_cache_alloc,
	MARKER_PARAMS(unsigned long call_site, const void *ptr,
		      struct kmem_cache *cache, gfp_t gfp, int node),
	MARKER_ARGS(call_site, ptr, cache, gfp, node),
	"call_site %lx ptr %p cache %p gfp %x node %d")

DECLARE_KMEMTRACE_MARKER(kmem_cache_free,
	MARKER_PARAMS(unsigned long call_site, const void *ptr),
	MARKER_ARGS(call_site, ptr),
	"call_site %lx ptr %p")

DECLARE_KMEMTRACE_MARKER(kmem_cache_alloc_bulk,
	MARKER_PARAMS(unsigned long call_site, struct kmem_cache *cache,
		      gfp_t gfp, size_t count, void **ptrs),
	MARKER_ARGS(call_site, cache, gfp, count, ptrs),
	"call_site %lx cache %p gfp %x count %zu ptrs %p")

/* @cache is NULL for kfree_bulk(). */
DECLARE_KMEMTRACE_MARKER(kmem_cache_free_bulk,
	MARKER_PARAMS(unsigned long call_site, struct kmem_cache *cache,
		      size_t count, void **ptrs),
	MARKER_ARGS(call_site, cache, count, ptrs),
	"call_site %lx cache %p count %zu ptrs %p")

DECLARE_KMEMTRACE_MARKER(page_alloc,
	MARKER_PARAMS(struct page *page, unsigned int order, gfp_t gfp),
	MARKER_ARGS(page, order, gfp),
	"page %p order %u gfp %x")

DECLARE_KMEMTRACE_MARKER(page_free,
	MARKER_PARAMS(struct page *page, unsigned int order),
	MARKER_ARGS(page, order),
	"page %p order %u")

#endif /* _LINUX_KMEMTRACE_H */
