/* SPDX-License-Identifier: GPL-2.0 */
/* Records of slab caches. */
#ifndef _MM_KMEMTRACE_CACHE_H
#define _MM_KMEMTRACE_CACHE_H

#include <linux/types.h>

struct kmem_cache;

void kmemtrace_emit_cache(u8 op, unsigned long call_site,
			  struct kmem_cache *cache, const char *name);

#endif /* _MM_KMEMTRACE_CACHE_H */
