/* SPDX-License-Identifier: GPL-2.0 */
/* What the test modules use, and Linux 7.2 has by another name. */
#ifndef KMEMTRACE_COMPAT_H
#define KMEMTRACE_COMPAT_H

#include <linux/gfp.h>
#include <linux/page_frag_cache.h>

#define CONTIG_FLAGS		ACR_FLAGS_NONE
#define alloc_pages_bulk_array	alloc_pages_bulk

#define FREE_CACHE_OBJECT_RCU(_object)	kfree_rcu(_object, rcu)

#endif
