// SPDX-License-Identifier: GPL-2.0
/*
 * losses.c - count the events that are missing from a trace
 *
 * A CLOCK has the number of events before it, recorded or lost. The difference to the
 * number of events that are in the stream is missing. The kernel's file overflow has the
 * number of all events, and so shows what is missing behind the last record.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "ktrace-daemon/losses.h"
#include "linux/ktrace.h"

/**
 * losses_parse - parse a line of the file overflow: "cpu<n> <events> <lost> <bytes>"
 * @line: the line
 * @o: result
 *
 * Return: whether the line has this form.
 */
bool losses_parse(const char *line, struct overrun *o)
{
	return sscanf(line, "cpu%d %" SCNu64 " %" SCNu64 " %" SCNu64, &o->cpu,
		      &o->events, &o->all.records, &o->all.bytes) == 4;
}

/*
 * The first CLOCK. The first sub-buffer of a recording has the number 0: events before it
 * are lost. Those before a later one were in sub-buffers that are not in this trace.
 */
static void note_first_clock(struct tally *t, const struct ktrace_clock *clock)
{
	t->began = true;
	if (clock->sequence)
		t->before = clock->events;
	else
		t->lost.records = clock->events;
}

/* Add the events before a CLOCK that is not the first one. */
static void count_gap(struct tally *t, const struct ktrace_clock *clock)
{
	uint64_t *missing = clock->sequence > t->sequence + 1 ? &t->skipped :
								&t->lost.records;

	/* Tracing was switched off and on meanwhile: nothing is known. */
	if (clock->events < t->events || clock->sequence < t->sequence)
		return;
	*missing += clock->events - t->events;
}

static void count_clock(struct tally *t, const struct ktrace_clock *clock)
{
	if (t->began)
		count_gap(t, clock);
	else
		note_first_clock(t, clock);
	t->events = clock->events;
	t->sequence = clock->sequence;
}

/**
 * losses_count - add the events of a sub-buffer, or of a part of it
 * @t: the sum
 * @data: whole records
 * @len: their bytes; records behind a malformed one are not counted
 */
void losses_count(struct tally *t, const void *data, size_t len)
{
	const struct ktrace_head *head;

	for (; len >= sizeof(*head); data += head->size, len -= head->size) {
		head = data;
		if (head->size < sizeof(*head) || head->size > len || head->size % 8)
			break;
		if (head->id >= KTRACE_ID_FIRST)
			t->events++;
		else if (head->id == KTRACE_ID_CLOCK &&
			 head->size >= sizeof(struct ktrace_clock))
			count_clock(t, data);
	}
}

/*
 * The kernel counts the events behind the last record. Without any record, all events may
 * be lost; if they are not, another ktraced read the others and reported what is missing.
 */
static uint64_t count_end(const struct overrun *o, const struct tally *t)
{
	if (t->began)
		return o->events > t->events ? o->events - t->events : 0;
	return o->all.records == o->events ? o->events : 0;
}

/**
 * losses_missing - turn the kernel's counts of a CPU into those of this trace
 * @o: in: all events and losses since tracing was switched on; out: those of this trace
 * @t: what the stored part of the stream reports
 * @extent: how much is stored
 * @overwrites: the newest events replace the oldest ones
 *
 * The kernel has a sum of bytes. This trace gets the part of it that its events have of
 * the sum of events.
 */
void losses_missing(struct overrun *o, const struct tally *t, enum extent extent,
		    bool overwrites)
{
	const struct lost all = o->all;
	uint64_t lost = t->lost.records;

	if (overwrites)
		o->overwritten = t->before + t->skipped;
	else
		lost += t->skipped;
	if (extent == EXTENT_ALL)
		lost += count_end(o, t);
	o->all.records = lost;
	o->all.bytes = lost == all.records ? all.bytes :
		       all.records ? (double)all.bytes * lost / all.records : 0;
}
