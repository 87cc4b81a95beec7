// SPDX-License-Identifier: GPL-2.0
/*
 * clocks.c - find the pairs of times in a stream of kmemtrace
 *
 * Each sub-buffer begins with a pair, so a few bytes of it are enough.
 */
#include "config.h"

#include <errno.h>

#include "common/seekable.h"
#include "read/clocks.h"

/* A completed sub-buffer consists of whole pages; the smallest has this size. */
#define MIN_PAGE	4096

/* Bytes of the largest sub-buffer. */
#define MAX_SUBBUF	SEEKABLE_MAX_FRAME

/* Decode a clock. Return whether it is one of the CPU, with @sequence or a later one. */
static bool decode_clock(const void *rec, enum byte_order order, unsigned int cpu,
			 uint64_t sequence, struct kmemtrace_clock *clock)
{
	event_decode(rec, order, (struct kmemtrace_event *)clock);
	return clock->event_size == EVENT_MIN_SIZE && clock->clock < TIMEMAP_CLOCKS &&
	       (unsigned int)clock->cpu == cpu && clock->sequence >= sequence;
}

/* Return whether there is a clock of the CPU at @offset, with @sequence or a later one. */
static bool read_clock_at(const struct clock_search *s, uint64_t offset, uint64_t sequence,
			  struct kmemtrace_clock *clock)
{
	unsigned char bytes[EVENT_MIN_SIZE];

	if (input_peek(s->in, bytes, sizeof(bytes), offset) != sizeof(bytes) ||
	    *bytes != KMEMTRACE_EVENT_CLOCK)
		return false;
	return decode_clock(bytes, s->order, s->cpu, sequence, clock);
}

/* Return whether the next sub-buffer begins after @step bytes, where it usually does. */
static bool is_next(const struct clock_search *s, uint64_t step, struct kmemtrace_clock *clock)
{
	return read_clock_at(s, s->offset + step, s->sequence + 1, clock) &&
	       clock->sequence == s->sequence + 1;
}

/*
 * Find the next clock. It is a sub-buffer further on, unless the sub-buffer was published
 * before it was full. Try the distance of the last two first. Return 1; 0: there is none; or
 * -EAGAIN: the bytes have not arrived.
 */
static int next_clock(struct clock_search *s, struct kmemtrace_clock *clock)
{
	uint64_t left, step = s->step;

	if (is_next(s, step, clock)) {
		s->offset += step;
		return 1;
	}
	for (step = s->tried + MIN_PAGE; step <= s->subbuf_size; step += MIN_PAGE) {
		left = s->in->size - s->offset;
		if (s->in->grows && left < step + EVENT_MIN_SIZE)
			return -EAGAIN;
		if (left <= step)
			return 0;
		if (read_clock_at(s, s->offset + step, s->sequence + 1, clock)) {
			s->step = step;
			s->offset += step;
			return 1;
		}
		s->tried = step;
	}
	return 0;
}

/* Find the clock that begins the stream. Return as next_clock(). */
static int first_clock(const struct clock_search *s, struct kmemtrace_clock *clock)
{
	if (s->in->grows && s->in->size < EVENT_MIN_SIZE)
		return -EAGAIN;
	return read_clock_at(s, 0, 0, clock);
}

static uint64_t bytes_of_subbuf(const struct tracedir *dir)
{
	uint64_t size;

	return tracedir_meta_u64(dir, "subbuf_size", &size) && size && size < MAX_SUBBUF ?
	       size : MAX_SUBBUF;
}

/**
 * clocks_begin - begin to search a stream for pairs of times
 * @s: result
 * @dir: the trace
 * @in: the stream
 * @cpu: number of its CPU
 * @order: its byte order
 */
void clocks_begin(struct clock_search *s, const struct tracedir *dir, struct input *in,
		  unsigned int cpu, enum byte_order order)
{
	*s = (struct clock_search) {
		.in = in,
		.cpu = cpu,
		.order = order,
		.subbuf_size = bytes_of_subbuf(dir),
	};
	s->step = s->subbuf_size;
}

/**
 * clocks_next - find the next pair of times
 * @s: the search
 * @clock: result
 *
 * Return: 1; 0: there is none; or -EAGAIN: the next bytes of the stream have not arrived.
 */
int clocks_next(struct clock_search *s, struct kmemtrace_clock *clock)
{
	int ret = 0;

	if (!s->is_over)
		ret = s->is_begun ? next_clock(s, clock) : first_clock(s, clock);
	if (ret > 0) {
		s->is_begun = true;
		s->sequence = clock->sequence;
		s->tried = 0;
	}
	s->is_over = !ret;
	return ret;
}

/* Return the pair of times that a clock has. */
struct timepair clocks_pair(const struct kmemtrace_clock *clock)
{
	return (struct timepair) {
		.time = clock->timestamp,
		.ns = clock->monotonic,
		.error = clock->error,
		.uncertainty = clock->uncertainty,
	};
}

static int add_clock(struct timemaps *maps, struct context *ctx,
		     const struct kmemtrace_clock *clock)
{
	const struct timepair pair = clocks_pair(clock);

	return timemaps_add_pair(maps, ctx, clock->clock, &pair, clock->frequency);
}

/**
 * clocks_find - find the pairs of times in a stream
 * @maps: gets the pairs; timemaps_close() it also after an error
 * @dir: the trace
 * @in: the stream
 * @cpu: number of its CPU
 * @order: its byte order
 *
 * Return: 0 or -errno.
 */
int clocks_find(struct timemaps *maps, const struct tracedir *dir, struct input *in,
		unsigned int cpu, enum byte_order order)
{
	struct kmemtrace_clock clock;
	struct clock_search s;
	int ret = 0;

	clocks_begin(&s, dir, in, cpu, order);
	while (!ret && clocks_next(&s, &clock) > 0)
		ret = add_clock(maps, dir->ctx, &clock);
	return ret ? ret : context_error(dir->ctx);
}

/**
 * clocks_follow - take over a pair of times while the stream is read
 * @maps: zeroed before the first pair; timemaps_close() it
 * @ctx: the context of the trace
 * @rec: a record of the stream whose event_id is that of a clock
 * @order: its byte order
 * @cpu: number of its CPU
 */
void clocks_follow(struct timemaps *maps, struct context *ctx, const void *rec,
		   enum byte_order order, unsigned int cpu)
{
	struct kmemtrace_clock clock;
	struct timepair pair;

	if (!decode_clock(rec, order, cpu, 0, &clock))
		return;
	pair = clocks_pair(&clock);
	timemaps_follow(maps, ctx, clock.clock, &pair, clock.frequency);
}
