// SPDX-License-Identifier: GPL-2.0
/*
 * What is live when tracing begins, as records in the stream.
 *
 * Events are recorded already while this runs, so that nothing can fall between the
 * snapshot and the first event. An allocation is recorded after the memory was
 * obtained, and a free before it is released. So a free may stand in front of the
 * record that shows its object live, and an allocation behind it: a reader takes both
 * as one.
 */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/kasan.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/marker_channel.h>
#include <linux/mutex.h>
#include <linux/numa.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/stddef.h>
#include <linux/timekeeping.h>
#include <linux/vmalloc.h>
#include <uapi/linux/kmemtrace.h>
#include "../live.h"
#include "../slab.h"
#include "address.h"
#include "cache.h"
#include "cgroups.h"
#include "frames.h"
#include "record.h"
#include "snapshot.h"
#include "snapshot_memory.h"
#include "who.h"

static_assert(sizeof(struct kmemtrace_snapshot_end) == 56);
static_assert(offsetof(struct kmemtrace_snapshot_end, timestamp) == 48);

/* ---- slab caches ---- */

static void kmemtrace_emit_caches(void)
{
	struct kmem_cache *cache;

	mutex_lock(&slab_mutex);
	list_for_each_entry(cache, &slab_caches, list)
		kmemtrace_emit_cache(KMEMTRACE_CACHE_THERE, 0, cache,
				     cache->name);
	mutex_unlock(&slab_mutex);
}

/* Let KASAN and RCU release the objects that they hold back: they were freed before. */
static void kmemtrace_flush_caches(void)
{
	struct kmem_cache *cache;

	rcu_barrier();
	mutex_lock(&slab_mutex);
	list_for_each_entry(cache, &slab_caches, list)
		kasan_cache_shrink(cache);
	mutex_unlock(&slab_mutex);
}

/* An allocator that defers frees, or caches many free objects, has its own. */
void __weak slab_settle(void)
{
}

/* ---- per-CPU memory and vmalloc ---- */

static void kmemtrace_emit_area(u8 type_id, unsigned long call_site, u64 ptr,
				size_t bytes)
{
	const struct kmemtrace_event record = {
		.event_id = KMEMTRACE_EVENT_SNAPSHOT,
		.type_id = type_id,
		.event_size = sizeof(record),
		.node = NUMA_NO_NODE,
		.call_site = call_site,
		.ptr = ptr,
		.bytes_req = bytes,
		.bytes_alloc = bytes,
	};

	kmemtrace_write(&record, sizeof(record));
}

static void kmemtrace_emit_percpu(unsigned long ptr, size_t bytes)
{
	kmemtrace_emit_area(KMEMTRACE_TYPE_PERCPU, 0, ptr,
			    bytes * num_possible_cpus());
}

static void kmemtrace_emit_vmalloc(const struct vm_struct *area)
{
	if (area->flags & VM_UNINITIALIZED)
		return;
	/* Pairs with smp_wmb() in clear_vm_uninitialized_flag(). */
	smp_rmb();
	if (kmemtrace_is_vmalloc(area))
		kmemtrace_emit_area(KMEMTRACE_TYPE_VMALLOC,
				    (unsigned long)area->caller,
				    kmemtrace_vmalloc_ptr(area),
				    kmemtrace_vmalloc_bytes(area));
}

/* ---- all of it ---- */

static void kmemtrace_emit_end(u64 begin, struct kmemtrace_outcome outcome)
{
	struct kmemtrace_snapshot_end record = {
		.event_id = KMEMTRACE_EVENT_SNAPSHOT,
		.type_id = KMEMTRACE_TYPE_END,
		.event_size = sizeof(record),
		.unsure = outcome.unsure,
		.unlisted = outcome.unlisted,
		.stop_ns = outcome.stop_ns,
		.begin_ns = begin,
	};

	preempt_disable();
	record.cpu = smp_processor_id();
	kmemtrace_write(&record, sizeof(record));
	preempt_enable();
}

/*
 * Wait until memory that was freed before events were recorded is free: objects that
 * KASAN and RCU hold back, and what a preempted task is about to release.
 */
static void kmemtrace_settle(void)
{
	slab_settle();
	kmemtrace_flush_caches();
	synchronize_rcu_tasks();
}

/**
 * kmemtrace_snapshot - record what is live
 * @baseline: false: only slab caches and the buffers of kmemtrace
 *
 * To be called right after recording began. With PREEMPT_RT, tasks can be preempted
 * while they change an allocator's lists: only the boot has a full snapshot then.
 *
 * Context: task, may sleep; or the boot CPU in early boot. One caller at a time.
 * Return: 0; -EINTR if a signal came, and no record ends the snapshot.
 */
int kmemtrace_snapshot(bool baseline)
{
	const u64 begin = ktime_get_mono_fast_ns();
	struct kmemtrace_outcome outcome = { };
	int ret;

	kmemtrace_emit_caches();
	if (kmemtrace_with & KMEMTRACE_WITH_CGROUP)
		kmemtrace_emit_cgroups();
	/* Before all other frames: a reader has to know its own memory first. */
	marker_channel_tell_bufs(&kmemtrace_channel);
	if (!baseline)
		return 0;
	if (system_state != SYSTEM_BOOTING) {
		if (IS_ENABLED(CONFIG_PREEMPT_RT))
			return 0;
		kmemtrace_settle();
	}
	ret = kmemtrace_snapshot_memory(&outcome);
	if (ret)
		return ret;
	pcpu_for_each_area(kmemtrace_emit_percpu);
	vmalloc_for_each_area(kmemtrace_emit_vmalloc);
	kmemtrace_emit_end(begin, outcome);
	return 0;
}

/**
 * kmemtrace_show_source - write lines of a trace's metadata about its source
 * @m: where to
 * @baseline: the trace begins with what is live
 */
void kmemtrace_show_source(struct seq_file *m, bool baseline)
{
	if (!baseline)
		seq_puts(m, "unseen: baseline\n");
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "snapshot_test.c"
#endif
