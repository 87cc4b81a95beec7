// SPDX-License-Identifier: GPL-2.0
/*
 * Page frames of a snapshot, a part of memory at a time.
 *
 * Frames change their state under the lock of their zone, while its CPUs keep no lists of
 * free frames. So one block is looked at with the lock held, and the machine runs.
 *
 * Memory that a task has taken off a list, but not returned to its caller yet, is
 * recorded as live, and the event of the allocation follows. The event of a free that is
 * under way stands before.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/kfence.h>
#include <linux/memblock.h>
#include <linux/memory_hotplug.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/page-flags.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <uapi/linux/kmemtrace.h>
#include "../internal.h"
#include "../live.h"
#include "compat.h"
#include "frames.h"
#include "snapshot_frames.h"

/* No block of free pages begins in one block of frames and ends in another. */
#define KMEMTRACE_BLOCK_FRAMES	MAX_ORDER_NR_PAGES

/* ---- the state of a frame ---- */

/**
 * kmemtrace_is_slab - find out whether a slab begins at a page
 * @page: the page
 *
 * Return: true if one does, and its objects are not those of KFENCE.
 */
bool kmemtrace_is_slab(struct page *page)
{
	return !PageTail(page) && PageSlab(page) &&
	       !is_kfence_address(page_address(page));
}

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

/* ---- a part of a zone ---- */

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

/**
 * kmemtrace_next_cpu - choose a CPU, each time another one
 *
 * So all buffers take their share of records.
 *
 * Return: its number.
 */
unsigned int kmemtrace_next_cpu(void)
{
	static unsigned int cpu;

	lockdep_assert_cpus_held();
	cpu = cpumask_next(cpu, cpu_online_mask);
	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first(cpu_online_mask);
	return cpu;
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

/* ---- all of memory ---- */

/**
 * kmemtrace_lock_memory - keep CPUs and memory from coming and going
 *
 * In the order in which memory hotplug takes them. Pages that are being reported are free,
 * but on no list. To wait for them takes as long as the hypervisor does: no other lock is held.
 */
void kmemtrace_lock_memory(void)
{
	page_reporting_pause();
	cpus_read_lock();
	get_online_mems();
}

/**
 * kmemtrace_unlock_memory - undo kmemtrace_lock_memory()
 */
void kmemtrace_unlock_memory(void)
{
	put_online_mems();
	cpus_read_unlock();
	page_reporting_resume();
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

/*
 * Look at the frames from @start on that the zone has now: it may grow and shrink from one
 * part to the next. Return the frame to go on with, or 0 at its end.
 */
static unsigned long kmemtrace_look_at_zone(struct kmemtrace_part *part,
					    struct zone *zone,
					    unsigned long start,
					    unsigned long limit,
					    void (*look)(struct kmemtrace_part *part))
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
		bitmap_zero(part->slabs, KMEMTRACE_PART_FRAMES);
		kmemtrace_look_at_frames(part);
		look(part);
	}
	kmemtrace_unlock_memory();
	return start < end ? end : 0;
}

static int kmemtrace_look_at_node(struct kmemtrace_part *part, pg_data_t *pgdat,
				  void (*look)(struct kmemtrace_part *part))
{
	unsigned long limit = kmemtrace_emit_deferred(pgdat), pfn;

	for (int i = 0; i < MAX_NR_ZONES; i++) {
		pfn = 0;
		do {
			pfn = kmemtrace_look_at_zone(part, &pgdat->node_zones[i],
						     pfn, limit, look);
			if (signal_pending(current))
				return -EINTR;
			cond_resched();
		} while (pfn);
	}
	return 0;
}

/**
 * kmemtrace_snapshot_frames - record all page frames, a part of a zone at a time
 * @part: memory for the state, which may be large
 * @look: called after each part, with its slabs; CPUs and memory stay as they are
 *
 * Context: task, may sleep; or the boot CPU in early boot. One caller at a time.
 * Return: 0; -EINTR if a signal came.
 */
int kmemtrace_snapshot_frames(struct kmemtrace_part *part,
			      void (*look)(struct kmemtrace_part *part))
{
	int node, ret = 0;

	for_each_online_node(node) {
		ret = kmemtrace_look_at_node(part, NODE_DATA(node), look);
		if (ret)
			break;
	}
	return ret;
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "snapshot_frames_test.c"
#endif
