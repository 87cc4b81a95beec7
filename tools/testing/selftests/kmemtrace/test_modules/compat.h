/* SPDX-License-Identifier: GPL-2.0 */
/* What the test modules use, and other kernels have by another name. */
#ifndef KMEMTRACE_COMPAT_H
#define KMEMTRACE_COMPAT_H

#include <linux/gfp.h>
#include <linux/mmzone.h>

/* What alloc_contig_range() gets for a range of any pages. */
#define CONTIG_FLAGS	MIGRATE_MOVABLE

#define FREE_CACHE_OBJECT_RCU(_object)	kfree_rcu(_object, rcu)

#endif
