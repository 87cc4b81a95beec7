// SPDX-License-Identifier: GPL-2.0
/*
 * What is live when tracing begins, as records in the stream.
 *
 * Events are recorded already while this runs, so that nothing can fall between
 * the snapshot and the first event. An allocation is recorded after the memory
 * was obtained and a free before it is released: a reader who finds an object in
 * the snapshot that was freed before knows that it is on its way, and so one
 * that is allocated after.
 *
 * Slab objects and page frames are looked at while all CPUs stand still, a part
 * of memory at a time. The lists of the allocators are at rest then: they are
 * changed with preemption off. What a task has taken off a list, but not yet
 * handed out, is told as live: an allocation follows, or a free where a free
 * page was taken for something else, as page reporting does.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/kasan.h>
#include <linux/kernel.h>
#include <linux/kfence.h>
#include <linux/kmemtrace.h>
#include <linux/math64.h>
#include <linux/memblock.h>
#include <linux/memory.h>
#include <linux/memory_hotplug.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/mutex.h>
#include <linux/page-flags.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/stop_machine.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <uapi/linux/kmemtrace.h>
#include "internal.h"
#include "kmemtrace.h"
#include "slab.h"
#ifdef CONFIG_KFENCE
#include "kfence/kfence.h"
#endif

static_assert(sizeof(struct kmemtrace_lost) == sizeof(struct kmemtrace_event));
static_assert(sizeof(struct kmemtrace_clock) == sizeof(struct kmemtrace_event));
static_assert(sizeof(struct kmemtrace_snapshot_pages) ==
	      sizeof(struct kmemtrace_event));
static_assert(sizeof(struct kmemtrace_snapshot_end) ==
	      sizeof(struct kmemtrace_event));
static_assert(offsetof(struct kmemtrace_lost, timestamp) == 48);
static_assert(offsetof(struct kmemtrace_clock, timestamp) == 48);
static_assert(offsetof(struct kmemtrace_cache, timestamp) == 48);
static_assert(offsetof(struct kmemtrace_cache, name) == 64);
static_assert(offsetof(struct kmemtrace_snapshot_slab, timestamp) == 48);
static_assert(offsetof(struct kmemtrace_snapshot_slab, live) == 56);
static_assert(offsetof(struct kmemtrace_snapshot_pages, timestamp) == 48);
static_assert(offsetof(struct kmemtrace_snapshot_end, timestamp) == 48);

/* ---- slab caches ---- */

#define KMEMTRACE_MAX_NAME	128

/**
 * kmemtrace_put_cache - record that a slab cache is there, was made, or goes
 * @op: enum kmemtrace_cache_op
 * @call_site: who makes or destroys it, or 0
 * @cache: the cache
 * @name: its name, or the one under which it was asked for
 *
 * Context: task, with slab_mutex held.
 */
void kmemtrace_put_cache(u8 op, unsigned long call_site,
			 struct kmem_cache *cache, const char *name)
{
	DEFINE_RAW_FLEX(struct kmemtrace_cache, record, name,
			KMEMTRACE_MAX_NAME);
	size_t len = strnlen(name, KMEMTRACE_MAX_NAME - 1);

