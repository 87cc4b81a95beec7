/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing a record into the buffer of this CPU, in place.
 *
 * Context: any, NMI included; no locks, no allocation.
 */
#ifndef _MM_KMEMTRACE_RECORD_H
#define _MM_KMEMTRACE_RECORD_H

#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/kasan.h>
#include <linux/marker_channel.h>
#include <linux/marker_clock.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>
#include <uapi/linux/kmemtrace.h>

struct kmem_cache;

DECLARE_MARKER_CHANNEL(kmemtrace_channel);

void kmemtrace_write(const void *record, size_t size);

/**
 * struct kmemtrace_head - the first 8 bytes of an event
 * @event_id: see struct kmemtrace_event
 * @type_id: see struct kmemtrace_event
 * @size: see event_size of struct kmemtrace_event
 * @node: see struct kmemtrace_event
 */
struct kmemtrace_head {
	u8	event_id;
	u8	type_id;
	u16	size;
	s32	node;
};

/**
 * struct kmemtrace_slot - room for one record
 * @event: address of the room; without @fast, NULL if the event was counted as lost
 * @now: the timestamp
 * @flags: the state of interrupts before kmemtrace_begin()
 */
struct kmemtrace_slot {
	struct kmemtrace_event	*event;
	u64			now;
	unsigned long		flags;
};

/* Return the time by the clock of this CPU's current sub-buffer. */
static __always_inline u64 kmemtrace_now(void)
{
	return marker_clock_time(raw_cpu_read(kmemtrace_channel_cpu.fast));
}

/* Count an event, recorded or lost. All events of NMIs are lost: see cpu_events. */
static __always_inline void kmemtrace_count(void)
{
	if (IS_ENABLED(CONFIG_KMEMTRACE_DEBUG) && kmemtrace_channel.running &&
	    !in_nmi())
		raw_cpu_inc(kmemtrace_channel_cpu.events);
}

/**
 * kmemtrace_begin - reserve room for a record
 * @fast: a constant: reserve only if there is room, timestamps are cycles, and this is
 *	no NMI. This needs no function call, so that the caller keeps its registers
 * @size: bytes of the record
 * @slot: result
 *
 * Interrupts are off until kmemtrace_end(), so that the order in the buffer is the
 * order in time. raw_: tracing of irq state could allocate and recurse.
 *
 * Return: false if @fast and the conditions are not met: nothing was done. Otherwise
 * true: the caller fills the record, unless its event is NULL, and calls
 * kmemtrace_end().
 */
static __always_inline bool
kmemtrace_begin(const bool fast, size_t size, struct kmemtrace_slot *slot)
{
	void *room;

	raw_local_irq_save(slot->flags);
	if (!fast) {
		room = marker_channel_begin(&kmemtrace_channel_cpu, size);
		if (likely(room))
			slot->now = kmemtrace_now();
		/* After that: it may have begun the sub-buffer of this record. */
		kmemtrace_count();
		slot->event = room;
		return true;
	}
	slot->now = arch_marker_counter();
	if (likely(marker_channel_try(&kmemtrace_channel_cpu, size, &room))) {
		kmemtrace_count();
		slot->event = room;
		return true;
	}
	/* Without this, gcc merges it with kmemtrace_end(), before the test. */
	OPTIMIZER_HIDE_VAR(slot->flags);
	raw_local_irq_restore(slot->flags);
	return false;
}

static __always_inline void kmemtrace_end(const struct kmemtrace_slot *slot)
{
	raw_local_irq_restore(slot->flags);
}

/* Fill the record in @slot. @cache is stored if the size has room for it. */
static __always_inline void
kmemtrace_fill(const struct kmemtrace_slot *slot, struct kmemtrace_head head,
	       unsigned long call_site, u64 ptr, u64 bytes_req,
	       u64 bytes_alloc, gfp_t gfp, struct kmem_cache *cache)
{
	struct kmemtrace_event *event = slot->event;

	event->event_id = head.event_id;
	event->type_id = head.type_id;
	event->event_size = head.size;
	event->node = head.node;
	event->call_site = call_site;
	event->ptr = ptr;
	event->bytes_req = bytes_req;
	event->bytes_alloc = bytes_alloc;
	event->gfp_flags = (__force u32)gfp;
	event->timestamp = slot->now;
	if (head.size >= sizeof(struct kmemtrace_slab_event))
		((struct kmemtrace_slab_event *)event)->cache =
			(unsigned long)kasan_reset_tag(cache);
}

#endif /* _MM_KMEMTRACE_RECORD_H */
