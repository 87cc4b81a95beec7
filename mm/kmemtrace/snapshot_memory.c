// SPDX-License-Identifier: GPL-2.0
/*
 * Slab objects and page frames of a snapshot, a part of memory at a time.
 *
 * Frames change their state under the lock of their zone, while its CPUs keep no lists of
 * free frames. So one block is looked at with the lock held, and the machine runs. Lists of
 * free objects belong to CPUs, which have no lock: all CPUs stand still while one of them
 * looks at some slabs. The lists are consistent then: they are changed with preemption off.
 *
 * Memory that a task has taken off a list, but not returned to its caller yet, is
 * recorded as live, and the event of the allocation follows. The event of a free that is
 * under way stands before.
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

/* No block of free pages begins in one block of frames and ends in another. */
#define KMEMTRACE_BLOCK_FRAMES	MAX_ORDER_NR_PAGES
#define KMEMTRACE_PART_FRAMES \
	(KMEMTRACE_BLOCK_FRAMES > 65536UL ? KMEMTRACE_BLOCK_FRAMES : 65536UL)
#define KMEMTRACE_STOP_NS	(500 * NSEC_PER_USEC)
#define KMEMTRACE_RECORD_OBJECTS	4096U
#define KMEMTRACE_MAX_UNSURE	64
#define KMEMTRACE_MAX_RETRIES	100

/**
 * struct kmemtrace_part - a part of a zone
 * @zone: the zone
 * @start: first frame
 * @end: the frame after the last one
 * @next: the first frame that was not looked at
 * @slabs: a bit for each frame; set if a slab began there
 * @run: neighbouring frames of one state that are not recorded yet
 * @unsure: first frames of slabs that have to be looked at again
 * @nr_unsure: how many
 * @missing: slabs that found no place in @unsure, or whose objects can't be listed
 */
struct kmemtrace_part {
	struct zone	*zone;
	unsigned long	start, end, next;
	DECLARE_BITMAP(slabs, KMEMTRACE_PART_FRAMES);
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
			KMEMTRACE_RECORD_OBJECTS / 64);
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
		nr = min(all - first, KMEMTRACE_RECORD_OBJECTS);
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

/* Set @part->next to the next frame that begins a slab. Return false if there is none. */
static bool kmemtrace_find_slab(struct kmemtrace_part *part)
{
	unsigned long frames = part->end - part->start;

	part->next = part->start + find_next_bit(part->slabs, frames,
						 part->next - part->start);
	return part->next < part->end;
}

/* Look at the next slabs of a part, at one at least, for the time that a stop may take. */
static int kmemtrace_look_at_slabs(void *data)
{
	struct kmemtrace_part *part = data;
	u64 start = ktime_get_mono_fast_ns();

	while (kmemtrace_find_slab(part)) {
		kmemtrace_look_at_slab(part, pfn_to_page(part->next++));
		if (ktime_get_mono_fast_ns() - start > KMEMTRACE_STOP_NS)
			break;
	}
	return 0;
}

