// SPDX-License-Identifier: GPL-2.0
/*
 * streams.c - open the streams of all CPUs of a trace
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "read/clocks.h"
#include "read/streams.h"

/* Most bytes to read at a time, for one CPU and for all of them together. */
#define MAX_BUFFER	(64 * 1024)
#define ALL_BUFFERS	(16 * 1024 * 1024)

static size_t buffer_size(size_t nr_cpus)
{
	size_t size = ALL_BUFFERS / nr_cpus;

	if (size > MAX_BUFFER)
		return MAX_BUFFER;
	return size < READER_MIN_BUFFER ? READER_MIN_BUFFER : size;
}

/*
 * Most streams of which blocks are read ahead, and bytes of a block of one stream and of all of
 * them together. Each stream has FETCH_BLOCKS + 1 blocks in memory.
 */
#define MAX_AHEAD	16
#define MAX_BLOCK	(256 * 1024)
#define ALL_BLOCKS	(2 * 1024 * 1024)

/* All streams have the byte order of the metadata, or else of the first stream. */
static int agree_on_order(struct streams *s, const struct reader *r)
{
	if (r->order == ORDER_UNKNOWN || r->order == s->order)
		return 0;
	if (s->order == ORDER_UNKNOWN) {
		s->order = r->order;
		return 0;
	}
	context_say(r->ctx, "%s: is %s-endian, unlike the streams before it", r->path,
		    order_name(r->order));
	return -EINVAL;
}

/* A stream may begin before kmemtraced did, with the boot. Then its size is as saved. */
static bool is_of_other_time(const struct tracedir *dir, const struct reader *r, uint64_t begin)
{
	uint64_t start_ns, end_ns, saved;

	if (!tracedir_meta_u64(dir, "start_ns", &start_ns) ||
	    !tracedir_meta_u64(dir, "end_ns", &end_ns) ||
	    !tracedir_meta_cpu(dir, "bytes.cpu", r->cpu, &saved))
		return false;
	return begin > end_ns || (begin < start_ns && r->in.size > saved);
}

/**
 * streams_judge - find by its first record whether a stream is one of a trace
 * @dir: the trace
 * @r: the stream, opened
 *
 * Return: its state.
 */
enum stream_state streams_judge(const struct tracedir *dir, struct reader *r)
{
	unsigned char bytes[EVENT_MIN_SIZE];
	struct kmemtrace_clock clock;

	if (input_peek(&r->in, bytes, sizeof(bytes), 0) != sizeof(bytes) ||
	    *bytes != KMEMTRACE_EVENT_CLOCK)
		return STREAM_THERE;
	event_decode(bytes, r->order, (struct kmemtrace_event *)&clock);
	if ((unsigned int)clock.cpu != r->cpu)
		return STREAM_OF_OTHER_CPU;
	return is_of_other_time(dir, r, clock.monotonic) ? STREAM_OF_OTHER_TIME : STREAM_THERE;
}

static int open_reader(struct streams *s, struct tracedir *dir, size_t i, size_t buf_size)
{
	struct trace_cpu *c = &dir->cpus[i];
	struct reader *r = &s->readers[s->nr++];
	int ret;

	ret = reader_open_shared(r, dir->ctx, dir->files, c->file, c->cpu, dir->order,
				 buf_size, &s->decoder);
	r->index = i;
	if (ret)
		return ret;
	c->state = streams_judge(dir, r);
	if (c->state == STREAM_THERE)
		return agree_on_order(s, r);
	reader_close(r);
	s->nr--;
	return 0;
}

/**
 * streams_open - open all streams of a trace
 * @s: result; streams_close() it also after an error. Their timestamps are not converted before
 *	streams_find_times()
 * @dir: the trace, which stays the caller's; gets the states of its streams
 *
 * Return: 0, or -errno after a message.
 */
int streams_open(struct streams *s, struct tracedir *dir)
{
	size_t i, nr = dir->nr_cpus;
	int ret = 0;

	*s = (struct streams) { .order = dir->order };
	s->readers = context_calloc(dir->ctx, nr, sizeof(*s->readers));
	if (!s->readers)
		return -ENOMEM;
	for (i = 0; !ret && i < dir->nr_cpus; i++)
		if (dir->cpus[i].state == STREAM_THERE)
			ret = open_reader(s, dir, i, buffer_size(nr));
	return ret;
}

/**
 * streams_find_times - find what the timestamps of streams mean
 * @s: the streams
 * @dir: their trace
 * @maps: zeroed; result: from timestamps to nanoseconds. timemaps_close() it after @s, also after
 *	an error
 *
 * Return: 0, or -errno after a message.
 */
int streams_find_times(struct streams *s, const struct tracedir *dir, struct timemaps *maps)
{
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < s->nr; i++)
		ret = clocks_find(maps, dir, &s->readers[i].in, s->readers[i].cpu,
				  s->order);
	if (ret)
		return ret;
	timemaps_finish(maps);
	timemaps_bound(maps, dir);
	timemaps_warn(maps, dir);
	for (i = 0; i < s->nr; i++)
		s->readers[i].maps = maps;
	return 0;
}

/**
 * streams_read_ahead - let idle threads read blocks before they are needed
 * @s: the streams, of files that several threads may read
 *
 * Does nothing for many streams, which would need more memory. streams_stop_ahead() must follow.
 */
void streams_read_ahead(struct streams *s)
{
	size_t i, size;

	if (!s->nr || s->nr > MAX_AHEAD)
		return;
	/* Records stay aligned. */
	size = ALL_BLOCKS / s->nr / EVENT_MAX_SIZE * EVENT_MAX_SIZE;
	s->reads_ahead = true;
	fetcher_init(&s->fetcher);
	for (i = 0; i < s->nr; i++)
		reader_read_ahead(&s->readers[i], &s->fetcher, size < MAX_BLOCK ? size : MAX_BLOCK);
}

/* Read a block, in any thread. Return false if none is wanted. */
bool streams_work_ahead(struct streams *s)
{
	return s->reads_ahead && fetcher_work(&s->fetcher);
}

/* End streams_read_ahead(), when no other thread works. */
void streams_stop_ahead(struct streams *s)
{
	size_t i;

	if (!s->reads_ahead)
		return;
	for (i = 0; i < s->nr; i++)
		reader_stop_ahead(&s->readers[i]);
	fetcher_destroy(&s->fetcher);
	s->reads_ahead = false;
}

/* Return the sums over all streams. */
struct streams_progress streams_progress(const struct streams *s)
{
	struct streams_progress sum = { 0 };
	size_t i;

	for (i = 0; i < s->nr; i++) {
		sum.bytes += reader_offset(&s->readers[i]);
		sum.size += s->readers[i].in.size;
		sum.events += s->readers[i].events;
	}
	return sum;
}

/* Undo streams_open(). */
void streams_close(struct streams *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		reader_close(&s->readers[i]);
	decoder_free(&s->decoder);
	free(s->readers);
}
