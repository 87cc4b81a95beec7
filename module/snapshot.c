// SPDX-License-Identifier: GPL-2.0
/*
 * What a module can tell when tracing begins: which slab caches exist, which pages are
 * buffers of the recorder, and which page frames are live. It does not know the live slab
 * objects, per-CPU memory and vmalloc areas: only functions in the files of the allocators
 * could list them.
 */
#include <linux/bits.h>
#include <linux/kconfig.h>
#include <linux/list.h>
#include <linux/marker_channel.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <uapi/linux/kmemtrace.h>
#include "mm/kmemtrace/cache.h"
#include "mm/kmemtrace/record.h"
#include "mm/kmemtrace/snapshot.h"
#include "mm/kmemtrace/snapshot_frames.h"
#include "mm/live.h"
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

static void kmemtrace_emit_end(u64 begin)
{
	struct kmemtrace_snapshot_end record = {
		.event_id = KMEMTRACE_EVENT_SNAPSHOT,
		.type_id = KMEMTRACE_TYPE_END,
		.event_size = sizeof(record),
		.without = BIT_ULL(KMEMTRACE_TYPE_KMALLOC) |
			   BIT_ULL(KMEMTRACE_TYPE_CACHE) |
			   BIT_ULL(KMEMTRACE_TYPE_PERCPU) |
			   BIT_ULL(KMEMTRACE_TYPE_VMALLOC),
		.begin_ns = begin,
	};

	preempt_disable();
	record.cpu = smp_processor_id();
	kmemtrace_write(&record, sizeof(record));
	preempt_enable();
}

#ifdef CONFIG_PAGE_REPORTING
/* A module can't: the few pages that a hypervisor is being told of look live. */
void page_reporting_pause(void)
{
}

void page_reporting_resume(void)
{
}
#endif

static void kmemtrace_ignore_slabs(struct kmemtrace_part *part)
{
}

static bool kmemtrace_lists_frames(bool baseline)
{
	return baseline && !IS_ENABLED(CONFIG_PREEMPT_RT);
}

/* See mm/kmemtrace/snapshot.c. */
int kmemtrace_snapshot(bool baseline)
{
	const u64 begin = ktime_get_mono_fast_ns();
	static struct kmemtrace_part part;
	int ret;

	kmemtrace_emit_caches();
	marker_channel_tell_bufs(&kmemtrace_channel);
	if (!kmemtrace_lists_frames(baseline))
		return 0;
	/* What a preempted task is about to free was not recorded. */
	synchronize_rcu_tasks();
	ret = kmemtrace_snapshot_frames(&part, kmemtrace_ignore_slabs);
	if (ret)
		return ret;
	kmemtrace_emit_end(begin);
	return 0;
}

/* See mm/kmemtrace/snapshot.c. */
void kmemtrace_show_source(struct seq_file *m, bool baseline)
{
	seq_puts(m, "source: module\nunseen: ");
	seq_puts(m, kmemtrace_lists_frames(baseline) ? "baseline_objects" :
						       "baseline");
	kmemtrace_show_unseen(m);
	seq_printf(m, "\nmissed: %lu\n", kmemtrace_missed());
}