/* Look at the unsure slabs again. */
static int kmemtrace_look_again(void *data)
{
	struct kmemtrace_part *part = data;
	unsigned int nr = part->nr_unsure;

	part->nr_unsure = 0;
	for (unsigned int i = 0; i < nr; i++) {
		struct page *page = pfn_to_online_page(part->unsure[i]);

		if (page)
			kmemtrace_look_at_slab(part, page);
	}
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

/* The page allocator never had it, or does not have it now. */
static bool kmemtrace_is_reserved(struct page *page, unsigned long pfn)
{
	return kmemtrace_is_memblock(pfn) || PageReserved(page) ||
	       kmemtrace_is_offline(page);
}

/* Return the state of @page, and in @nr for how many frames before @end. */
static enum kmemtrace_frames kmemtrace_state_of(struct page *page,
						unsigned long pfn,
						unsigned long end,
						unsigned long *nr)
{
	*nr = 1;
	if (kmemtrace_is_reserved(page, pfn))
		return KMEMTRACE_FRAMES_RESERVED;
	if (PageBuddy(page) || page_is_guard(page)) {
		*nr = min(1UL << buddy_order(page), end - pfn);
		return KMEMTRACE_FRAMES_FREE;
	}
	/* A block of the largest order, of which only the first page is marked. */
	if (PageUnaccepted(page)) {
		*nr = min_t(unsigned long, MAX_ORDER_NR_PAGES, end - pfn);
		return KMEMTRACE_FRAMES_RESERVED;
	}
	return KMEMTRACE_FRAMES_LIVE;
}

/* Record what is known of the frame @pfn. Return the next frame to look at. */
static unsigned long kmemtrace_look_at_frame(struct kmemtrace_part *part,
					     unsigned long pfn,
					     unsigned long end)
{
	struct page *page = pfn_to_online_page(pfn);
	enum kmemtrace_frames state;
	unsigned long nr;

	if (!page)
		return pfn + 1;
	/*
	 * Zones may overlap, and the other zone is not locked. The struct page of a
	 * reserved frame may not name its zone.
	 */
	if (!kmemtrace_is_reserved(page, pfn) && page_zone(page) != part->zone)
		return pfn + 1;
	state = kmemtrace_state_of(page, pfn, end, &nr);
	kmemtrace_add_frames(&part->run, zone_to_nid(part->zone), state, pfn, nr);
	if (state == KMEMTRACE_FRAMES_LIVE && kmemtrace_is_slab(page))
		__set_bit(pfn - part->start, part->slabs);
	return pfn + nr;
}

/* Return false for a hole, of which a zone may have more than memory. */
static bool kmemtrace_has_pages(unsigned long pfn, unsigned long end)
{
	for (; pfn < end; pfn++)
		if (pfn_to_online_page(pfn))
			return true;
	return false;
}

/* The records of a block are written before anything in it can change. */
static void kmemtrace_look_at_block(struct kmemtrace_part *part,
				    unsigned long pfn, unsigned long end)
{
	unsigned long flags;

	spin_lock_irqsave(&part->zone->lock, flags);
	while (pfn < end)
		pfn = kmemtrace_look_at_frame(part, pfn, end);
	kmemtrace_flush_frames(&part->run);
	spin_unlock_irqrestore(&part->zone->lock, flags);
}

static long kmemtrace_look_at_blocks(void *data)
{
	struct kmemtrace_part *part = data;
	unsigned long pfn, end;

	for (pfn = part->start; pfn < part->end; pfn = end) {
		end = min(round_down(pfn, KMEMTRACE_BLOCK_FRAMES) +
			  KMEMTRACE_BLOCK_FRAMES, part->end);
		if (kmemtrace_has_pages(pfn, end))
			kmemtrace_look_at_block(part, pfn, end);
		cond_resched();
	}
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
							end - start, true);
		}
		return first;
	}
#endif
	return ULONG_MAX;
}

/* ---- all of memory ---- */

/* Return a CPU, each time another one, so that all buffers take their share of records. */
static unsigned int kmemtrace_next_cpu(void)
{
	static unsigned int cpu;

	lockdep_assert_cpus_held();
	cpu = cpumask_next(cpu, cpu_online_mask);
	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first(cpu_online_mask);
	return cpu;
}

/*
 * Run @look while all other CPUs are stopped. Then let the machine run for as long as it
 * stood.
 */
static void kmemtrace_stop_and_look(struct kmemtrace_part *part,
				    cpu_stop_fn_t look)
{
	u64 start = ktime_get_mono_fast_ns(), us;

	stop_machine_cpuslocked(look, part, cpumask_of(kmemtrace_next_cpu()));
	if (system_state == SYSTEM_BOOTING)
		return;
	us = div_u64(ktime_get_mono_fast_ns() - start, NSEC_PER_USEC);
	usleep_range(us, 2 * us + 1);
}

