/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the ledger knows of one object or one page frame.
 */
#ifndef KMEMTRACE_SLOT_H
#define KMEMTRACE_SLOT_H

#include <stdint.h>

/**
 * enum slot_state - what the last event, or else the snapshot, left
 * @SLOT_UNKNOWN: there was none
 * @SLOT_LIVE: it was allocated
 * @SLOT_FREED: it was freed
 */
enum slot_state {
	SLOT_UNKNOWN,
	SLOT_LIVE,
	SLOT_FREED,
};

/* The interface by which it was allocated isn't known. */
#define SLOT_ANY_TYPE	UINT8_MAX
/* Of a frame: the buffers of kmemtrace are in it. */
#define SLOT_OWN_TYPE	(UINT8_MAX - 1)

/**
 * struct slot - the last event on an object or a frame
 * @time: when
 * @kind: index of its kind
 * @spare: of an object, the bytes given less those asked for
 * @objects: of a frame, the slab objects that live and begin in it
 * @cpu: where
 * @type: enum kmemtrace_type_id, SLOT_ANY_TYPE or SLOT_OWN_TYPE
 * @state: enum slot_state
 * @first: it was SLOT_UNKNOWN before
 * @settled: freed by an event that waited for its allocation, the first one
 * @snapshot: @state is from the snapshot, there was no event since
 * @reserved: of a frame that lives, it never was the page allocator's
 * @slab: of a frame, it is part of a slab of the snapshot
 * @bits: all of those from @state on at once
 */
struct slot {
	int64_t time;
	uint32_t kind;
	union {
		int32_t spare;
		uint32_t objects;
	};
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

/* Those of struct slot's bits in which it differs from zeros, wherever they are. */
#define SLOT_BITS(...)	(((const struct slot) { __VA_ARGS__ }).bits)

#endif /* KMEMTRACE_SLOT_H */
