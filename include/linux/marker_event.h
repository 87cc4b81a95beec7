/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events: each hit of a marker becomes a record in a channel, see <linux/ktrace.h>.
 *
 * The macros of markers generate a function for each typed marker, and code for each
 * site of an ad-hoc one, which write the arguments by their types into the buffer of the
 * CPU. Only included by <linux/marker.h>.
 */
#ifndef _LINUX_MARKER_EVENT_H
#define _LINUX_MARKER_EVENT_H

#include <linux/align.h>
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/marker_channel.h>
#include <linux/marker_clock.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>
#include <linux/unaligned.h>
#include <uapi/linux/ktrace.h>

struct marker;
struct marker_layout;

/**
 * struct marker_event - a marker whose hits are recorded
 * @cpu: the per-CPU part of the channel, which has &marker_event_ops
 * @id: the id of its records, from %KTRACE_ID_FIRST on
 */
struct marker_event {
	struct marker_channel_cpu __percpu	*cpu;
	u16					id;
};

/**
 * struct marker_event_slot - room for one record
 * @cpu: this CPU's part of the channel
 * @head: the record
 * @to: where the next argument goes
 * @flags: the state of interrupts before marker_event_begin()
 */
struct marker_event_slot {
	struct marker_channel_cpu	*cpu;
	struct ktrace_head		*head;
	char				*to;
	unsigned long			flags;
};

/* The maximum size of a string in a record, with the NUL that ends it. */
#define MARKER_EVENT_TEXT	64

extern const struct marker_channel_ops marker_event_ops;

int marker_event_register(const char *name, const char *format,
			  const struct marker_event *event);
int marker_event_unregister(const char *name, const struct marker_event *event);
int marker_event_remove(const char *name, const struct marker_event *event);
int marker_event_add(const char *name, const char *format,
		     const struct marker_event *event);
void marker_settle(void);

struct ktrace_head *marker_event_refill(const struct marker_event *event,
					size_t size);
bool marker_event_begin_site(const struct marker *marker, size_t size,
			     struct marker_event_slot *slot);
char *marker_event_text(char *to, const char *from);
void marker_event_clear(const struct marker_event_slot *slot, size_t size);

/**
 * marker_event_reserve - reserve room for a record, with interrupts off
 * @event: the marker
 * @size: a constant, the maximum size of the record, a multiple of 8
 * @slot: result
 *
 * Return: false if there is no room; the event is counted then.
 */
static __always_inline bool
marker_event_reserve(const struct marker_event *event, size_t size,
		     struct marker_event_slot *slot)
{
	struct marker_channel_cpu *cpu = raw_cpu_ptr(event->cpu);
	struct ktrace_head *head = (struct ktrace_head *)cpu->pos;
	u64 delta = arch_marker_counter() - cpu->base;

	/* @fast is NULL unless timestamps are cycles. An NMI may interrupt a writer. */
	if (likely((char *)head + size <= cpu->fast) && likely(!(delta >> 32)) &&
	    likely(!in_nmi())) {
		cpu->pos = (char *)head + size;
		cpu->events++;
		head->delta = delta;
	} else {
		head = marker_event_refill(event, size);
		if (!head)
			return false;
	}
	head->id = event->id;
	head->size = size;
	slot->cpu = cpu;
	slot->head = head;
	slot->to = (char *)(head + 1);
	return true;
}

/**
 * marker_event_begin - begin a record on this CPU
 * @event: the marker
 * @size: a constant, the maximum size of the record, a multiple of 8
 * @slot: result
 *
 * Interrupts are off until marker_event_end(), so that the order in the buffer is the
 * order in time. The irq state is not traced, which could recurse.
 *
 * Context: any in which RCU is watching, NMI included.
 * Return: false if there is no room. Call marker_event_end() in either case.
 */
static __always_inline bool
marker_event_begin(const struct marker_event *event, size_t size,
		   struct marker_event_slot *slot)
{
	raw_local_irq_save(slot->flags);
	return marker_event_reserve(event, size, slot);
}

static __always_inline void
marker_event_end(const struct marker_event_slot *slot)
{
	raw_local_irq_restore(slot->flags);
}

/*
 * Return the rest of @size bytes that a record with strings does not need. There are 8
 * bytes or more behind the last argument. A record of an interrupting exception may lie
 * behind this one; then the record keeps its size.
 */
static __always_inline void
marker_event_trim(const struct marker_event_slot *slot, size_t size)
{
	size_t used = ALIGN(slot->to - (char *)slot->head, 8);

	if (likely(slot->cpu->pos == (char *)slot->head + size)) {
		put_unaligned(0ULL, (u64 *)slot->to);
		slot->head->size = used;
		slot->cpu->pos = (char *)slot->head + used;
	} else {
		marker_event_clear(slot, size);
	}
}

/* ---- the size and the content of a record, by the types of the arguments ---- */

/* An argument as it is passed to a variadic function: arrays decay, short becomes int. */
#define __marker_passed(_arg)		(1 ? (_arg) : (_arg))

