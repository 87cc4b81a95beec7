/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of a CPU, counted: which are in the stream, and which are missing.
 */
#ifndef KTRACE_ACCOUNT_H
#define KTRACE_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "linux/ktrace.h"

/**
 * struct account - the events of a CPU up to a place in its stream; zeroed memory is the begin
 * @events: events of the CPU before this place since tracing was switched on, in the stream
 *	or not
 * @recorded: those in the stream, since its begin
 * @before: events before the first sub-buffer of the stream, which is not the first that was
 *	recorded
 * @lost: events that are missing behind that, in sub-buffers that the stream has
 * @skipped: events that are missing with whole sub-buffers between others
 * @subbufs_before: sub-buffers before the first one
 * @subbufs_missing: sub-buffers that are missing between others
 * @restarts: how often tracing was switched on again within the stream
 * @contradictions: clocks with fewer events than are in the stream
 */
struct account {
	uint64_t events, recorded, before, lost, skipped;
	uint64_t subbufs_before, subbufs_missing;
	uint64_t restarts, contradictions;

	/* private: */
	bool has_begun;
	uint64_t sequence;
};

/**
 * struct gap - events that are missing before a clock
 * @events: how many
 * @has_subbufs: whole sub-buffers are missing
 */
struct gap {
	uint64_t events;
	bool has_subbufs;
};

struct gap account_clock(struct account *a, const struct ktrace_clock *clock);

/* Count an event of the stream. */
static inline void account_event(struct account *a)
{
	a->events++;
	a->recorded++;
}

#endif /* KTRACE_ACCOUNT_H */
