// SPDX-License-Identifier: GPL-2.0
/*
 * What a module can tell when tracing begins: which slab caches exist, and which pages
 * are buffers of the recorder. It does not know what is live: only functions in the
 * files of the allocators could list that. So no record ends the snapshot, and the
 * memory that was live when tracing began stays unknown.
 */
#include <linux/list.h>
#include <linux/marker_channel.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <uapi/linux/kmemtrace.h>
#include "mm/kmemtrace/cache.h"
#include "mm/kmemtrace/record.h"
#include "mm/kmemtrace/snapshot.h"
#include "mm/slab.h"
#include "sites.h"

static void kmemtrace_emit_caches(void)
{
	struct kmem_cache *cache;

	mutex_lock(&slab_mutex);
	list_for_each_entry(cache, &slab_caches, list)
		kmemtrace_emit_cache(KMEMTRACE_CACHE_THERE, 0, cache,
				     cache->name);
	mutex_unlock(&slab_mutex);
}

/* See mm/kmemtrace/snapshot.c. */
int kmemtrace_snapshot(bool baseline)
{
	kmemtrace_emit_caches();
	marker_channel_tell_bufs(&kmemtrace_channel);
	return 0;
}

/* See mm/kmemtrace/snapshot.c. */
void kmemtrace_show_source(struct seq_file *m, bool baseline)
{
	seq_puts(m, "source: module\nunseen: ");
	kmemtrace_show_unseen(m);
	seq_printf(m, "\nmissed: %lu\n", kmemtrace_missed());
}