#define __marker_is_text(_value)					\
	(__builtin_types_compatible_p(typeof(_value), char *) ||	\
	 __builtin_types_compatible_p(typeof(_value), const char *))

/* For marker_event_generated(): 's' for a string, else the bytes of a number. */
#define __MARKER_KIND(_arg)						\
	(__marker_is_text(__marker_passed(_arg)) ? 's' :		\
	 sizeof(__marker_passed(_arg))),
#define __MARKER_KINDS(...)						\
	{ __MARKER_MAP(__MARKER_KIND, ##__VA_ARGS__) 0 }

#define __MARKER_BYTES(_arg)						\
	+ (__marker_is_text(__marker_passed(_arg)) ? MARKER_EVENT_TEXT :	\
	   sizeof(__marker_passed(_arg)))
#define __MARKER_NUMBERS(_arg)						\
	+ (__marker_is_text(__marker_passed(_arg)) ? 0 :		\
	   sizeof(__marker_passed(_arg)))
#define __MARKER_TEXTS(_arg)						\
	+ __marker_is_text(__marker_passed(_arg))

#define __MARKER_HAS_TEXT(...)						\
	((0 __MARKER_MAP(__MARKER_TEXTS, ##__VA_ARGS__)) > 0)
#define __MARKER_EVENT_SIZE(...)					\
	ALIGN(sizeof(struct ktrace_head)				\
	      __MARKER_MAP(__MARKER_BYTES, ##__VA_ARGS__) +		\
	      (__MARKER_HAS_TEXT(__VA_ARGS__) ? 8 : 0), 8)
#define __MARKER_HAS_TAIL(...)						\
	((0 __MARKER_MAP(__MARKER_NUMBERS, ##__VA_ARGS__)) % 8 != 0)

/* Store a value and advance @_slot->to. */
#define __marker_store(_slot, _value)					\
do {									\
	if (__marker_is_text(_value)) {					\
		(_slot)->to = marker_event_text((_slot)->to,		\
			(const char *)(__force unsigned long)(_value));	\
	} else {							\
		struct { typeof(_value) value; } __packed *__room =	\
			(void *)(_slot)->to;				\
									\
		__room->value = (_value);				\
		(_slot)->to += sizeof(_value);				\
	}								\
} while (0)

#define __MARKER_STORE(_arg)						\
({									\
	__auto_type __value = __marker_passed(_arg);			\
									\
	__marker_store(&__slot, __value);				\
});

/* Write the arguments into the reserved @_slot, named __slot. */
#define __MARKER_FILL(_size, _map, ...)					\
do {									\
	if (!__MARKER_HAS_TEXT(__VA_ARGS__) &&				\
	    __MARKER_HAS_TAIL(__VA_ARGS__))				\
		*(u64 *)((char *)__slot.head + (_size) - 8) = 0;	\
	_map								\
	if (__MARKER_HAS_TEXT(__VA_ARGS__))				\
		marker_event_trim(&__slot, _size);			\
} while (0)

/*
 * The function that records a hit of a typed marker; the same for one of several probes,
 * which returns false if it can't; and one that stores the kinds of the arguments. The
 * types of the parameters are known only inside of such functions.
 */
#define __MARKER_EVENT_FUNCTIONS(_name, _params, _args)			\
	static inline void __marker_event_##_name(void *__data, _params) \
	{								\
		struct marker_event_slot __slot __uninitialized;	\
									\
		if (likely(marker_event_begin(__data,			\
				__MARKER_EVENT_SIZE(_args), &__slot)))	\
			__MARKER_FILL(__MARKER_EVENT_SIZE(_args),	\
				__MARKER_MAP(__MARKER_STORE, _args), _args); \
		marker_event_end(&__slot);				\
	}								\
	static inline bool						\
	__marker_record_##_name(const struct marker_event *__event, _params) \
	{								\
		if (!__event || !__marker_##_name.generated)		\
			return false;					\
		__marker_event_##_name((void *)__event, _args);		\
		return true;						\
	}								\
	static inline void __marker_describe_##_name(void *__data, _params) \
	{								\
		static const u8 __kinds[] = __MARKER_KINDS(_args);	\
									\
		*(const u8 **)__data = __kinds;				\
	}

#define __MARKER_EVENT_TYPE(_name)					\
	.event		= __marker_event_##_name,			\
	.describe	= __marker_describe_##_name,

/* ---- sites of ad-hoc markers ---- */

/* Evaluate each argument once. The last one becomes __value_1, that before it __value_2. */
#define __MARKER_VALUE(_number, _arg)					\
	__auto_type __value_##_number = __marker_passed(_arg);
#define __MARKER_STORE_VALUE(_number, _arg)				\
	__marker_store(&__slot, __value_##_number);
#define __MARKER_SLOT_VALUE(_number, _arg)				\
	__marker_slot(__value_##_number),

#endif /* _LINUX_MARKER_EVENT_H */
