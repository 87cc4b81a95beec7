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

/**
 * marker_event_refill - marker_event_reserve() without room, or if it is not that simple
 * @event: the marker
 * @size: maximum size of the record
 *
 * Return: the record, which has its delta already, or NULL.
 */
noinline struct ktrace_head *
marker_event_refill(const struct marker_event *event, size_t size)
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
EXPORT_SYMBOL_GPL(marker_event_refill);

/**
 * marker_event_begin_site - marker_event_begin() for a site of an ad-hoc marker
 * @marker: the marker
 * @size: maximum size of the record
 * @slot: result
 *
 * Return: false if the site records nothing.
 */
noinline bool marker_event_begin_site(const struct marker *marker, size_t size,
				      struct marker_event_slot *slot)
{
	const struct marker_event *event;

	raw_local_irq_save(slot->flags);
	event = READ_ONCE(marker->event);
	return event && marker_event_reserve(event, size, slot);
}
EXPORT_SYMBOL_GPL(marker_event_begin_site);

/**
 * marker_event_clear - clear the rest of a record that keeps its size
 * @slot: the record
 * @size: its size
 */
noinline void marker_event_clear(const struct marker_event_slot *slot,
				 size_t size)
{
	memset(slot->to, 0, (char *)slot->head + size - slot->to);
}
EXPORT_SYMBOL_GPL(marker_event_clear);

/* ---- strings ---- */

/* Copy a string whose address may be bad, byte by byte. */
static noinline char *marker_event_any_text(char *to, const char *from)
{
	marker_store_string(to, MARKER_EVENT_TEXT,
			    (unsigned long)from);
	return to + strnlen(to, MARKER_EVENT_TEXT - 1) + 1;
}

/**
 * marker_event_text - write a string into a record
 * @to: room for %MARKER_EVENT_TEXT bytes and a word
 * @from: the string; it is truncated if necessary. May be NULL or a bad address
 *
 * Words of a string in the linear map or above it are read at once, if the longest string
 * would not reach into another page.
 *
 * Return: the first byte behind the NUL. What follows it in the record is undefined.
 */
char *marker_event_text(char *to, const char *from)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, mask;

	/* On some architectures, address 0 can be read. */
	if (unlikely(!from || (unsigned long)from < PAGE_OFFSET ||
		     offset_in_page(from) > PAGE_SIZE - MARKER_EVENT_TEXT))
		return marker_event_any_text(to, from);
	for (int i = 0; i < MARKER_EVENT_TEXT; i += sizeof(word)) {
		__get_kernel_nofault(&word, from + i, unsigned long, fault);
		if (has_zero(word, &mask, &constants)) {
			mask = prep_zero_mask(word, mask, &constants);
			mask = create_zero_mask(mask);
			put_unaligned(word & zero_bytemask(mask),
				      (unsigned long *)(to + i));
			return to + i + find_zero(mask) + 1;
		}
		put_unaligned(word, (unsigned long *)(to + i));
	}
	to[MARKER_EVENT_TEXT - 1] = '\0';
	return to + MARKER_EVENT_TEXT;
fault:
	return marker_event_any_text(to, from);
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

	if (!marker_event_begin(event, size, &slot))
		goto end;
	for (unsigned int i = 0; i < layout->nr_fields; i++) {
		const struct marker_field *field = &layout->fields[i];

		if (field->conversion == 's') {
			marker_store_string(slot.to, field->size, slots[i]);
			slot.to += strnlen(slot.to, field->size - 1) + 1;
		} else {
			marker_store_number(slot.to, field->size, slots[i]);
			slot.to += field->size;
		}
	}
	marker_event_trim(&slot, size);
end:
	marker_event_end(&slot);
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
