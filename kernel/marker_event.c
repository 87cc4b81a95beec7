// SPDX-License-Identifier: GPL-2.0
/*
 * Events: records of markers in a channel. Generated code writes them, see
 * <linux/marker_event.h>; here is what is rare, what begins and ends a sub-buffer, and
 * the interpreter for markers whose types don't match their format.
 *
 * Context: any, NMI included, interrupts off; no locks, no allocation.
 */
#include <linux/build_bug.h>
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/marker.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/relay.h>
#include <linux/smp.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/word-at-a-time.h>
#include "marker_internal.h"

static_assert(sizeof(struct ktrace_head) == 8);
static_assert(sizeof(struct ktrace_clock) == 64);
static_assert(offsetof(struct ktrace_clock, timestamp) == 8);
static_assert(offsetof(struct ktrace_clock, events) == 32);
static_assert(offsetof(struct ktrace_clock, cpu) == 48);
static_assert(MARKER_EVENT_TEXT == MARKER_STRING_SIZE);

/* ---- the records that begin and end a sub-buffer ---- */

/* Write a clock record, and let later events count from it. */
static void marker_event_clock(struct marker_channel_cpu *cpu, u64 sequence,
			       bool cycles, struct ktrace_clock *clock)
{
	struct marker_clock_reading now;

	marker_clock_read(&now, cycles);
	cpu->base = now.timestamp;
	*clock = (struct ktrace_clock) {
		.head		= { KTRACE_ID_CLOCK, sizeof(*clock) },
		.timestamp	= now.timestamp,
		.monotonic	= now.monotonic,
		.frequency	= now.frequency,
		.events		= cpu->events + READ_ONCE(cpu->lost_nmi.records),
		.sequence	= sequence,
		.cpu		= smp_processor_id(),
		.clock		= cycles ? KTRACE_CLOCK_CYCLES :
					   KTRACE_CLOCK_LOCAL,
		.error		= min_t(u64, now.error, U32_MAX),
		.uncertainty	= min_t(u64, U32_MAX,
					marker_clock_uncertainty(cycles)),
	};
}

static size_t marker_event_begin_subbuf(struct marker_channel_cpu *cpu,
					size_t sequence, void *to)
{
	/* Only sub-buffers stamped with cycles may use the fast path. */
	cpu->direct = READ_ONCE(cpu->channel->cycles) && !arch_marker_unstable();
	marker_event_clock(cpu, sequence, cpu->direct, to);
	return sizeof(struct ktrace_clock);
}

static void marker_event_fill(void *to, size_t bytes)
{
	while (bytes) {
		size_t part = min_t(size_t, bytes, SZ_4K);

		memset(to, 0, part);
		((struct ktrace_head *)to)->size = part;
		to += part;
		bytes -= part;
	}
}

/* The owner of a channel for events uses these. */
const struct marker_channel_ops marker_event_ops = {
	.begin	= marker_event_begin_subbuf,
	.fill	= marker_event_fill,
};

/* ---- a record ---- */

/* Return whether the delta to @cpu's base would not fit into a record. */
static bool marker_event_far(struct marker_channel_cpu *cpu)
{
	return cpu->pos && (marker_clock_time(cpu->fast) - cpu->base) >> 32;
}

/*
 * Reserve room for a clock record, and for a record of @size bytes behind it. If a new
 * sub-buffer began, it has one more clock record.
 */
static struct ktrace_head *
marker_event_rebase(const struct marker_event *event, size_t size)
{
	struct marker_channel_cpu *cpu = this_cpu_ptr(event->cpu);
	struct ktrace_clock *clock;

	clock = marker_channel_begin(event->cpu, sizeof(*clock) + size);
	if (!clock)
		return NULL;
	marker_event_clock(cpu, cpu->buf->subbufs_produced, cpu->fast, clock);
	return (struct ktrace_head *)(clock + 1);
}

/* Reserve room for a record with its delta, or count it as lost. */
static struct ktrace_head *
marker_event_begin(const struct marker_event *event, size_t size)
{
	struct marker_channel_cpu *cpu = this_cpu_ptr(event->cpu);
	struct ktrace_head *head;
	s64 delta;

	/* The channel counts what is lost in NMIs. */
	if (in_nmi())
		return marker_channel_begin(event->cpu, size);
	head = marker_event_far(cpu) ? marker_event_rebase(event, size) :
				       marker_channel_begin(event->cpu, size);
	/* Pairs with the release in marker_channel_start_all(). */
	if (head || smp_load_acquire(&cpu->channel->running))
		cpu->events++;
	if (!head)
		return NULL;
	delta = marker_clock_time(cpu->fast) - cpu->base;
	head->delta = clamp_t(s64, delta, 0, U32_MAX);
	return head;
}

