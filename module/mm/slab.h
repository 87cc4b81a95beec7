/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The structures of the slab allocator, as far as the recorder needs them. Kbuild chooses
 * where they come from.
 */
#ifndef _KMEMTRACE_MM_SLAB_H
#define _KMEMTRACE_MM_SLAB_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/types.h>
#include <symbols.h>

#if defined(KMEMTRACE_SLAB_SOURCE)
/* The folder has the kernel's source. */
#include KMEMTRACE_SLAB_SOURCE
#ifdef KMEMTRACE_HAS_SHEAVES
#include <sheaf.h>
#endif
#elif defined(KMEMTRACE_SLAB_PUBLIC)
/* struct kmem_cache is public in Linux 6.1, and struct slab begins as follows. */
struct slab {
	unsigned long		page_flags;
	struct list_head	slab_list;
	struct kmem_cache	*slab_cache;
	void			*freelist;
	unsigned int		inuse:16;
	unsigned int		objects:15;
	unsigned int		frozen:1;
};

/* For functions of the header. */
static inline void *slab_address(const struct slab *slab)
{
	return page_address((const struct page *)slab);
}

#include <linux/slub_def.h>

extern struct list_head slab_caches;
extern struct mutex slab_mutex;
#else
/* btf-offsets.c wrote them, from the types of the kernel. */
#include <offsets.h>

#define KMEMTRACE_FIELD(_struct, _type, _name)				\
	struct {							\
		char	pad_##_name[KMEMTRACE_OFFSET_##_struct##_##_name]; \
		_type	_name;						\
	} __packed

struct kmem_cache {
	union {
		KMEMTRACE_FIELD(kmem_cache, slab_flags_t, flags);
		KMEMTRACE_FIELD(kmem_cache, unsigned int, size);
		KMEMTRACE_FIELD(kmem_cache, unsigned int, object_size);
		KMEMTRACE_FIELD(kmem_cache, int, refcount);
		KMEMTRACE_FIELD(kmem_cache, unsigned int, align);
		KMEMTRACE_FIELD(kmem_cache, const char *, name);
		KMEMTRACE_FIELD(kmem_cache, struct list_head, list);
	};
};

struct slab {
	union {
		KMEMTRACE_FIELD(slab, struct kmem_cache *, slab_cache);
	};
};

#ifdef KMEMTRACE_OFFSET_slab_sheaf_objects
#define KMEMTRACE_HAS_SHEAVES

struct slab_sheaf {
	union {
		/* in a union, which is the first member */
		struct rcu_head rcu_head;
		KMEMTRACE_FIELD(slab_sheaf, struct kmem_cache *, cache);
		KMEMTRACE_FIELD(slab_sheaf, unsigned int, size);
		/* as many as @size */
		KMEMTRACE_FIELD(slab_sheaf, typeof(void *[1]), objects);
	};
};
#endif

extern struct list_head slab_caches;
extern struct mutex slab_mutex;
#endif

#define slab_caches	(*(struct list_head *)kmemtrace_symbol_slab_caches)
#define slab_mutex	(*(struct mutex *)kmemtrace_symbol_slab_mutex)

/* Return the page of an object, which is in the linear map, not in the kernel's image. */
static __always_inline struct page *kmemtrace_page_of(const void *object)
{
#ifdef CONFIG_X86_64
	return pfn_to_page(((unsigned long)object - PAGE_OFFSET) >> PAGE_SHIFT);
#else
	return virt_to_page(object);
#endif
}

/* Return the slab of an object. Slabs have no page structures of huge pages. */
static __always_inline struct slab *kmemtrace_slab_of(const void *object)
{
	struct page *page = kmemtrace_page_of(object);
#ifdef KMEMTRACE_HAS_COMPOUND_HEAD
	unsigned long head = READ_ONCE(page->compound_head);

	return unlikely(head & 1) ? (struct slab *)(head - 1) :
				    (struct slab *)page;
#else
	return (struct slab *)compound_head(page);
#endif
}

#ifndef KMEMTRACE_SLAB_SOURCE
/* Return the slab of an object of kmalloc(), NULL if it is too large for one. */
static inline struct slab *virt_to_slab(const void *object)
{
	struct page *page = virt_to_head_page(object);

	return PageSlab(page) ? (struct slab *)page : NULL;
}
#endif

/* Return the cache of an object that is in one: never NULL, which saves callers a test. */
static __always_inline struct kmem_cache *kmemtrace_cache_of(const void *object)
{
	struct kmem_cache *cache = kmemtrace_slab_of(object)->slab_cache;

	if (!cache)
		__builtin_unreachable();
	return cache;
}

#endif /* _KMEMTRACE_MM_SLAB_H */
