/* SPDX-License-Identifier: GPL-2.0 */
/* What the test modules use, and Linux 6.1 lacks or has by another name. */
#ifndef KMEMTRACE_COMPAT_H
#define KMEMTRACE_COMPAT_H

#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#define CONTIG_FLAGS			MIGRATE_MOVABLE
#define MAX_PAGE_ORDER			(MAX_ORDER - 1)
#define SLAB_NO_OBJ_EXT			((slab_flags_t)0)
#define __GFP_NO_OBJ_EXT		((gfp_t)0)
#define kvfree_rcu_barrier()		rcu_barrier()
#define MIGRATED_CHARGED_TWICE		0
/* For how many CPUs profiling charges per-CPU memory. */
#define PERCPU_CHARGED		num_possible_cpus()

/* Objects that are freed again because a memory cgroup refuses the charge. */
#define BULK_REFUSED		0

/* The type of the free of a cache object by kfree_rcu(). */
#define RCU_FREES_CACHE_OBJECT	KMALLOC

/* kfree_rcu() is for objects of kmalloc() only. */
#define FREE_CACHE_OBJECT_RCU(_object)	call_rcu(&(_object)->rcu, free_cache_object)

/* The callers grow an object to 8 times its size. */
static inline void *grow_8_times(void *ptr, size_t size, gfp_t gfp)
{
	return ptr ? kvrealloc(ptr, size / 8, size, gfp) : kvmalloc(size, gfp);
}

#define kvrealloc(_ptr, _size, _gfp)	grow_8_times(_ptr, _size, _gfp)

static inline void page_frag_cache_drain(struct page_frag_cache *frags)
{
	if (frags->va)
		__page_frag_cache_drain(virt_to_head_page(frags->va),
					frags->pagecnt_bias);
	frags->va = NULL;
}

#endif