/**
 * marker_event_reserve - reserve room for a record
 * @event: the marker
 * @size: the maximum size of the record, a multiple of 8
 *
 * Context: any, NMI included; interrupts are off until the record is written.
 * Return: the room, without @head if there is none; the event is counted as lost then.
 */
noinline struct marker_event_slot
marker_event_reserve(const struct marker_event *event, size_t size)
{
	struct ktrace_head *head = marker_event_begin(event, size);

	if (head)
		head->id = event->id;
	return (struct marker_event_slot) { this_cpu_ptr(event->cpu), head };
}
EXPORT_SYMBOL_GPL(marker_event_reserve);

/**
 * marker_event_reserve_site - the same for a site of an ad-hoc marker
 * @marker: the marker
 * @size: the maximum size of the record, a multiple of 8
 *
 * Return: as marker_event_reserve(), and without @cpu if nothing records the site.
 */
noinline struct marker_event_slot
marker_event_reserve_site(const struct marker *marker, size_t size)
{
	const struct marker_event *event = READ_ONCE(marker->event);
	struct marker_event_slot slot;

	if (unlikely(!event))
		return (struct marker_event_slot) { };
	if (likely(marker_event_try(event, size, &slot)))
		return slot;
	return marker_event_reserve(event, size);
}
EXPORT_SYMBOL_GPL(marker_event_reserve_site);

/**
 * marker_event_text - write a string into a record
 * @to: room for %MARKER_EVENT_TEXT bytes and a word
 * @from: the string; it is truncated if necessary
 *
 * Return: the first byte behind the NUL, what follows it in the record is undefined;
 * NULL if the string can't be read in this way: it is NULL or a bad address, or is not in
 * the linear map or above it.
 */
noinline char *marker_event_text(char *to, const char *from)
{
	const char *limit = to + MARKER_EVENT_TEXT;

	if (unlikely(!marker_event_near(from)))
		return NULL;
	for (; to < limit; from += sizeof(long)) {
		enum marker_event_end end = marker_event_word(&to, from);

		if (end != MARKER_EVENT_GOES_ON)
			return end == MARKER_EVENT_ENDS ? to : NULL;
	}
	to[-1] = '\0';
	return to;
}
EXPORT_SYMBOL_GPL(marker_event_text);

/* ---- the interpreter ---- */

/**
 * marker_event_interpret - record the arguments of a marker by its format
 * @event: the marker
 * @layout: the layout of its records, whose strings have their maximum size
 * @slots: the arguments, 64 bits each
 *
 * Context: any in which RCU is watching, NMI included.
 */
noinline void marker_event_interpret(const struct marker_event *event,
				     const struct marker_layout *layout,
				     const u64 *slots)
{
	size_t size = ALIGN(sizeof(struct ktrace_head) + layout->size + 8, 8);
	struct marker_event_slot slot;
	unsigned long flags;
	char *to;

	raw_local_irq_save(flags);
	slot = marker_event_reserve(event, size);
	if (!slot.head)
		goto end;
	to = (char *)(slot.head + 1);
	for (unsigned int i = 0; i < layout->nr_fields; i++) {
		const struct marker_field *field = &layout->fields[i];

		if (field->conversion == 's') {
			marker_store_string(to, field->size, slots[i]);
			to += strnlen(to, field->size - 1) + 1;
		} else {
			marker_store_number(to, field->size, slots[i]);
			to += field->size;
		}
	}
	marker_event_trim(slot, to, size);
end:
	raw_local_irq_restore(flags);
}

/* ---- for the registry ---- */

/*
 * Store the kinds of the arguments of a typed marker. The function takes the arguments of
 * the marker as well, but doesn't look at them, and they are not passed.
 */
static __nocfi void marker_describe(const struct marker_type *type,
				    const u8 **kinds)
{
	void (*describe)(const u8 **kinds) = type->describe;

	describe(kinds);
}

/* Return whether generated code writes what follows from the format of a marker. */
bool marker_event_generated(const struct marker *marker)
{
	const u8 *kinds = marker->kinds;

	if (marker->type && marker->type->describe)
		marker_describe(marker->type, &kinds);
	return kinds && marker_kinds_match(marker->format, kinds);
}
