/* SPDX-License-Identifier: GPL-2.0 */
/* What the test modules use, and Linux 7.2 has by another name. */
#ifndef KMEMTRACE_COMPAT_H
#define KMEMTRACE_COMPAT_H

#include <linux/gfp.h>
#include <linux/page_frag_cache.h>

#define CONTIG_FLAGS		ACR_FLAGS_NONE
#define alloc_pages_bulk_array	alloc_pages_bulk
#define MIGRATED_CHARGED_TWICE	0

/* For how many CPUs profiling charges per-CPU memory. */
#define PERCPU_CHARGED		1

/* Objects that are freed again because a memory cgroup refuses the charge. */
#define BULK_REFUSED		BULK

/* The type of the free of a cache object by kfree_rcu(). */
#define RCU_FREES_CACHE_OBJECT	CACHE

#define FREE_CACHE_OBJECT_RCU(_object)	kfree_rcu(_object, rcu)

#endif
