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
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/marker_channel.h>
#include <linux/marker_clock.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>
#include <asm/page.h>
#include <asm/word-at-a-time.h>
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
 * @cpu: this CPU's part of the channel; NULL if nothing records the site
 * @head: the record, without its size; NULL if there is no room
 */
struct marker_event_slot {
	struct marker_channel_cpu	*cpu;
	struct ktrace_head		*head;
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

struct marker_event_slot marker_event_reserve(const struct marker_event *event,
					      size_t size);
struct marker_event_slot marker_event_reserve_site(const struct marker *marker,
						   size_t size);
char *marker_event_text(char *to, const char *from);

/**
 * marker_event_try - reserve room for a record without a function call
 * @event: the marker
 * @size: a constant, the maximum size of the record, a multiple of 8
 * @slot: result
 *
 * Context: any, NMI included; interrupts are off until the record is written, so that
 * the order in the buffer is the order in time.
 * Return: false if nothing was changed, and the caller must use marker_event_reserve()
 * instead.
 */
static __always_inline bool
marker_event_try(const struct marker_event *event, size_t size,
		 struct marker_event_slot *slot)
{
	struct marker_channel_cpu *cpu = raw_cpu_ptr(event->cpu);
	u64 delta = arch_marker_counter() - cpu->base;
	struct ktrace_head *head = (struct ktrace_head *)cpu->pos;

