// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-repeat N FROM TO: copy a trace, and append its events N - 1 times, each time later and
 * at other addresses. So a real trace becomes a long one. FROM has plain streams in the byte order
 * of this machine.
 */
#include "config.h"

#include <err.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/memory.h"
#include "kmemtrace.h"
#include "read/event.h"
#include "trace-copy.h"

/* Between the addresses of two repetitions: more than a small machine has memory. */
#define STRIDE	(UINT64_C(1) << 36)

/**
 * struct repetition - a copy that is being made
 * @times: how often the copy has the events
 * @span: nanoseconds from the first record of all CPUs to the last one, and one more
 */
struct repetition {
	unsigned int times;
	uint64_t span;
};

/* Find the span. Its clock must count nanoseconds. */
static void find_span(struct repetition *r, const char *from)
{
	const struct kmemtrace_summary *sum;
	struct kmemtrace_trace *trace;

	if (kmemtrace_open(&trace, from, NULL) || kmemtrace_read(trace))
		exit(EXIT_FAILURE);
	sum = kmemtrace_get_summary(trace);
	if (sum->cycle_ns > 0)
		errx(EXIT_FAILURE, "%s: its clock counts cycles", from);
	r->span = (uint64_t)sum->last - (uint64_t)sum->first + 1;
	kmemtrace_close(trace);
}

/* Make nothing of a record: it is said once. */
static void remove_record(unsigned char *bytes, size_t size)
{
	struct kmemtrace_pad pad = { .event_id = KMEMTRACE_EVENT_PAD, .event_size = size };

	memset(bytes, 0, size);
	memcpy(bytes, &pad, sizeof(pad));
}

static void move_clock(struct kmemtrace_clock *clock, uint64_t later, uint64_t nr_clocks,
		       const struct kmemtrace_clock *last)
{
	clock->monotonic += later;
	clock->sequence += nr_clocks;
	clock->uncertainty = last->uncertainty;
	clock->error = last->error;
}

/* Change a record for repetition number @n. */
static void move_record(const struct repetition *r, unsigned int n, struct kmemtrace_event *ev,
			uint64_t nr_clocks, const struct kmemtrace_clock *last)
{
	if (ev->event_id == KMEMTRACE_EVENT_CLOCK)
		move_clock((void *)ev, n * r->span, nr_clocks * n, last);
	else if (ev->event_id != KMEMTRACE_EVENT_ALLOC && ev->event_id != KMEMTRACE_EVENT_FREE &&
		 ev->event_id != KMEMTRACE_EVENT_FAILED)
		remove_record((unsigned char *)ev, ev->event_size);
	else if (ev->ptr)
		ev->ptr += n * STRIDE;
	if (ev->event_id != KMEMTRACE_EVENT_PAD)
		ev->timestamp += (int64_t)(n * r->span);
}

/* Return the size of the record at @bytes, of which @left are there. */
static size_t size_at(const unsigned char *bytes, size_t left)
{
	size_t size = left < EVENT_PAD_SIZE ? 0 : event_size(bytes, ORDER_NATIVE);

	if (size > left || !event_size_possible(bytes, size))
		errx(EXIT_FAILURE, "a stream is damaged, or of another byte order");
	return size;
}

static void copy_stream(void *arg, unsigned int cpu, FILE *in, FILE *out)
{
	const struct repetition *r = arg;
	struct kmemtrace_clock last = { .sequence = 0 };
	size_t size = 0, room = 1 << 20, at, len;
	unsigned char *from = must_calloc(1, room), *to;
	uint64_t nr_clocks = 0;
	unsigned int n;

	(void)cpu;
	while ((len = fread(from + size, 1, room - size, in))) {
		size += len;
		room *= 2;
		from = realloc(from, room);
		if (!from)
			err(EXIT_FAILURE, "realloc");
	}
	for (at = 0; at < size; at += size_at(from + at, size - at)) {
		if (from[at] != KMEMTRACE_EVENT_CLOCK)
			continue;
		memcpy(&last, from + at, sizeof(last));
		nr_clocks++;
	}
	to = must_calloc(1, size + 1);
	for (n = 0; n < r->times; n++) {
		memcpy(to, from, size);
		for (at = 0; n && at < size; at += size_at(from + at, size - at))
			if (from[at] != KMEMTRACE_EVENT_PAD)
				move_record(r, n, (void *)(to + at), nr_clocks, &last);
		fwrite(to, 1, size, out);
	}
	free(to);
	free(from);
}

int main(int argc, char **argv)
{
	struct repetition r = { .times = argc == 4 ? strtoul(argv[1], NULL, 10) : 0 };

	if (!r.times)
		errx(EXIT_FAILURE, "usage: kmemtrace-repeat N FROM TO");
	find_span(&r, argv[2]);
	trace_copy(&(struct trace_copy) {
		.from = argv[2],
		.to = argv[3],
		.stream = copy_stream,
		.arg = &r,
	});
	return EXIT_SUCCESS;
}
