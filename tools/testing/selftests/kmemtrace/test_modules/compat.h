/* SPDX-License-Identifier: GPL-2.0 */
/* What the test modules use, and other kernels have by another name. */
#ifndef KMEMTRACE_COMPAT_H
#define KMEMTRACE_COMPAT_H

#include <linux/gfp.h>
#include <linux/mmzone.h>

/* What alloc_contig_range() gets for a range of any pages. */
#define CONTIG_FLAGS	MIGRATE_MOVABLE

/* pgalloc_tag_copy() subtracts the number of pages of a migrated folio, not of bytes. */
#define MIGRATED_CHARGED_TWICE	1

/* For how many CPUs profiling charges per-CPU memory. */
#define PERCPU_CHARGED		num_possible_cpus()

/* Objects that are freed again because a memory cgroup refuses the charge. */
#define BULK_REFUSED		BULK

/* The type of the free of a cache object by kfree_rcu(). */
#define RCU_FREES_CACHE_OBJECT	KMALLOC

#define FREE_CACHE_OBJECT_RCU(_object)	kfree_rcu(_object, rcu)

#endif
