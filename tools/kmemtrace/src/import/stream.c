// SPDX-License-Identifier: GPL-2.0
/*
 * stream.c - write the records of each CPU, in the order of time
 *
 * A tracer stores the event of an interrupt before one that the interrupt found half done. So
 * some events are a little late in the file. A CPU's records wait in a heap for later ones.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "common/memory.h"
#include "common/names.h"
#include "daemon/outdir.h"
#include "import/item.h"
#include "import/stream.h"

/* Records of a CPU that wait: more than interrupts can add in the middle of one. */
#define MAX_WAITING	4096

/* Bytes of a sub-buffer. It has no pads: it is as large as its records. */
#define SUBBUF_SIZE	(64 << 10)

/* Caches of kmalloc() have objects of two pages at most. */
#define CACHE_PAGES	2

/**
 * struct waiting - a record that waits
 * @ev: the record: an event, or struct kmemtrace_lost
 * @arrival: it came as this one
 */
struct waiting {
	struct kmemtrace_event ev;
	uint64_t arrival;
};

/* ---- sub-buffers ---- */

/**
 * streams_reserve - take from the bytes that a trace may have
 * @s: the streams
 * @bytes: how many will be written
 *
 * Return: 0; -E2BIG: there are fewer.
 */
int streams_reserve(struct out_streams *s, uint64_t bytes)
{
	if (bytes > s->room)
		return -E2BIG;
	s->room -= bytes;
	return 0;
}

