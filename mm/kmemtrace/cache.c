// SPDX-License-Identifier: GPL-2.0
/* Records of slab caches. */
#include <linux/build_bug.h>
#include <linux/kasan.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <uapi/linux/kmemtrace.h>
#include "../slab.h"
#include "cache.h"
#include "record.h"

static_assert(offsetof(struct kmemtrace_cache, timestamp) == 48);
static_assert(offsetof(struct kmemtrace_cache, name) == 64);

#define KMEMTRACE_MAX_NAME	128

/**
 * kmemtrace_emit_cache - record that a slab cache exists, was created or is destroyed
 * @op: enum kmemtrace_cache_op
 * @call_site: the caller that creates or destroys it, or 0
 * @cache: the cache
 * @name: its name, or the name that its creator requested
 *
 * Context: task, with slab_mutex held.
 */
void kmemtrace_emit_cache(u8 op, unsigned long call_site,
			  struct kmem_cache *cache, const char *name)
{
	DEFINE_RAW_FLEX(struct kmemtrace_cache, record, name,
			KMEMTRACE_MAX_NAME);
	size_t len = strnlen(name, KMEMTRACE_MAX_NAME - 1);

	record->event_id = KMEMTRACE_EVENT_CACHE;
	record->op = op;
	record->event_size = sizeof(*record) + round_up(len + 1, 8);
	/* Early in the boot it is -1, which prevents a merge. */
	record->users = max(cache->refcount, 1);
	record->call_site = call_site;
	record->cache = (unsigned long)kasan_reset_tag(cache);
	record->object_size = cache->object_size;
	record->size = cache->size;
	record->flags = (__force unsigned int)cache->flags;
	record->align = cache->align;
	memcpy(record->name, name, len);
	kmemtrace_write(record, record->event_size);
}
