// SPDX-License-Identifier: GPL-2.0
/*
 * record.c - decode ktrace records of any machine
 */
#include "config.h"

#include <assert.h>

#include "ktrace/record.h"
#include "read/timemap.h"

/* A later version may append fields to a clock. */
#define MAX_CLOCK_SIZE	256

static_assert(sizeof(struct ktrace_head) == 8, "version 1");
static_assert(sizeof(struct ktrace_clock) == 64, "version 1");
static_assert(KTRACE_CLOCK_CYCLES + 1 == TIMEMAP_CLOCKS, "each clock has a map");
static_assert((int)KTRACE_CLOCK_LOCAL == KMEMTRACE_CLOCK_LOCAL &&
	      (int)KTRACE_CLOCK_CYCLES == KMEMTRACE_CLOCK_CYCLES, "timemap.c knows them");

static void swap_head(struct ktrace_head *head)
{
	head->id = bswap_16(head->id);
	head->size = bswap_16(head->size);
	head->delta = bswap_32(head->delta);
}

static void swap_clock(struct ktrace_clock *clock)
{
	swap_head(&clock->head);
	clock->timestamp = bswap_64(clock->timestamp);
	clock->monotonic = bswap_64(clock->monotonic);
	clock->frequency = bswap_64(clock->frequency);
	clock->events = bswap_64(clock->events);
	clock->sequence = bswap_64(clock->sequence);
	clock->cpu = bswap_32(clock->cpu);
	clock->clock = bswap_32(clock->clock);
	clock->error = bswap_32(clock->error);
	clock->uncertainty = bswap_32(clock->uncertainty);
}

/* Return the head of a record, of which RECORD_HEAD_SIZE bytes are readable. */
struct ktrace_head record_head(const void *rec, enum byte_order order)
{
	struct ktrace_head head;

	memcpy(&head, rec, sizeof(head));
	if (order != ORDER_NATIVE)
		swap_head(&head);
	return head;
}

/* Return a clock, of which RECORD_CLOCK_SIZE bytes are readable. */
struct ktrace_clock record_clock(const void *rec, enum byte_order order)
{
	struct ktrace_clock clock;

	memcpy(&clock, rec, sizeof(clock));
	if (order != ORDER_NATIVE)
		swap_clock(&clock);
	return clock;
}

static int is_clock_record(const void *rec, enum byte_order order)
{
	struct ktrace_head head = record_head(rec, order);

	return head.id == KTRACE_ID_CLOCK && head.size >= RECORD_CLOCK_SIZE &&
	       head.size <= MAX_CLOCK_SIZE && head.size % 8 == 0;
}

/**
 * record_order - find the byte order of a stream from its first record
 * @clock: RECORD_HEAD_SIZE readable bytes
 *
 * Each stream begins with a clock. Its id is 1 in the right order, and 256 in the other.
 *
 * Return: the order; ORDER_UNKNOWN if it is no clock in either order.
 */
enum byte_order record_order(const void *clock)
{
	if (is_clock_record(clock, ORDER_LITTLE))
		return ORDER_LITTLE;
	return is_clock_record(clock, ORDER_BIG) ? ORDER_BIG : ORDER_UNKNOWN;
}

/* Write a head in @order, for tests. */
void record_encode_head(const struct ktrace_head *head, enum byte_order order, void *rec)
{
	struct ktrace_head copy = *head;

	if (order != ORDER_NATIVE)
		swap_head(&copy);
	memcpy(rec, &copy, sizeof(copy));
}

/* Write a clock in @order, for tests. */
void record_encode_clock(const struct ktrace_clock *clock, enum byte_order order, void *rec)
{
	struct ktrace_clock copy = *clock;

	if (order != ORDER_NATIVE)
		swap_clock(&copy);
	memcpy(rec, &copy, sizeof(copy));
}
