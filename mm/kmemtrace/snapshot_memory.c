// SPDX-License-Identifier: GPL-2.0
/*
 * Slab objects and page frames of a snapshot.
 *
 * One CPU looks at them while all others stand still, a part of memory at a time. The
 * lists of the allocators are consistent then: they are changed with preemption off.
 *
 * Memory that a task has taken off a list, but not returned to its caller yet, is
 * recorded as live, and the event of the allocation follows.
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
#include <linux/math64.h>
#include <linux/memblock.h>
#include <linux/memory_hotplug.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/overflow.h>
#include <linux/page-flags.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/stop_machine.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <uapi/linux/kmemtrace.h>
#include "../internal.h"
#include "../live.h"
#include "../slab.h"
#include "address.h"
#include "compat.h"
#include "frames.h"
#include "record.h"
#include "snapshot_memory.h"

static_assert(offsetof(struct kmemtrace_snapshot_slab, timestamp) == 48);
static_assert(offsetof(struct kmemtrace_snapshot_slab, live) == 56);

/* No block of free pages may begin in the part before. */
#define KMEMTRACE_PART_FRAMES	\
	(MAX_ORDER_NR_PAGES > 8192 ? MAX_ORDER_NR_PAGES : 8192)
#define KMEMTRACE_PART_OBJECTS	4096U
#define KMEMTRACE_MAX_UNSURE	64
#define KMEMTRACE_MAX_RETRIES	100
#define KMEMTRACE_DRAIN_PARTS	32

/**
 * struct kmemtrace_part - a part of memory that is recorded in one stop of the machine
 * @pgdat: its node
 * @start: first frame
 * @end: the frame after the last one
 * @free: a bit for each frame; set if it is on a CPU's list of free frames
 * @run: neighbouring frames of one state that are not recorded yet
 * @unsure: first frames of slabs that have to be looked at again
 * @nr_unsure: how many
 * @missing: slabs that found no place in @unsure, or whose objects can't be listed
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
	struct kmemtrace_missing missing;
};

/* ---- slab objects ---- */

/* Return 0, or the error of slab_live_objects(). */
static int kmemtrace_emit_objects(struct slab *slab, unsigned int first,
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

static int kmemtrace_emit_slab(struct slab *slab)
{
	unsigned int all = slab_nr_objects(slab);
	unsigned int first, nr;
	int ret = 0;

	for (first = 0; !ret && first < all; first += nr) {
		nr = min(all - first, KMEMTRACE_PART_OBJECTS);
		ret = kmemtrace_emit_objects(slab, first, nr);
	}
	return ret;
}

static bool kmemtrace_is_slab(struct page *page)
{
	return !PageTail(page) && PageSlab(page) &&
	       !is_kfence_address(page_address(page));
}

/* Record the objects of the slab that begins at @page, if one does, or note it as unsure. */
static void kmemtrace_look_at_slab(struct kmemtrace_part *part,
				   struct page *page)
{
	int ret = kmemtrace_is_slab(page) ?
		  kmemtrace_emit_slab(page_slab(page)) : 0;

	if (ret == -EAGAIN && part->nr_unsure < KMEMTRACE_MAX_UNSURE)
		part->unsure[part->nr_unsure++] = page_to_pfn(page);
	else if (ret == -EAGAIN)
		part->missing.unsure++;
	else if (ret)
		part->missing.unlisted++;
}

/* Look at the unsure slabs again. */
static int kmemtrace_look_again(void *data)
{
	struct kmemtrace_part *part = data;
	unsigned int nr = part->nr_unsure;

	part->nr_unsure = 0;
	for (unsigned int i = 0; i < nr; i++)
		kmemtrace_look_at_slab(part, pfn_to_page(part->unsure[i]));
	return 0;
}

static void kmemtrace_emit_kfence_object(struct kmem_cache *cache,
					 unsigned long addr)
{
	DEFINE_RAW_FLEX(struct kmemtrace_snapshot_slab, record, live, 1);

	record->event_id = KMEMTRACE_EVENT_SNAPSHOT;
	record->type_id = KMEMTRACE_TYPE_CACHE;
	record->event_size = struct_size(record, live, 1);
	record->node = page_to_nid(virt_to_page((void *)addr));
	record->cache = (unsigned long)kasan_reset_tag(cache);
	record->ptr = addr;
	record->object_size = cache->object_size;
	record->size = cache->size;
	record->objects = 1;
	record->live[0] = 1;
	kmemtrace_write(record, record->event_size);
}

/* Record the objects in the pool of KFENCE. */
static int kmemtrace_emit_kfence(void *data)
{
	kfence_for_each_object(kmemtrace_emit_kfence_object);
	return 0;
}

/* ---- page frames ---- */

/*
 * Memory that memblock gave out may have a struct page that is not initialised yet:
 * the tails of gigantic pages from the command line.
 */
static bool __ref kmemtrace_is_memblock(unsigned long pfn)
{
	return system_state == SYSTEM_BOOTING &&
	       memblock_is_reserved(PFN_PHYS(pfn));
}

/*
 * Drivers mark pages that the machine is without as offline. They allocated some of
 * them, others the page allocator never had. Nothing tells all of these apart, but
 * what balloon_page_insert() got was allocated.
 */
static bool kmemtrace_is_offline(struct page *page)
{
	return PageOffline(page) && !page_has_movable_ops(page);
}

/* Return the state of @page, and in @nr for how many frames from there on. */
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
	/* A block of the largest order, of which only the first page is marked. */
	if (PageUnaccepted(page)) {
		*nr = min_t(unsigned long, MAX_ORDER_NR_PAGES, part->end - pfn);
		return KMEMTRACE_FRAMES_RESERVED;
	}
	if (PageReserved(page) || kmemtrace_is_offline(page))
		return KMEMTRACE_FRAMES_RESERVED;
	return KMEMTRACE_FRAMES_LIVE;
}