/* Early in boot, CPUs keep no lists of free frames, and there are no workers. */
static void kmemtrace_look_at_frames(struct kmemtrace_part *part)
{
	if (system_state == SYSTEM_BOOTING) {
		kmemtrace_look_at_blocks(part);
		return;
	}
	zone_pcp_disable(part->zone);
	work_on_cpu(kmemtrace_next_cpu(), kmemtrace_look_at_blocks, part);
	zone_pcp_enable(part->zone);
}

static void kmemtrace_look_at_part(struct kmemtrace_part *part)
{
	bitmap_zero(part->slabs, KMEMTRACE_PART_FRAMES);
	kmemtrace_look_at_frames(part);
	part->next = part->start;
	while (kmemtrace_find_slab(part) && !signal_pending(current))
		kmemtrace_stop_and_look(part, kmemtrace_look_at_slabs);
}

/*
 * In the order in which memory hotplug takes them. Pages that are being reported are free,
 * but on no list. To wait for them takes as long as the hypervisor does: no other lock is held.
 */
static void kmemtrace_lock_memory(void)
{
	page_reporting_pause();
	cpus_read_lock();
	get_online_mems();
}

static void kmemtrace_unlock_memory(void)
{
	put_online_mems();
	cpus_read_unlock();
	page_reporting_resume();
}

/*
 * Look at the frames from @start on that the zone has now: it may grow and shrink from one
 * part to the next. Return the frame to go on with, or 0 at its end.
 */
static unsigned long kmemtrace_look_at_zone(struct kmemtrace_part *part,
					    struct zone *zone,
					    unsigned long start,
					    unsigned long limit)
{
	unsigned long end;

	kmemtrace_lock_memory();
	start = max(start, zone->zone_start_pfn);
	end = populated_zone(zone) ? min(zone_end_pfn(zone), limit) : 0;
	end = min(round_down(start, KMEMTRACE_PART_FRAMES) +
		  KMEMTRACE_PART_FRAMES, end);
	if (start < end) {
		part->zone = zone;
		part->start = start;
		part->end = end;
		kmemtrace_look_at_part(part);
	}
	kmemtrace_unlock_memory();
	return start < end ? end : 0;
}

static int kmemtrace_look_at_node(struct kmemtrace_part *part, pg_data_t *pgdat)
{
	unsigned long limit = kmemtrace_emit_deferred(pgdat), pfn;

	for (int i = 0; i < MAX_NR_ZONES; i++) {
		pfn = 0;
		do {
			pfn = kmemtrace_look_at_zone(part, &pgdat->node_zones[i],
						     pfn, limit);
			if (signal_pending(current))
				return -EINTR;
			cond_resched();
		} while (pfn);
	}
	return 0;
}

static void kmemtrace_look_at_rest(struct kmemtrace_part *part)
{
	kmemtrace_lock_memory();
	for (int i = 0; part->nr_unsure && i < KMEMTRACE_MAX_RETRIES; i++) {
		schedule_timeout_uninterruptible(1);
		kmemtrace_stop_and_look(part, kmemtrace_look_again);
	}
	kmemtrace_stop_and_look(part, kmemtrace_emit_kfence);
	kmemtrace_unlock_memory();
}

/**
 * kmemtrace_snapshot_memory - record all slab objects and page frames
 * @missing: result: how many slabs could not be recorded
 *
 * Context: task, may sleep; or the boot CPU in early boot. One caller at a time.
 * Return: 0; -EINTR if a signal came.
 */
int kmemtrace_snapshot_memory(struct kmemtrace_missing *missing)
{
	static struct kmemtrace_part part;
	int node, ret = 0;

	part.nr_unsure = 0;
	part.missing = (struct kmemtrace_missing) { };
	for_each_online_node(node) {
		ret = kmemtrace_look_at_node(&part, NODE_DATA(node));
		if (ret)
			return ret;
	}
	kmemtrace_look_at_rest(&part);
	part.missing.unsure += part.nr_unsure;
	*missing = part.missing;
	return 0;
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "snapshot_memory_test.c"
#endif
