/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kmemtrace: records each allocation and each free of kernel memory.
 *
 * An allocator calls the markers below in three places: before it returns allocated
 * memory to the caller, when the allocation fails (the address is NULL then), and when
 * a caller frees memory, before the memory can be allocated again. The probes in
 * mm/kmemtrace/probes.c make records of the arguments.
 */
#ifndef _LINUX_KMEMTRACE_H
#define _LINUX_KMEMTRACE_H

#include <linux/kmemtrace_ref.h>
#include <linux/marker.h>
#include <linux/types.h>
#include <uapi/linux/kmemtrace.h>

struct kmem_cache;
struct mem_cgroup;
struct obj_cgroup;
struct page;
struct vm_struct;

#ifdef CONFIG_KMEMTRACE
#define DECLARE_KMEMTRACE_MARKER	DECLARE_MARKER
void kmemtrace_init(void);
void kmemtrace_boot_phase(enum kmemtrace_phase_id phase);
void kmemtrace_callsite_init(void);
bool kmemtrace_in_wrapper(unsigned long addr);
bool kmemtrace_passes_on(unsigned long addr);
bool kmemtrace_replaced(unsigned long addr);
unsigned long kmemtrace_callsite_from(unsigned long *frame);

/* Return the caller of the page allocator. Only for probes on its markers. */
#define kmemtrace_callsite() \
	kmemtrace_callsite_from(__builtin_frame_address(0))
#else
#define DECLARE_KMEMTRACE_MARKER(_name, _params, _args, _format)	\
	DECLARE_MARKER_STUB(_name, MARKER_PARAMS(_params))
static inline void kmemtrace_init(void) { }
static inline void kmemtrace_boot_phase(enum kmemtrace_phase_id phase) { }
#endif

/* @ptr is NULL if the allocation failed, @cache is NULL if it is too large for a cache. */
DECLARE_KMEMTRACE_MARKER(kmalloc,
	MARKER_PARAMS(unsigned long call_site, const void *ptr,
		      size_t bytes_req, struct kmem_cache *cache, gfp_t gfp,
		      int node),
	MARKER_ARGS(call_site, ptr, bytes_req, cache, gfp, node),
	"call_site %lx ptr %p bytes_req %zu cache %p gfp %x node %d")

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

/* @ptrs is NULL if the allocation of the @count objects failed. */
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

/* @name is the requested name: a merged @cache has another one. */
DECLARE_KMEMTRACE_MARKER(kmem_cache_create,
	MARKER_PARAMS(unsigned long call_site, struct kmem_cache *cache,
		      const char *name),
	MARKER_ARGS(call_site, cache, name),
	"call_site %lx cache %p name %s")

DECLARE_KMEMTRACE_MARKER(kmem_cache_destroy,
	MARKER_PARAMS(unsigned long call_site, struct kmem_cache *cache),
	MARKER_ARGS(call_site, cache),
	"call_site %lx cache %p")

DECLARE_KMEMTRACE_MARKER(page_alloc,
	MARKER_PARAMS(struct page *page, unsigned int order, gfp_t gfp),
	MARKER_ARGS(page, order, gfp),
	"page %p order %u gfp %x")

/* @nr blocks of 2^@order pages. */
DECLARE_KMEMTRACE_MARKER(page_alloc_failed,
	MARKER_PARAMS(unsigned long nr, unsigned int order, gfp_t gfp),
	MARKER_ARGS(nr, order, gfp),
	"nr %lu order %u gfp %x")

DECLARE_KMEMTRACE_MARKER(page_free,
	MARKER_PARAMS(struct page *page, unsigned int order),
	MARKER_ARGS(page, order),
	"page %p order %u")

/* The contents of @nr pages from @old on were moved to those from @page on. */
DECLARE_KMEMTRACE_MARKER(page_move,
	MARKER_PARAMS(struct page *page, struct page *old, unsigned long nr),
	MARKER_ARGS(page, old, nr),
	"page %p old %p nr %lu")

