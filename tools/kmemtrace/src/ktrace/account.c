// SPDX-License-Identifier: GPL-2.0
/*
 * account.c - find missing events by the counts of the clocks
 *
 * Each clock has the number of all events of its CPU before it, and the number of its
 * sub-buffer. Both begin at 0 each time that tracing is switched on.
 */
#include "config.h"

#include "ktrace/account.h"

static void begin(struct account *a, const struct ktrace_clock *clock)
{
	a->subbufs_before = clock->sequence;
	if (clock->sequence)
		a->before = clock->events;
}

/**
 * account_clock - take a clock into account
 * @a: the account
 * @clock: the clock
 *
 * Return: how many events were lost between the event before the clock and the one behind it.
 */
uint64_t account_clock(struct account *a, const struct ktrace_clock *clock)
{
	uint64_t lost = 0;

	if (!a->has_begun) {
		begin(a, clock);
		lost = clock->events - a->before;
	} else if (clock->sequence < a->sequence) {
		a->restarts++;
		lost = clock->events;
	} else {
		if (clock->sequence > a->sequence)
			a->subbufs_missing += clock->sequence - a->sequence - 1;
		if (clock->events < a->events)
			a->contradictions++;
		else
			lost = clock->events - a->events;
	}
	a->has_begun = true;
	a->sequence = clock->sequence;
	a->events = clock->events;
	a->lost += lost;
	return lost;
}