/* Create the file of a stream. */
static int create_stream(struct out_streams *s, uint32_t cpu)
{
	char name[NAME_MAX_STREAM];
	int fd, ret = streams_reserve(s, BLOCK_SIZE);

	if (ret)
		return ret;
	name_stream(name, cpu, false);
	fd = outdir_create(s->dir, name);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/*
 * Write the records in the buffer. Files are opened to append, one at a time: there may be more
 * CPUs than a process can open.
 */
static int flush_stream(const struct out_streams *s, struct out_stream *st)
{
	char name[NAME_MAX_STREAM];
	int ret;

	name_stream(name, st->cpu, false);
	ret = file_append(s->dir, name, st->buf, st->len);
	st->bytes += st->len;
	st->len = 0;
	return ret;
}

/* Make room in the buffer for @size more bytes. */
static int grow_stream(struct out_stream *st, size_t size)
{
	size_t room = st->size ? st->size : 128;
	unsigned char *buf;

	while (room < st->len + size)
		room *= 2;
	if (room == st->size)
		return 0;
	buf = realloc(st->buf, room);
	if (!buf)
		return -ENOMEM;
	st->buf = buf;
	st->size = room;
	return 0;
}

/* Append a record of @size bytes in all, those behind its fields are 0. */
static int add_record(struct out_streams *s, struct out_stream *st,
		      const struct kmemtrace_event *ev, size_t size)
{
	int ret = streams_reserve(s, size);

	if (!ret)
		ret = grow_stream(st, size);
	if (ret)
		return ret;
	st->last = st->len;
	event_encode(ev, s->order, st->buf + st->len);
	memset(st->buf + st->len + sizeof(*ev), 0, size - sizeof(*ev));
	st->len += size;
	return 0;
}

static int begin_subbuf(struct out_streams *s, struct out_stream *st, int64_t time)
{
	struct kmemtrace_clock clock = {
		.event_id = KMEMTRACE_EVENT_CLOCK,
		.clock = KMEMTRACE_CLOCK_LOCAL,
		.event_size = sizeof(clock),
		.cpu = st->cpu,
		.monotonic = time,
		.sequence = st->sequence++,
		.uncertainty = s->uncertainty,
		.timestamp = time,
	};

	return add_record(s, st, (const struct kmemtrace_event *)&clock, sizeof(clock));
}

/*
 * Append a record of @size bytes in all. A LOST is the second record of its sub-buffer: the CLOCK
 * before it has its time.
 */
static int append_record(struct out_streams *s, struct out_stream *st,
			 struct kmemtrace_event *ev, size_t size)
{
	int ret = 0;

	ev->event_size = size;
	if (st->len + sizeof(struct kmemtrace_clock) + size > SUBBUF_SIZE)
		ret = flush_stream(s, st);
	if (!ret && (!st->len || ev->event_id == KMEMTRACE_EVENT_LOST))
		ret = begin_subbuf(s, st, ev->timestamp);
	return ret ? ret : add_record(s, st, ev, size);
}

/* ---- records ---- */

static bool is_slab_alloc(const struct kmemtrace_event *ev)
{
	return ev->event_id == KMEMTRACE_EVENT_ALLOC &&
	       (ev->type_id == KMEMTRACE_TYPE_KMALLOC || ev->type_id == KMEMTRACE_TYPE_CACHE);
}

/*
 * Some kernels report a large kmalloc() twice, in the function that kmalloc() calls and again
 * in kmalloc(). The second event has the caller. Return whether the last record is the first
 * of the two, which then gets the call site of the second.
 */
static bool is_double(struct out_streams *s, struct out_stream *st,
		      const struct kmemtrace_event *ev)
{
	struct kmemtrace_event last;

	if (ev->event_id != KMEMTRACE_EVENT_ALLOC || ev->type_id != KMEMTRACE_TYPE_KMALLOC ||
	    ev->bytes_alloc <= CACHE_PAGES * s->page_size || !st->len)
		return false;
	event_decode(st->buf + st->last, s->order, &last);
	if (last.event_id != ev->event_id || last.type_id != ev->type_id ||
	    last.ptr != ev->ptr || last.bytes_req != ev->bytes_req)
		return false;
	last.call_site = ev->call_site;
	event_encode(&last, s->order, st->buf + st->last);
	s->doubles++;
	return true;
}

/* A LOST begins no later than its CLOCK. */
static int put_lost_record(struct out_streams *s, struct out_stream *st, struct kmemtrace_event *ev,
			   int64_t since)
{
	struct kmemtrace_lost *lost = (struct kmemtrace_lost *)ev;

	/* A time of 0 says that there was room. */
	if (!ev->timestamp) {
		ev->timestamp = 1;
		st->time = 1;
	}
	lost->since = since ? since : ev->timestamp;
	st->lost += lost->records;
	return append_record(s, st, ev, sizeof(*lost));
}

/* Write the oldest record that waits. */
static int put_waiting(struct out_streams *s, struct out_stream *st, struct kmemtrace_event *ev)
{
	int64_t since = st->time;

	if (ev->timestamp < st->time) {
		ev->timestamp = st->time;
		s->late++;
	}
	st->time = ev->timestamp;
	if (ev->event_id == KMEMTRACE_EVENT_LOST)
		return put_lost_record(s, st, ev, since);
	if (is_double(s, st, ev))
		return 0;
	st->events++;
	return append_record(s, st, ev, is_slab_alloc(ev) ? sizeof(struct kmemtrace_slab_event) :
							    sizeof(*ev));
}

/* ---- the heap of waiting records ---- */

static bool is_before(const struct waiting *a, const struct waiting *b)
{
	if (a->ev.timestamp != b->ev.timestamp)
		return a->ev.timestamp < b->ev.timestamp;
	return a->arrival < b->arrival;
}

/* Insert a record where slot @i became free, or further up. */
static void sift_up(struct out_stream *st, size_t i, const struct waiting *w)
{
	size_t up;

	for (; i; i = up) {
		up = (i - 1) / 2;
		if (!is_before(w, &st->heap[up]))
			break;
		st->heap[i] = st->heap[up];
	}
	st->heap[i] = *w;
}

/* Take the oldest record. */
static struct waiting pop(struct out_stream *st)
{
	struct waiting oldest = st->heap[0], last = st->heap[--st->nr];
	size_t i = 0, down;

	while ((down = 2 * i + 1) < st->nr) {
		if (down + 1 < st->nr && is_before(&st->heap[down + 1], &st->heap[down]))
			down++;
		st->heap[i] = st->heap[down];
		i = down;
	}
	sift_up(st, i, &last);
	return oldest;
}

static int put_oldest(struct out_streams *s, struct out_stream *st)
{
	struct waiting w = pop(st);

	return put_waiting(s, st, &w.ev);
}

static int push(struct out_streams *s, struct out_stream *st, const struct kmemtrace_event *ev)
{
	struct waiting w = { .ev = *ev, .arrival = s->arrivals++ }, *heap;
	int ret = st->nr == MAX_WAITING ? put_oldest(s, st) : 0;

	if (ret)
		return ret;
	heap = grow_list(st->heap, st->nr, sizeof(*heap));
	if (!heap)
		return -ENOMEM;
	st->heap = heap;
	sift_up(st, st->nr++, &w);
	return 0;
}

/* ---- all CPUs ---- */

/* Return the stream of a CPU, or NULL and an error. */
static struct out_stream *stream_of(struct out_streams *s, uint32_t cpu, int *err)
{
	struct out_stream *st;

	*err = cpu >= IMPORT_CPUS ? -EPROTO : 0;
	if (*err || s->by_cpu[cpu])
		return *err ? NULL : s->by_cpu[cpu];
	*err = create_stream(s, cpu);
	st = *err ? NULL : calloc(1, sizeof(*st));
	if (!st) {
		*err = *err ? *err : -ENOMEM;
		return NULL;
	}
	st->cpu = cpu;
	s->by_cpu[cpu] = st;
	return st;
}

/**
 * streams_event - add an event
 * @s: the streams
 * @cpu: its CPU
 * @ev: the event; its size is not set. Events of a CPU come almost in the order of time
 *
 * Return: 0 or -errno.
 */
int streams_event(struct out_streams *s, uint32_t cpu, const struct kmemtrace_event *ev)
{
	struct out_stream *st;
	int ret;

	st = stream_of(s, cpu, &ret);
	return st ? push(s, st, ev) : ret;
}

/**
 * streams_lost - add a place where events are missing
 * @s: the streams
 * @cpu: their CPU
 * @time: of the next event of this CPU
 * @records: how many; 0: nobody knows
 *
 * Return: 0 or -errno.
 */
int streams_lost(struct out_streams *s, uint32_t cpu, int64_t time, uint64_t records)
{
	struct kmemtrace_lost lost = {
		.event_id = KMEMTRACE_EVENT_LOST,
		.cpu = cpu,
		.records = records ? records : 1,
		.timestamp = time,
	};

	if (!records)
		s->is_unsure = 1;
	if (lost.records > ITEM_MAX_LOST)
		return -EPROTO;
	lost.bytes = lost.records * sizeof(struct kmemtrace_event);
	return streams_event(s, cpu, (const struct kmemtrace_event *)&lost);
}

/**
 * streams_lost_all - note how many events of a CPU the tracer lost
 * @s: the streams
 * @cpu: the CPU
 * @records: how many, in addition to those of earlier calls
 *
 * Return: 0 or -errno.
 */
int streams_lost_all(struct out_streams *s, uint32_t cpu, uint64_t records)
{
	struct out_stream *st;
	int ret;

	if (records > ITEM_MAX_LOST)
		return -EPROTO;
	st = stream_of(s, cpu, &ret);
	if (st)
		st->lost_all += records;
	return ret;
}

/**
 * streams_end - write what waits
 * @s: the streams
 *
 * Return: 0 or -errno.
 */
int streams_end(struct out_streams *s)
{
	size_t cpu;
	int ret = 0;

	for (cpu = 0; !ret && cpu < IMPORT_CPUS; cpu++) {
		struct out_stream *st = s->by_cpu[cpu];

		while (!ret && st && st->nr)
			ret = put_oldest(s, st);
		if (!ret && st && st->len)
			ret = flush_stream(s, st);
	}
	return ret;
}

/* Release the streams. */
void streams_free(struct out_streams *s)
{
	size_t cpu;

	for (cpu = 0; cpu < IMPORT_CPUS; cpu++) {
		if (!s->by_cpu[cpu])
			continue;
		free(s->by_cpu[cpu]->heap);
		free(s->by_cpu[cpu]->buf);
		free(s->by_cpu[cpu]);
		s->by_cpu[cpu] = NULL;
	}
}