/* Record what is known of the frame @pfn. Return the next frame to look at. */
static unsigned long kmemtrace_look_at_frame(struct kmemtrace_part *part,
					     unsigned long pfn)
{
	struct page *page = pfn_to_online_page(pfn);
	enum kmemtrace_frames state;
	unsigned long nr;

	if (!page)
		return pfn + 1;
	state = kmemtrace_state_of(part, page, pfn, &nr);
	/* Nodes may overlap. The struct page of a reserved frame may not name its node. */
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

/* Runs on one CPU while all others are stopped. */
static int kmemtrace_look_at_part(void *data)
{
	struct kmemtrace_part *part = data;
	unsigned long pfn = part->start;

	kmemtrace_mark_pcp(part);
	while (pfn < part->end)
		pfn = kmemtrace_look_at_frame(part, pfn);
	kmemtrace_flush_frames(&part->run);
	return 0;
}

/*
 * Record memory without a struct page as reserved: the boot gives it to the page
 * allocator later. All of it is in the linear map. Return the first frame of it.
 */
static unsigned long __ref kmemtrace_emit_deferred(pg_data_t *pgdat)
{
#ifdef CONFIG_DEFERRED_STRUCT_PAGE_INIT
	unsigned long first = pgdat->first_deferred_pfn, start, end;
	int i;

	if (first < pgdat_end_pfn(pgdat)) {
		for_each_mem_pfn_range(i, pgdat->node_id, &start, &end, NULL) {
			start = max(start, first);
			if (start < end)
				kmemtrace_emit_reserved(pgdat->node_id, start,
							end - start);
		}
		return first;
	}
#endif
	return pgdat_end_pfn(pgdat);
}

/* ---- all of memory ---- */

/*
 * Run @look while all other CPUs are stopped, each time on another CPU, so that all
 * buffers take their share of records. Then let the machine run for as long as it stood.
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

/* Return false for a hole, of which a node may have more than memory. */
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
	unsigned long end = kmemtrace_emit_deferred(pgdat);
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

/**
 * kmemtrace_snapshot_memory - record all slab objects and page frames
 *
 * Context: task, may sleep; or the boot CPU in early boot. One caller at a time.
 * Return: how many slabs could not be recorded.
 */
struct kmemtrace_missing kmemtrace_snapshot_memory(void)
{
	static struct kmemtrace_part part;
	pg_data_t *pgdat;

	part.nr_unsure = 0;
	part.missing = (struct kmemtrace_missing) { };
	/* Pages that are being reported are free, but on no list. */
	page_reporting_pause();
	/* In the order in which memory hotplug takes them. */
	cpus_read_lock();
	get_online_mems();
	for_each_online_pgdat(pgdat)
		kmemtrace_look_at_node(&part, pgdat);
	for (int i = 0; part.nr_unsure && i < KMEMTRACE_MAX_RETRIES; i++) {
		schedule_timeout_uninterruptible(1);
		kmemtrace_stop_and_look(&part, kmemtrace_look_again);
	}
	kmemtrace_stop_and_look(&part, kmemtrace_emit_kfence);
	put_online_mems();
	cpus_read_unlock();
	page_reporting_resume();
	part.missing.unsure += part.nr_unsure;
	return part.missing;
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "snapshot_memory_test.c"
#endif
