// SPDX-License-Identifier: GPL-2.0
/*
 * account.c - find missing events by the counts of the clocks
 *
 * Each clock has the number of all events of its CPU before it, and the number of its
 * sub-buffer. Both begin at 0 each time that tracing is switched on.
 */
#include "config.h"

#include "ktrace/account.h"

static void begin_account(struct account *a, const struct ktrace_clock *clock)
{
	a->subbufs_before = clock->sequence;
	if (clock->sequence)
		a->before = clock->events;
}

/* Return the gap before a clock that isn't the first one. */
static struct gap gap_before(struct account *a, const struct ktrace_clock *clock)
{
	struct gap gap = { .has_subbufs = false };

	if (clock->sequence < a->sequence) {
		a->restarts++;
		gap.events = clock->events;
		return gap;
	}
	if (clock->sequence > a->sequence + 1) {
		a->subbufs_missing += clock->sequence - a->sequence - 1;
		gap.has_subbufs = true;
	}
	if (clock->events < a->events)
		a->contradictions++;
	else
		gap.events = clock->events - a->events;
	return gap;
}

/**
 * account_clock - take a clock into account
 * @a: the account
 * @clock: the clock
 *
 * Return: the events that are missing between the event before the clock and the one behind it.
 */
struct gap account_clock(struct account *a, const struct ktrace_clock *clock)
{
	struct gap gap = { .has_subbufs = false };

	if (a->has_begun) {
		gap = gap_before(a, clock);
	} else {
		begin_account(a, clock);
		gap.events = clock->events - a->before;
	}
	if (gap.has_subbufs)
		a->skipped += gap.events;
	else
		a->lost += gap.events;
	a->has_begun = true;
	a->sequence = clock->sequence;
	a->events = clock->events;
	return gap;
}