	record->event_id = KMEMTRACE_EVENT_CACHE;
	record->op = op;
	record->event_size = sizeof(*record) + round_up(len + 1, 8);
	/* Early in the boot it is -1: not to be merged. */
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

static void kmemtrace_put_caches(void)
{
	struct kmem_cache *cache;

	mutex_lock(&slab_mutex);
	list_for_each_entry(cache, &slab_caches, list)
		kmemtrace_put_cache(KMEMTRACE_CACHE_THERE, 0, cache,
				    cache->name);
	mutex_unlock(&slab_mutex);
}

/* What KASAN and RCU hold back was freed before: let go of it first. */
static void kmemtrace_flush_caches(void)
{
	struct kmem_cache *cache;

	rcu_barrier();
	mutex_lock(&slab_mutex);
	list_for_each_entry(cache, &slab_caches, list)
		kasan_cache_shrink(cache);
	mutex_unlock(&slab_mutex);
}

/* ---- slab objects and page frames, of a part of memory at a time ---- */

#define KMEMTRACE_PART_FRAMES	8192
#define KMEMTRACE_PART_OBJECTS	4096
#define KMEMTRACE_MAX_UNSURE	64
#define KMEMTRACE_MAX_LOOKS	100
#define KMEMTRACE_DRAIN_PARTS	32

/**
 * struct kmemtrace_part - a part of memory that is looked at in one go
 * @pgdat: its node
 * @start: first frame
 * @end: the frame after the last one
 * @free: a bit a frame that waits on a CPU's list of free ones
 * @run: neighbouring frames of one state that aren't recorded yet
 * @unsure: first frames of slabs that have to be looked at again
 * @nr_unsure: how many
 * @overflown: slabs that found no place in @unsure
 *
 * Used by the CPU that has stopped all others.
 */
struct kmemtrace_part {
	pg_data_t	*pgdat;
	unsigned long	start, end;
	DECLARE_BITMAP(free, KMEMTRACE_PART_FRAMES);
	struct kmemtrace_snapshot_pages run;
	unsigned long	unsure[KMEMTRACE_MAX_UNSURE];
	unsigned int	nr_unsure;
	unsigned int	overflown;
};

static void kmemtrace_put_run(struct kmemtrace_snapshot_pages *run)
{
	if (run->bytes)
		kmemtrace_write(run, sizeof(*run));
	run->bytes = 0;
}

/* Neighbours of one state are told of in one, in whatever order they come. */
static void kmemtrace_add_frames(struct kmemtrace_snapshot_pages *run, int node,
				 enum kmemtrace_frames state, unsigned long pfn,
				 unsigned long nr)
{
	u64 ptr = kmemtrace_page_ptr(pfn_to_page(pfn));
	u64 bytes = (u64)nr << PAGE_SHIFT;

	if (run->state != state || run->node != node ||
	    (run->ptr + run->bytes != ptr && ptr + bytes != run->ptr))
		kmemtrace_put_run(run);
	if (!run->bytes)
		*run = (struct kmemtrace_snapshot_pages) {
			.event_id = KMEMTRACE_EVENT_SNAPSHOT,
			.type_id = KMEMTRACE_TYPE_PAGES,
			.event_size = sizeof(*run),
			.node = node,
			.state = state,
			.ptr = ptr,
		};
	run->ptr = min(run->ptr, ptr);
	run->bytes += bytes;
}

/* Returns -EAGAIN where a task that was stopped has a part of the slab. */
static int kmemtrace_put_objects(struct slab *slab, unsigned int first,
				 unsigned int nr)
{
	struct kmem_cache *cache = slab->slab_cache;
	DEFINE_RAW_FLEX(struct kmemtrace_snapshot_slab, record, live,
			KMEMTRACE_PART_OBJECTS / 64);
	int ret = slab_live_objects(slab, first, nr, record->live);

	if (ret)
		return ret;
	record->event_id = KMEMTRACE_EVENT_SNAPSHOT;
	record->type_id = KMEMTRACE_TYPE_CACHE;
	record->event_size = struct_size(record, live, DIV_ROUND_UP(nr, 64));
	record->node = slab_nid(slab);
	record->cache = (unsigned long)kasan_reset_tag(cache);
	record->ptr = (unsigned long)slab_first_object(slab) +
		      first * cache->size;
	record->object_size = cache->object_size;
	record->size = cache->size;
	record->objects = nr;
	kmemtrace_write(record, record->event_size);
	return 0;
}

static int kmemtrace_put_slab(struct slab *slab)
{
	unsigned int first, nr;
	int ret = 0;

	/* Those that wait on a CPU's list of free ones count as in use. */
	if (!slab->inuse)
		return 0;
	for (first = 0; !ret && first < slab->objects; first += nr) {
		nr = min(slab->objects - first, KMEMTRACE_PART_OBJECTS);
		ret = kmemtrace_put_objects(slab, first, nr);
	}
	return ret;
}

static bool kmemtrace_is_slab(struct page *page)
{
	return !PageTail(page) && PageSlab(page) &&
	       !is_kfence_address(page_address(page));
}

static void kmemtrace_look_at_slab(struct kmemtrace_part *part,
				   struct page *page)
{
	if (!kmemtrace_is_slab(page) || !kmemtrace_put_slab(page_slab(page)))
		return;
	if (part->nr_unsure < KMEMTRACE_MAX_UNSURE)
		part->unsure[part->nr_unsure++] = page_to_pfn(page);
	else
		part->overflown++;
}

/*
 * What memblock gave out may have a struct page that nobody has initialised yet,
 * as the tails of gigantic pages that were asked for on the command line.
 */
static bool __ref kmemtrace_is_memblock(unsigned long pfn)
{
	return system_state == SYSTEM_BOOTING &&
	       memblock_is_reserved(PFN_PHYS(pfn));
}

/* What @page is, and for how many frames from there on. */
static enum kmemtrace_frames kmemtrace_state_of(struct kmemtrace_part *part,
						struct page *page,
						unsigned long pfn,
						unsigned long *nr)
{
	*nr = 1;
	if (kmemtrace_is_memblock(pfn))
		return KMEMTRACE_FRAMES_RESERVED;
	if (PageBuddy(page) || page_is_guard(page)) {
		*nr = min(1UL << buddy_order(page), part->end - pfn);
		return KMEMTRACE_FRAMES_FREE;
	}
	if (test_bit(pfn - part->start, part->free))
		return KMEMTRACE_FRAMES_FREE;
	/* Blocks of the largest order, of which the first page tells. */
	if (PageUnaccepted(page)) {
		*nr = min_t(unsigned long, MAX_ORDER_NR_PAGES, part->end - pfn);
		return KMEMTRACE_FRAMES_RESERVED;
	}
	if (PageReserved(page) || PageOffline(page))
		return KMEMTRACE_FRAMES_RESERVED;
	return KMEMTRACE_FRAMES_LIVE;
}

/* Record what is known of the frame @pfn and return the next one to look at. */
static unsigned long kmemtrace_look_at_frame(struct kmemtrace_part *part,
					     unsigned long pfn)
{
	struct page *page = pfn_to_online_page(pfn);
	enum kmemtrace_frames state;
	unsigned long nr;

	if (!page)
		return pfn + 1;
	state = kmemtrace_state_of(part, page, pfn, &nr);
	/* Nodes may lie in one another. What is reserved may not say. */
	if (state != KMEMTRACE_FRAMES_RESERVED &&
	    page_to_nid(page) != part->pgdat->node_id)
		return pfn + nr;
	kmemtrace_add_frames(&part->run, part->pgdat->node_id, state, pfn, nr);
	if (state == KMEMTRACE_FRAMES_LIVE)
		kmemtrace_look_at_slab(part, page);
	return pfn + nr;
}

static void kmemtrace_mark_pcp(struct kmemtrace_part *part)
{
	bitmap_zero(part->free, KMEMTRACE_PART_FRAMES);
	for (int i = 0; i < MAX_NR_ZONES; i++) {
		struct zone *zone = &part->pgdat->node_zones[i];

		if (populated_zone(zone) && zone->zone_start_pfn < part->end &&
		    zone_end_pfn(zone) > part->start)
			page_alloc_mark_pcp(zone, part->start,
					    part->end - part->start,
					    part->free);
	}
}

/* Runs on one CPU while the others do nothing. */
static int kmemtrace_look_at_part(void *data)
{
	struct kmemtrace_part *part = data;
	unsigned long pfn = part->start;

	kmemtrace_mark_pcp(part);
	while (pfn < part->end)
		pfn = kmemtrace_look_at_frame(part, pfn);
	kmemtrace_put_run(&part->run);
	return 0;
}

/*
 * Memory that the page allocator never had, but will. It may have no struct page
 * yet; all of it that comes late is in the linear map.
 */
static void kmemtrace_put_reserved(int node, unsigned long pfn,
				   unsigned long nr)
{
	const struct kmemtrace_snapshot_pages record = {
		.event_id = KMEMTRACE_EVENT_SNAPSHOT,
		.type_id = KMEMTRACE_TYPE_PAGES,
		.event_size = sizeof(record),
		.node = node,
		.state = KMEMTRACE_FRAMES_RESERVED,
		.ptr = (unsigned long)__va(PFN_PHYS(pfn)),
		.bytes = (u64)nr << PAGE_SHIFT,
	};

	kmemtrace_write(&record, sizeof(record));
}

/* What has no struct page yet; it is given out as the boot goes on. */
static unsigned long __ref kmemtrace_put_deferred(pg_data_t *pgdat)
{
#ifdef CONFIG_DEFERRED_STRUCT_PAGE_INIT
	unsigned long first = pgdat->first_deferred_pfn, start, end;
	int i;

	if (first < pgdat_end_pfn(pgdat)) {
		for_each_mem_pfn_range(i, pgdat->node_id, &start, &end, NULL) {
			start = max(start, first);
			if (start < end)
				kmemtrace_put_reserved(pgdat->node_id, start,
						       end - start);
		}
		return first;
	}
#endif
	return pgdat_end_pfn(pgdat);
}

/*
 * Each part on another CPU, so that all buffers take their share. In between, the
 * machine runs for as long as it stood still.
 */
static void kmemtrace_stop_and_look(struct kmemtrace_part *part,
				    cpu_stop_fn_t look)
{
	u64 start = ktime_get_mono_fast_ns(), us;
	static unsigned int cpu;

	lockdep_assert_cpus_held();
	cpu = cpumask_next(cpu, cpu_online_mask);
	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first(cpu_online_mask);
	stop_machine_cpuslocked(look, part, cpumask_of(cpu));
	if (system_state == SYSTEM_BOOTING)
		return;
	us = div_u64(ktime_get_mono_fast_ns() - start, NSEC_PER_USEC);
	usleep_range(us, 2 * us + 1);
}

/* Nothing comes or goes meanwhile. A node may span more hole than memory. */
static bool kmemtrace_has_pages(struct kmemtrace_part *part)
{
	cond_resched();
	for (unsigned long pfn = part->start; pfn < part->end; pfn++)
		if (pfn_to_online_page(pfn))
			return true;
	return false;
}

static void kmemtrace_look_at_node(struct kmemtrace_part *part,
				   pg_data_t *pgdat)
{
	unsigned long end = kmemtrace_put_deferred(pgdat);
	unsigned int looks = 0;

	part->pgdat = pgdat;
	for (part->start = pgdat->node_start_pfn; part->start < end;
	     part->start = part->end) {
		part->end = min(round_down(part->start, KMEMTRACE_PART_FRAMES) +
				KMEMTRACE_PART_FRAMES, end);
		if (!kmemtrace_has_pages(part))
			continue;
		/* Long lists of free pages would make each stop longer. */
		if (system_state != SYSTEM_BOOTING &&
		    looks++ % KMEMTRACE_DRAIN_PARTS == 0)
			drain_all_pages(NULL);
		kmemtrace_stop_and_look(part, kmemtrace_look_at_part);
	}
}

static int kmemtrace_look_again(void *data)
{
	struct kmemtrace_part *part = data;
	unsigned int nr = part->nr_unsure;

	part->nr_unsure = 0;
	for (unsigned int i = 0; i < nr; i++)
		kmemtrace_look_at_slab(part, pfn_to_page(part->unsure[i]));
	return 0;
}

/* Objects of KFENCE's own pool. */
static int kmemtrace_put_kfence(void *data)
{
#ifdef CONFIG_KFENCE
	DEFINE_RAW_FLEX(struct kmemtrace_snapshot_slab, record, live, 1);
	/* NULL early in the boot; pairs with kfence_init_pool(). */
	struct kfence_metadata *all = smp_load_acquire(&kfence_metadata);

	for (int i = 0; all && i < CONFIG_KFENCE_NUM_OBJECTS; i++) {
		struct kfence_metadata *meta = &all[i];

		if (meta->state != KFENCE_OBJECT_ALLOCATED)
			continue;
		record->event_id = KMEMTRACE_EVENT_SNAPSHOT;
		record->type_id = KMEMTRACE_TYPE_CACHE;
		record->event_size = struct_size(record, live, 1);
		record->node = page_to_nid(virt_to_page(meta->addr));
		record->cache = (unsigned long)kasan_reset_tag(meta->cache);
		record->ptr = meta->addr;
		record->object_size = meta->cache->object_size;
		record->size = meta->cache->size;
		record->objects = 1;
		record->live[0] = 1;
		kmemtrace_write(record, record->event_size);
	}
#endif
	return 0;
}

/* Returns how many slabs could not be looked at. */
static unsigned int kmemtrace_put_memory(struct kmemtrace_part *part)
{
	pg_data_t *pgdat;

	part->nr_unsure = 0;
	part->overflown = 0;
	/* In the order in which memory is plugged in. */
	cpus_read_lock();
	get_online_mems();
	for_each_online_pgdat(pgdat)
		kmemtrace_look_at_node(part, pgdat);
	for (int i = 0; part->nr_unsure && i < KMEMTRACE_MAX_LOOKS; i++) {
		schedule_timeout_uninterruptible(1);
		kmemtrace_stop_and_look(part, kmemtrace_look_again);
	}
	kmemtrace_stop_and_look(part, kmemtrace_put_kfence);
	put_online_mems();
	cpus_read_unlock();
	return part->nr_unsure + part->overflown;
}

/* ---- kmemtrace's own memory ---- */

/**
 * kmemtrace_put_own - record which pages are the buffer of a CPU
 * @pages: they
 * @nr: how many
 *
 * So that a reader can tell what is live from what watches it.
 *
 * Context: task.
 */
void kmemtrace_put_own(struct page **pages, size_t nr)
{
	struct kmemtrace_snapshot_pages run = { };

	for (size_t i = 0; i < nr; i++)
		kmemtrace_add_frames(&run, page_to_nid(pages[i]),
				     KMEMTRACE_FRAMES_OWN,
				     page_to_pfn(pages[i]), 1);
	kmemtrace_put_run(&run);
}

/* Those that there were before tracing began. */
static void kmemtrace_put_buffers(void)
{
	struct page **pages;
	unsigned int cpu;
	size_t nr;

	cpus_read_lock();
	for_each_possible_cpu(cpu) {
		pages = kmemtrace_own_pages(cpu, &nr);
		kmemtrace_put_own(pages, nr);
	}
	cpus_read_unlock();
}

/* ---- what has locks of its own ---- */

static void kmemtrace_put_event(u8 type_id, unsigned long call_site, u64 ptr,
				size_t bytes_req, size_t bytes_alloc)
{
	const struct kmemtrace_event record = {
		.event_id = KMEMTRACE_EVENT_SNAPSHOT,
		.type_id = type_id,
		.event_size = sizeof(record),
		.node = NUMA_NO_NODE,
		.call_site = call_site,
		.ptr = ptr,
		.bytes_req = bytes_req,
		.bytes_alloc = bytes_alloc,
	};

	kmemtrace_write(&record, sizeof(record));
}

static void kmemtrace_put_percpu(unsigned long ptr, size_t bytes)
{
	bytes *= num_possible_cpus();
	kmemtrace_put_event(KMEMTRACE_TYPE_PERCPU, 0, ptr, bytes, bytes);
}

static void kmemtrace_put_vmalloc(const struct vm_struct *area)
{
	size_t bytes;

	if (area->flags & VM_UNINITIALIZED)
		return;
	/* Pairs with smp_wmb() in clear_vm_uninitialized_flag(). */
	smp_rmb();
	bytes = kmemtrace_vmalloc_bytes(area);
	if (kmemtrace_is_vmalloc(area))
		kmemtrace_put_event(KMEMTRACE_TYPE_VMALLOC,
				    (unsigned long)area->caller,
				    kmemtrace_vmalloc_ptr(area), bytes, bytes);
}

/* ---- all of it ---- */

static void kmemtrace_put_end(unsigned int unsure)
{
	struct kmemtrace_snapshot_end record = {
		.event_id = KMEMTRACE_EVENT_SNAPSHOT,
		.type_id = KMEMTRACE_TYPE_END,
		.event_size = sizeof(record),
		.unsure = unsure,
	};

	preempt_disable();
	record.cpu = smp_processor_id();
	kmemtrace_write(&record, sizeof(record));
	preempt_enable();
}

/*
 * Let go of what was freed before events were recorded, but isn't free: what
 * KASAN and RCU hold back, and what a task that was preempted is about to
 * release.
 */
static void kmemtrace_settle(void)
{
	kmemtrace_flush_caches();
	synchronize_rcu_tasks();
}

/**
 * kmemtrace_snapshot - record what is live
 *
 * To be called right after recording began. With PREEMPT_RT, allocators can be
 * preempted in the middle of a change: there is no snapshot then but at boot.
 *
 * Context: task, may sleep; or the boot CPU in early boot.
 */
void kmemtrace_snapshot(void)
{
	static struct kmemtrace_part part;
	unsigned int unsure;

	kmemtrace_put_caches();
	if (system_state != SYSTEM_BOOTING) {
		if (IS_ENABLED(CONFIG_PREEMPT_RT))
			return;
		kmemtrace_settle();
	}
	/* Before all others, so that they are never taken for something else. */
	kmemtrace_put_buffers();
	unsure = kmemtrace_put_memory(&part);
	pcpu_for_each_area(kmemtrace_put_percpu);
	vmalloc_for_each_area(kmemtrace_put_vmalloc);
	kmemtrace_put_end(unsure);
}

/* Memory that is plugged in was nobody's before. */
static int __meminit kmemtrace_memory_notify(struct notifier_block *nb,
					     unsigned long action, void *data)
{
	struct memory_notify *memory = data;

	if (action == MEM_GOING_ONLINE)
		kmemtrace_put_reserved(pfn_to_nid(memory->start_pfn),
				       memory->start_pfn, memory->nr_pages);
	return NOTIFY_OK;
}

static int __init kmemtrace_memory_init(void)
{
	return hotplug_memory_notifier(kmemtrace_memory_notify,
				       DEFAULT_CALLBACK_PRI);
}
core_initcall(kmemtrace_memory_init);

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "kmemtrace_snapshot_test.c"
#endif
