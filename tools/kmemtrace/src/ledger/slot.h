/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of one object or one page frame.
 */
#ifndef KMEMTRACE_SLOT_H
#define KMEMTRACE_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "read/event.h"

/**
 * enum slot_state - the state after the last event, or after the snapshot
 * @SLOT_UNKNOWN: there was no event
 * @SLOT_LIVE: it was allocated
 * @SLOT_FREED: it was freed
 */
enum slot_state {
	SLOT_UNKNOWN,
	SLOT_LIVE,
	SLOT_FREED,
};

/* The interface that allocated it is unknown. */
#define SLOT_ANY_TYPE	UINT8_MAX
/* A frame of kmemtrace's own buffers. */
#define SLOT_OWN_TYPE	(UINT8_MAX - 1)

/**
 * struct slot - the last event of an object or a frame
 * @time: its time
 * @spare: of an object, the allocated bytes beyond the requested ones
 * @objects: of a frame, the number of live slab objects that begin in it
 * @cpu: its CPU
 * @type: enum kmemtrace_type_id, SLOT_ANY_TYPE or SLOT_OWN_TYPE
 * @state: enum slot_state
 * @first: the state before was SLOT_UNKNOWN
 * @settled: freed by an event that waited for its allocation, which was the first one
 * @snapshot: @state is from the snapshot, no event followed
 * @reserved: of a live frame, it never belonged to the page allocator
 * @slab: of a frame, it belongs to a slab of the snapshot
 * @bits: all of the bits from @state on
 * @word: all fields from @cpu on, to compare and set them at once
 * @kind: index of its kind
 */
struct slot {
	int64_t time;
	union {
		int32_t spare;
		uint32_t objects;
	};
	union {
		struct {
			uint16_t cpu;
			uint8_t type;
			union {
				struct {
					uint8_t state : 2;
					uint8_t first : 1;
					uint8_t settled : 1;
					uint8_t snapshot : 1;
					uint8_t reserved : 1;
					uint8_t slab : 1;
				};
				uint8_t bits;
			};
		};
		uint32_t word;
	};
	uint32_t kind;
};

/* The value of @bits of a slot with these fields, all others zero. */
#define SLOT_BITS(...)	(((const struct slot) { __VA_ARGS__ }).bits)
/* The same of @word. */
#define SLOT_WORD(...)	(((const struct slot) { __VA_ARGS__ }).word)

/* Return whether the page allocator allocated a frame, for anyone but kmemtrace. */
static inline bool slot_is_allocated(const struct slot *slot)
{
	return slot->state == SLOT_LIVE && !slot->reserved && slot->type != SLOT_OWN_TYPE;
}

#endif /* KMEMTRACE_SLOT_H */