	/* @fast is NULL unless timestamps are cycles. An NMI may interrupt a writer. */
	if (unlikely(delta >> 32) || unlikely((char *)head + size > cpu->fast) ||
	    unlikely(in_nmi()))
		return false;
	cpu->pos = (char *)head + size;
	cpu->events++;
	head->id = event->id;
	head->delta = delta;
	slot->cpu = cpu;
	slot->head = head;
	return true;
}

/* marker_event_reserve() in the form of marker_event_try() */
static __always_inline bool
marker_event_take(const struct marker_event *event, size_t size,
		  struct marker_event_slot *slot)
{
	*slot = marker_event_reserve(event, size);
	return slot->head;
}

/* Clear bytes without a function call, for which the caller would save registers. */
static __always_inline void marker_event_clear(char *from, const char *end)
{
	for (; from < end; from++)
		WRITE_ONCE(*from, 0);
}

/*
 * End a record with strings at @to, and return the rest of its @size bytes, of which 8 or
 * more are behind @to. A record of an interrupting exception may lie behind this one; then
 * the record keeps its size.
 */
static __always_inline void
marker_event_trim(struct marker_event_slot slot, char *to, size_t size)
{
	char *end = PTR_ALIGN(to, 8);

	if (likely(slot.cpu->pos == (char *)slot.head + size)) {
		put_unaligned(0ULL, (u64 *)to);
		slot.head->size = end - (char *)slot.head;
		slot.cpu->pos = end;
	} else {
		slot.head->size = size;
		marker_event_clear(to, (char *)slot.head + size);
	}
}

/* Give back the whole room, because a string can't be read by words. */
static __always_inline void
marker_event_abandon(struct marker_event_slot slot, size_t size)
{
	slot.cpu->events--;
	if (likely(slot.cpu->pos == (char *)slot.head + size)) {
		slot.cpu->pos = (char *)slot.head;
	} else {
		*slot.head = (struct ktrace_head) { KTRACE_ID_PAD, size };
		marker_event_clear((char *)(slot.head + 1),
				   (char *)slot.head + size);
	}
}

/* ---- strings ---- */

/* Return the offset of the first zero byte of a word, by the result of has_zero(). */
static __always_inline unsigned long
marker_event_zero(unsigned long word, unsigned long mask,
		  const struct word_at_a_time *constants)
{
	if (!IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		return __ffs(mask) / 8;
	mask = prep_zero_mask(word, mask, constants);
	return find_zero(create_zero_mask(mask));
}

/* What marker_event_word() found. */
enum marker_event_end {
	MARKER_EVENT_GOES_ON,
	MARKER_EVENT_ENDS,
	MARKER_EVENT_FAULT,
};

/* Copy a word of a string; @to advances to what follows the word, or its NUL. */
static __always_inline enum marker_event_end
marker_event_word(char **to, const char *from)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, mask;

	__get_kernel_nofault(&word, from, unsigned long, fault);
	put_unaligned(word, (unsigned long *)*to);
	if (has_zero(word, &mask, &constants)) {
		*to += marker_event_zero(word, mask, &constants) + 1;
		return MARKER_EVENT_ENDS;
	}
	*to += sizeof(word);
	return MARKER_EVENT_GOES_ON;
fault:
	return MARKER_EVENT_FAULT;
}

/*
 * Return whether a string may be read by words. The last word may reach into the next page,
 * as those of load_unaligned_zeropad() do. UML does not survive a read where no page is.
 * NULL is refused, too, where PAGE_OFFSET is 0.
 */
static __always_inline bool marker_event_near(const char *from)
{
	return likely((unsigned long)from > PAGE_OFFSET) &&
	       (!IS_ENABLED(CONFIG_UML) ||
		((unsigned long)from & ~PAGE_MASK) <=
		PAGE_SIZE - MARKER_EVENT_TEXT);
}

/**
 * marker_event_short_text - write a string of less than 16 bytes into a record
 * @to: room for 16 bytes and a word; advances to what follows the NUL
 * @from: the string
 *
 * The names of tasks and of network devices are not longer. A loop over the words would
 * cost more instructions.
 *
 * Return: false if the string is longer, or marker_event_text() can't read it.
 */
static __always_inline bool
marker_event_short_text(char **to, const char *from)
{
	const size_t word = sizeof(long);
	enum marker_event_end end;

	if (unlikely(!marker_event_near(from)))
		return false;
	end = marker_event_word(to, from);
	if (end == MARKER_EVENT_GOES_ON)
		end = marker_event_word(to, from + word);
	if (end == MARKER_EVENT_GOES_ON && word == 4)
		end = marker_event_word(to, from + 2 * word);
	if (end == MARKER_EVENT_GOES_ON && word == 4)
		end = marker_event_word(to, from + 3 * word);
	return end == MARKER_EVENT_ENDS;
}

/* marker_event_text() in the form of marker_event_short_text() */
static __always_inline bool
marker_event_any_text(char **to, const char *from)
{
	*to = marker_event_text(*to, from);
	return *to;
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

/* Store a value at __to, which advances. @_text is the function that stores a string. */
#define __marker_store(_text, _value)					\
do {									\
	if (__marker_is_text(_value)) {					\
		if (!_text(&__to,					\
			   (const char *)(__force unsigned long)(_value))) \
			goto __bad;					\
	} else {							\
		struct { typeof(_value) value; } __packed *__room =	\
			(void *)__to;					\
									\
		__room->value = (_value);				\
		__to += sizeof(_value);					\
	}								\
} while (0)

#define __MARKER_STORE_BY(_text, _arg)					\
({									\
	__auto_type __value = __marker_passed(_arg);			\
									\
	__marker_store(_text, __value);					\
});
#define __MARKER_STORE(_arg)						\
	__MARKER_STORE_BY(marker_event_any_text, _arg)
#define __MARKER_STORE_SHORT(_arg)					\
	__MARKER_STORE_BY(marker_event_short_text, _arg)

/* Write the arguments into the room of @_slot. @_stores stores them at __to. */
#define __MARKER_FILL(_slot, _size, _stores, ...)			\
do {									\
	char *__to = (char *)((_slot).head + 1);			\
									\
	if (!__MARKER_HAS_TEXT(__VA_ARGS__) &&				\
	    __MARKER_HAS_TAIL(__VA_ARGS__))				\
		*(u64 *)((char *)(_slot).head + (_size) - 8) = 0;	\
	_stores								\
	if (__MARKER_HAS_TEXT(__VA_ARGS__))				\
		marker_event_trim(_slot, __to, _size);			\
	else								\
		(_slot).head->size = _size;				\
} while (0)

/*
 * Record a hit in the room that @_reserve finds, and return. Go on behind this if there is
 * no room, or if @_store can't store a string. raw_: tracing of the irq state could recurse.
 */
#define __MARKER_EVENT_BODY(_reserve, _store, _args)			\
	unsigned long __flags;						\
	struct marker_event_slot __slot;				\
									\
	raw_local_irq_save(__flags);					\
	if (unlikely(!_reserve(__data, __MARKER_EVENT_SIZE(_args), &__slot))) \
		goto __none;						\
	__MARKER_FILL(__slot, __MARKER_EVENT_SIZE(_args),		\
		      __MARKER_MAP(_store, _args), _args);		\
	raw_local_irq_restore(__flags);					\
	return;								\
__bad: __maybe_unused;							\
	marker_event_abandon(__slot, __MARKER_EVENT_SIZE(_args));	\
__none:									\
	/* Keep the compiler from testing __flags before the paths part. */ \
	OPTIMIZER_HIDE_VAR(__flags);					\
	raw_local_irq_restore(__flags)

/*
 * The functions of a typed marker. __marker_event_...() records a hit. It calls no function,
 * so it saves few registers. If there is no room, or a string is long, it jumps to
 * __marker_reserve_...(). That one jumps to __marker_interpret_...() if it can't read a
 * string. __marker_describe_...() stores the kinds of the arguments. Only such functions
 * know the types of the parameters.
 */
#define __MARKER_EVENT_FUNCTIONS(_name, _params, _args)			\
	static noinline __maybe_unused void				\
	__marker_interpret_##_name(void *__data, _params)		\
	{								\
		u64 __slots[] = __MARKER_SLOTS(_args);			\
									\
		marker_deliver_event(&__marker_##_name, __data, __slots); \
	}								\
	static noinline __maybe_unused void				\
	__marker_reserve_##_name(void *__data, _params)			\
	{								\
		__MARKER_EVENT_BODY(marker_event_take, __MARKER_STORE,	\
				    MARKER_ARGS(_args));		\
		if (__slot.head)					\
			__marker_interpret_##_name(__data, _args);	\
	}								\
	static inline void __marker_event_##_name(void *__data, _params) \
	{								\
		__MARKER_EVENT_BODY(marker_event_try, __MARKER_STORE_SHORT, \
				    MARKER_ARGS(_args));		\
		__marker_reserve_##_name(__data, _args);		\
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
	__marker_store(marker_event_any_text, __value_##_number);
#define __MARKER_SLOT_VALUE(_number, _arg)				\
	__marker_slot(__value_##_number),

#endif /* _LINUX_MARKER_EVENT_H */
