// SPDX-License-Identifier: GPL-2.0
/*
 * clocks.c - find the pairs of times in a stream of kmemtrace
 *
 * Each sub-buffer begins with a pair, so a few bytes of it are enough.
 */
#include "config.h"

#include "common/seekable.h"
#include "read/clocks.h"

/* A completed sub-buffer consists of whole pages; the smallest has this size. */
#define MIN_PAGE	4096

/* Bytes of the largest sub-buffer. */
#define MAX_SUBBUF	SEEKABLE_MAX_FRAME

/**
 * struct stream - a stream to search for clocks
 * @in: its bytes
 * @order: its byte order
 * @cpu: number of its CPU
 * @subbuf_size: bytes of a sub-buffer
 * @step: bytes between the last two clocks
 */
struct stream {
	struct input *in;
	enum byte_order order;
	unsigned int cpu;
	uint64_t subbuf_size, step;
};

/* Decode a clock. Return whether it is one of the CPU, with @sequence or a later one. */
static bool decode_clock(const void *rec, enum byte_order order, unsigned int cpu,
			 uint64_t sequence, struct kmemtrace_clock *clock)
{
	event_decode(rec, order, (struct kmemtrace_event *)clock);
	return clock->event_size == EVENT_MIN_SIZE && clock->clock < TIMEMAP_CLOCKS &&
	       (unsigned int)clock->cpu == cpu && clock->sequence >= sequence;
}

/* Return whether there is a clock of the CPU at @offset, with @sequence or a later one. */
static bool read_clock(struct stream *s, uint64_t offset, uint64_t sequence,
		       struct kmemtrace_clock *clock)
{
	unsigned char bytes[EVENT_MIN_SIZE];

	if (input_peek(s->in, bytes, sizeof(bytes), offset) != sizeof(bytes) ||
	    *bytes != KMEMTRACE_EVENT_CLOCK)
		return false;
	return decode_clock(bytes, s->order, s->cpu, sequence, clock);
}

/*
 * Return where the next clock is, or 0. It is a sub-buffer further on, unless the
 * sub-buffer was published before it was full. Try the distance of the last two first.
 */
static uint64_t next_clock(struct stream *s, uint64_t offset,
			   struct kmemtrace_clock *clock)
{
	uint64_t sequence = clock->sequence + 1, step;

	if (read_clock(s, offset + s->step, sequence, clock))
		return offset + s->step;
	for (step = MIN_PAGE; step <= s->subbuf_size &&
	     offset + step < s->in->size; step += MIN_PAGE)
		if (read_clock(s, offset + step, sequence, clock)) {
			s->step = step;
			return offset + step;
		}
	return 0;
}

static struct timepair pair_of(const struct kmemtrace_clock *clock)
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
	const struct timepair pair = pair_of(clock);

	return timemaps_add_pair(maps, ctx, clock->clock, &pair, clock->frequency);
}

static uint64_t subbuf_size(const struct tracedir *dir)
{
	uint64_t size;

	return tracedir_meta_u64(dir, "subbuf_size", &size) && size && size < MAX_SUBBUF ?
	       size : MAX_SUBBUF;
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
	struct stream s = {
		.in = in,
		.cpu = cpu,
		.order = order,
		.subbuf_size = subbuf_size(dir),
	};
	struct kmemtrace_clock clock;
	uint64_t offset = 0;
	int ret = 0;

	s.step = s.subbuf_size;
	if (!read_clock(&s, 0, 0, &clock))
		return context_error(dir->ctx);
	do {
		ret = add_clock(maps, dir->ctx, &clock);
		offset = next_clock(&s, offset, &clock);
	} while (!ret && offset);
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
	pair = pair_of(&clock);
	timemaps_follow(maps, ctx, clock.clock, &pair, clock.frequency);
}
