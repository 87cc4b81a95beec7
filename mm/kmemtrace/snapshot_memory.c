// SPDX-License-Identifier: GPL-2.0
/*
 * Slab objects of a snapshot, those of a part of memory after its page frames.
 *
 * Lists of free objects belong to CPUs, which have no lock: all CPUs stand still while one of
 * them looks at some slabs. The lists are consistent then: they are changed with preemption
 * off. An object that a task has taken off a list, but not returned to its caller yet, is
 * recorded as live, as page frames are: see snapshot_frames.c.
 */
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/container_of.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kasan.h>
#include <linux/kernel.h>
#include <linux/kfence.h>
#include <linux/math64.h>
#include <linux/memory_hotplug.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/page-flags.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/stop_machine.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <uapi/linux/kmemtrace.h>
#include "../live.h"
#include "../slab.h"
#include "record.h"
#include "snapshot_frames.h"
#include "snapshot_memory.h"

static_assert(offsetof(struct kmemtrace_snapshot_slab, timestamp) == 48);
static_assert(offsetof(struct kmemtrace_snapshot_slab, live) == 56);

#define KMEMTRACE_STOP_NS	(500 * NSEC_PER_USEC)
#define KMEMTRACE_RECORD_OBJECTS	4096U
#define KMEMTRACE_MAX_UNSURE	64
#define KMEMTRACE_MAX_RETRIES	100

/**
 * struct kmemtrace_slabs - the slabs of a part of memory
 * @part: the part
 * @next: the first frame that was not looked at
 * @unsure: first frames of slabs that have to be looked at again
 * @nr_unsure: how many
 * @look: what looks at some slabs while all other CPUs are stopped
 * @outcome: slabs that found no place in @unsure, or whose objects can't be listed
 */
struct kmemtrace_slabs {
	struct kmemtrace_part part;
	unsigned long	next;
	unsigned long	unsure[KMEMTRACE_MAX_UNSURE];
	unsigned int	nr_unsure;
	cpu_stop_fn_t	look;
	struct kmemtrace_outcome outcome;
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

/* Record the objects of the slab that begins at @page, if one does, or note it as unsure. */
static void kmemtrace_look_at_slab(struct kmemtrace_slabs *slabs,
				   struct page *page)
{
	int ret = kmemtrace_is_slab(page) ?
		  kmemtrace_emit_slab(page_slab(page)) : 0;

	if (ret == -EAGAIN && slabs->nr_unsure < KMEMTRACE_MAX_UNSURE)
		slabs->unsure[slabs->nr_unsure++] = page_to_pfn(page);
	else if (ret == -EAGAIN)
		slabs->outcome.unsure++;
	else if (ret)
		slabs->outcome.unlisted++;
}

/* Set @slabs->next to the next frame that begins a slab. Return false if there is none. */
static bool kmemtrace_find_slab(struct kmemtrace_slabs *slabs)
{
	const struct kmemtrace_part *part = &slabs->part;

	slabs->next = part->start + find_next_bit(part->slabs,
						  part->end - part->start,
						  slabs->next - part->start);
	return slabs->next < part->end;
}

/* Look at the next slabs of a part, at one at least, for the time that a stop may take. */
static int kmemtrace_look_at_slabs(void *data)
{
	struct kmemtrace_slabs *slabs = data;
	u64 start = ktime_get_mono_fast_ns();

	while (kmemtrace_find_slab(slabs)) {
		kmemtrace_look_at_slab(slabs, pfn_to_page(slabs->next++));
		if (ktime_get_mono_fast_ns() - start > KMEMTRACE_STOP_NS)
			break;
	}
	return 0;
}

/* Look at the unsure slabs again. */
static int kmemtrace_look_again(void *data)
{
	struct kmemtrace_slabs *slabs = data;
	unsigned int nr = slabs->nr_unsure;

	slabs->nr_unsure = 0;
	for (unsigned int i = 0; i < nr; i++) {
		struct page *page = pfn_to_online_page(slabs->unsure[i]);

		if (page)
			kmemtrace_look_at_slab(slabs, page);
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

/* ---- all of memory ---- */

/* All other CPUs are stopped. */
static int kmemtrace_stopped(void *data)
{
	struct kmemtrace_slabs *slabs = data;
	u64 start = ktime_get_mono_fast_ns();

	slabs->look(slabs);
	slabs->outcome.stop_ns = max(slabs->outcome.stop_ns,
				     ktime_get_mono_fast_ns() - start);
	return 0;
}

/*
 * Run @look while all other CPUs are stopped. Then let the machine run for as long as it
 * stood.
 */
static void kmemtrace_stop_and_look(struct kmemtrace_slabs *slabs,
				    cpu_stop_fn_t look)
{
	u64 start = ktime_get_mono_fast_ns(), us;

	slabs->look = look;
	stop_machine_cpuslocked(kmemtrace_stopped, slabs,
				cpumask_of(kmemtrace_next_cpu()));
	if (system_state == SYSTEM_BOOTING)
		return;
	us = div_u64(ktime_get_mono_fast_ns() - start, NSEC_PER_USEC);
	usleep_range(us, 2 * us + 1);
}

static void kmemtrace_look_at_part(struct kmemtrace_part *part)
{
	struct kmemtrace_slabs *slabs =
		container_of(part, struct kmemtrace_slabs, part);

	slabs->next = part->start;
	while (kmemtrace_find_slab(slabs) && !signal_pending(current))
		kmemtrace_stop_and_look(slabs, kmemtrace_look_at_slabs);
}

static void kmemtrace_look_at_rest(struct kmemtrace_slabs *slabs)
{
	kmemtrace_lock_memory();
	for (int i = 0; slabs->nr_unsure && i < KMEMTRACE_MAX_RETRIES; i++) {
		schedule_timeout_uninterruptible(1);
		kmemtrace_stop_and_look(slabs, kmemtrace_look_again);
	}
	kmemtrace_stop_and_look(slabs, kmemtrace_emit_kfence);
	kmemtrace_unlock_memory();
}

/**
 * kmemtrace_snapshot_memory - record all slab objects and page frames
 * @outcome: result: how many slabs could not be recorded, and for how long CPUs stood still
 *
 * Context: task, may sleep; or the boot CPU in early boot. One caller at a time.
 * Return: 0; -EINTR if a signal came.
 */
int kmemtrace_snapshot_memory(struct kmemtrace_outcome *outcome)
{
	static struct kmemtrace_slabs slabs;
	int ret;

	slabs.nr_unsure = 0;
	slabs.outcome = (struct kmemtrace_outcome) { };
	ret = kmemtrace_snapshot_frames(&slabs.part, kmemtrace_look_at_part);
	if (ret)
		return ret;
	kmemtrace_look_at_rest(&slabs);
	slabs.outcome.unsure += slabs.nr_unsure;
	*outcome = slabs.outcome;
	if (system_state == SYSTEM_BOOTING)
		outcome->stop_ns = 0;
	return 0;
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "snapshot_memory_test.c"
#endif
