/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is live, and which events contradict that.
 */
#ifndef KMEMTRACE_LEDGER_H
#define KMEMTRACE_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "caches.h"
#include "event.h"
#include "frames.h"
#include "objects.h"
#include "stats.h"

/**
 * struct change - an allocation or a free on its way into the ledger
 * @ptr: address
 * @req: bytes asked for, of an allocation
 * @alloc: bytes given, or of pages and percpu memory taken back
 * @time: nanoseconds
 * @site: index of the call site in the space's table
 * @class: index of the size in the space's table
 * @cpu: where
 * @type: enum kmemtrace_type_id
 * @space: its namespace
 * @is_free: not an allocation
 */
struct change {
	uint64_t ptr, req, alloc;
	int64_t time;
	uint32_t site, class;
	uint16_t cpu;
	uint8_t type;
	enum space space;
	bool is_free;
};

/* Lives that may end, or begin, by an event that is still to come. */
#define LEDGER_MAX_OWED	64

/**
 * struct ledger - the state of all memory at one time of the trace
 * @stats: what is counted
 * @caches: the slab caches
 * @kfree_takes_caches: kfree() is allowed on objects of any cache; to be set
 *	after ledger_init()
 * @window: nanoseconds by which events of two CPUs may be in the wrong order; to
 *	be set before each event
 */
struct ledger {
	struct stats stats;
	struct caches caches;
	bool kfree_takes_caches;
	uint64_t window;

	/* private: */
	struct owed {
		struct change c;
		struct slot before;
	} owed[LEDGER_MAX_OWED];
	unsigned int nr_owed;
	struct objects objects[NR_SPACES];
	struct frames frames;
	uint64_t page_size;
	unsigned int page_shift;
	uint64_t snapshot_frames;
	uint64_t unsure_frames;
	struct change change;
	const struct record *fitting;
};

void ledger_init(struct ledger *l, uint64_t page_size);
bool ledger_fits(struct ledger *l, const struct record *rec);
void ledger_event(struct ledger *l, const struct record *rec,
		  unsigned int cpu, bool waited);
void ledger_end(struct ledger *l);
void ledger_prefetch(const struct ledger *l, uint64_t ptr);
void ledger_free(struct ledger *l);

#endif /* KMEMTRACE_LEDGER_H */