/* The bytes are for one CPU. @ptr is 0 if the allocation failed. */
DECLARE_KMEMTRACE_MARKER(percpu_alloc,
	MARKER_PARAMS(unsigned long call_site, unsigned long ptr,
		      size_t bytes_req, size_t bytes_alloc, gfp_t gfp),
	MARKER_ARGS(call_site, ptr, bytes_req, bytes_alloc, gfp),
	"call_site %lx ptr %lx bytes_req %zu bytes_alloc %zu gfp %x")

DECLARE_KMEMTRACE_MARKER(percpu_free,
	MARKER_PARAMS(unsigned long call_site, unsigned long ptr,
		      size_t bytes_alloc),
	MARKER_ARGS(call_site, ptr, bytes_alloc),
	"call_site %lx ptr %lx bytes_alloc %zu")

/* @area is NULL if the allocation failed. */
DECLARE_KMEMTRACE_MARKER(vmalloc,
	MARKER_PARAMS(const void *call_site, const struct vm_struct *area,
		      size_t bytes_req, gfp_t gfp, int node),
	MARKER_ARGS(call_site, area, bytes_req, gfp, node),
	"call_site %p area %p bytes_req %zu gfp %x node %d")

/* Called for each area, also for those of vmap() and the per-CPU allocator. */
DECLARE_KMEMTRACE_MARKER(vm_area_free,
	MARKER_PARAMS(const struct vm_struct *area),
	MARKER_ARGS(area),
	"area %p")

/* @page and the @nr - 1 pages behind it are charged to the memory cgroup that @page has now. */
DECLARE_MARKER_IF(CONFIG_KMEMTRACE_CGROUPS, page_charge,
	MARKER_PARAMS(struct page *page, unsigned long nr),
	MARKER_ARGS(page, nr),
	"page %p nr %lu")

DECLARE_MARKER_IF(CONFIG_KMEMTRACE_CGROUPS, slab_charge,
	MARKER_PARAMS(const void *ptr, struct obj_cgroup *objcg),
	MARKER_ARGS(ptr, objcg),
	"ptr %p objcg %p")

DECLARE_MARKER_IF(CONFIG_KMEMTRACE_CGROUPS, percpu_charge,
	MARKER_PARAMS(unsigned long ptr, struct obj_cgroup *objcg),
	MARKER_ARGS(ptr, objcg),
	"ptr %lx objcg %p")

/* @op is an enum kmemtrace_cgroup_op. */
DECLARE_MARKER_IF(CONFIG_KMEMTRACE_CGROUPS, memcg_change,
	MARKER_PARAMS(struct mem_cgroup *memcg, int op),
	MARKER_ARGS(memcg, op),
	"memcg %p op %d")

/* What the markers of references pass on; the recorder finds them by the prefix. */
#define KMEMTRACE_REF_PREFIX	"ref_"
#define KMEMTRACE_REF_PARAMS						\
	MARKER_PARAMS(unsigned long call_site, const void *object,	\
		      int change, int count)
#define KMEMTRACE_REF_FORMAT	"call_site %lx object %p change %d count %d"

/**
 * DEFINE_KMEMTRACE_REF - define a kind of counted objects, in one source file
 * @_kind: its name, of at most 15 characters
 *
 * A header whose inline functions call kmemtrace_ref() needs DECLARE_KMEMTRACE_REF() as well. Any
 * module may use them, so any may use what they call.
 */
#ifdef CONFIG_KMEMTRACE_REFS
#define DEFINE_KMEMTRACE_REF(_kind)					\
	DECLARE_KMEMTRACE_REF(_kind);					\
	DECLARE_MARKER(ref_##_kind, KMEMTRACE_REF_PARAMS,		\
		MARKER_ARGS(call_site, object, change, count),		\
		KMEMTRACE_REF_FORMAT)					\
	DEFINE_MARKER(ref_##_kind);					\
	EXPORT_SYMBOL(__marker_ref_##_kind);				\
	noinline void kmemtrace_ref_##_kind(const void *object,		\
					    int change, int count)	\
	{								\
		marker_call(ref_##_kind, _RET_IP_, object, change, count); \
	}								\
	EXPORT_SYMBOL(kmemtrace_ref_##_kind)
#else
#define DEFINE_KMEMTRACE_REF(_kind)	DECLARE_KMEMTRACE_REF(_kind)
#endif

#endif /* _LINUX_KMEMTRACE_H */
