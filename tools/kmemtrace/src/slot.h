/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the ledger knows of one slab object or one page frame.
 */
#ifndef KMEMTRACE_SLOT_H
#define KMEMTRACE_SLOT_H

#include <stdint.h>

/**
 * enum slot_state - what the last event left
 * @SLOT_UNKNOWN: there was none
 * @SLOT_LIVE: it was allocated
 * @SLOT_FREED: it was freed
 */
enum slot_state {
	SLOT_UNKNOWN,
	SLOT_LIVE,
	SLOT_FREED,
};

/**
 * struct slot - the last event on an object or a frame
 * @time: when
 * @site: index of its call site
 * @cpu: where
 * @kind: of an object the type_id, of a frame the order of its block
 * @state: enum slot_state
 * @first: it was SLOT_UNKNOWN before
 * @settled: freed by an event that waited for its allocation, the first one
 */
struct slot {
	int64_t time;
	uint32_t site;
	uint16_t cpu;
	uint8_t kind;
	uint8_t state : 2;
	uint8_t first : 1;
	uint8_t settled : 1;
};

#endif /* KMEMTRACE_SLOT_H */
