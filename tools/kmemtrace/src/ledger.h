/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is live, and which events contradict that.
 */
#ifndef KMEMTRACE_LEDGER_H
#define KMEMTRACE_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "frames.h"
#include "objects.h"
#include "stats.h"

/*
 * Clocks of two CPUs are trusted no further than this. Contradictory events
 * of two CPUs that lie closer are put in the order that makes sense.
 */
#define LEDGER_WINDOW_NS	100000
/* Contradictory events that may wait at a time. */
#define LEDGER_MAX_HELD		1024

/**
 * struct change - an event on its way into the ledger
 * @ptr: address
 * @req: bytes asked for, of an allocation
 * @alloc: bytes given, or of pages taken back
 * @time: merged time in nanoseconds
 * @site: index of the call site in the space's table
 * @cpu: where
 * @type: enum kmemtrace_type_id
 * @space: slab or pages
 * @is_free: not an allocation
 */
struct change {
	uint64_t ptr, req, alloc;
	int64_t time;
	uint32_t site;
	uint16_t cpu;
	uint8_t type;
	enum space space;
	bool is_free;
};

/**
 * struct ledger - the state of all memory at one time of the trace
 * @stats: what is counted
 */
struct ledger {
	struct stats stats;

	/* private: */
	struct objects objects;
	struct frames frames;
	uint64_t page_size;
	unsigned int page_shift;
	struct change held[LEDGER_MAX_HELD];
	unsigned int first_held, nr_held;
};

void ledger_init(struct ledger *l, uint64_t page_size);
void ledger_event(struct ledger *l, const struct kmemtrace_event *ev,
		  unsigned int cpu, int64_t time);
void ledger_prefetch(const struct ledger *l, uint64_t ptr);
void ledger_finish(struct ledger *l);
void ledger_free(struct ledger *l);

#endif /* KMEMTRACE_LEDGER_H */
