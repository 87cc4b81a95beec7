// SPDX-License-Identifier: GPL-2.0
/*
 * stream.c - read the stream of one CPU record by record
 *
 * Each length is checked against the bytes that remain.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ktrace/stream.h"

/* ---- the buffer ---- */

/* Move the rest to the front of the buffer and read more behind it. Return 0 or -errno. */
static int refill_buffer(struct kstream *s)
{
	size_t left = s->end - s->pos;
	ssize_t n;

	memmove(s->buf, s->buf + s->pos, left);
	s->pos = 0;
	s->end = left;
	n = input_read(&s->in, s->buf + left, s->room - left, s->offset + left);
	if (n < 0) {
		context_say(s->ctx, "%s: read: %s", s->path, strerror(-n));
		return context_fail(s->ctx, n);
	}
	s->end += n;
	return 0;
}

/*
 * Have @size bytes in the buffer, up to RECORD_MAX_KEPT, or all that are left. Return 0 or
 * -errno.
 */
static int have(struct kstream *s, size_t size)
{
	if (size > RECORD_MAX_KEPT)
		size = RECORD_MAX_KEPT;
	return s->end - s->pos >= size ? 0 : refill_buffer(s);
}

/* Go behind the current record, which may have more bytes than the buffer. Return 0 or -errno. */
static int skip_current(struct kstream *s)
{
	size_t part;
	int ret = 0;

	for (; s->size; s->size -= part) {
		if (s->pos == s->end)
			ret = refill_buffer(s);
		part = s->end - s->pos < s->size ? s->end - s->pos : s->size;
		/* The file has become shorter, or is damaged there. */
		if (!part)
			break;
		s->pos += part;
		s->offset += part;
	}
	return ret;
}

/**
 * kstream_open - open the stream of one CPU
 * @s: result; kstream_close() it also after an error
 * @ctx: the context of the trace
 * @files: where the stream is
 * @name: name of its file
 * @cpu: number of the CPU
 * @room: bytes to read at a time, RECORD_MAX_KEPT or more
 * @decoder: decompresses; NULL: the stream has its own
 *
 * The owner sets @s->order and @s->maps before the first record.
 *
 * Return: 0, or -errno after a message.
 */
int kstream_open(struct kstream *s, struct context *ctx, struct files *files, const char *name,
		 unsigned int cpu, size_t room, struct decoder *decoder)
{
	int ret;

	*s = (struct kstream) { .ctx = ctx, .cpu = cpu };
	s->path = files_label_of(files, name);
	if (!s->path)
		return context_fail(ctx, -ENOMEM);
	ret = input_open(&s->in, ctx, files, name, decoder);
	if (ret == -ENOENT)
		context_say(ctx, "%s: open: %s", s->path, strerror(-ret));
	if (ret)
		return ret;
	s->room = s->in.size < room ? s->in.size : room;
	s->buf = context_realloc(ctx, NULL, 1, s->room + 1);
	return s->buf ? 0 : -ENOMEM;
}

/* Undo kstream_open(), also after an error; do nothing if @s is zeroed. */
void kstream_close(struct kstream *s)
{
	input_close(&s->in);
	free(s->path);
	free(s->buf);
}

/* Return whether a clock is possible in the stream. */
static bool is_ours(const struct kstream *s, const struct ktrace_clock *clock)
{
	return clock->cpu == s->cpu && clock->clock < TIMEMAP_CLOCKS;
}

/**
 * kstream_find_order - find the byte order of a stream
 * @s: an open stream, before its first record
 *
 * Return: the order; ORDER_UNKNOWN if the stream doesn't begin with a clock of its CPU, or can't
 * be read.
 */
enum byte_order kstream_find_order(struct kstream *s)
{
	enum byte_order order;
	struct ktrace_clock clock;

	if (have(s, RECORD_CLOCK_SIZE) || s->end < RECORD_HEAD_SIZE)
		return ORDER_UNKNOWN;
	order = record_order(s->buf);
	if (order == ORDER_UNKNOWN || s->end < RECORD_CLOCK_SIZE)
		return order;
	clock = record_clock(s->buf, order);
	return is_ours(s, &clock) ? order : ORDER_UNKNOWN;
}

/* ---- records ---- */

static int end_at_fault(struct kstream *s, enum stream_fault fault)
{
	s->fault = fault;
	if (fault == STREAM_OK || fault == STREAM_TRUNCATED) {
		if (s->in.fault == INPUT_CUT)
			s->fault = STREAM_CUT;
		else if (s->in.fault == INPUT_DAMAGED)
			s->fault = STREAM_DAMAGED;
	}
	s->size = 0;
	return 0;
}

/* Take over a time that increases. */
static void advance_time(struct kstream *s, int64_t time)
{
	uint64_t back = (uint64_t)s->time - (uint64_t)time;

	if (s->maps && s->has_time && time < s->time) {
		/* A better clock may replace one that was uncertain. */
		s->backwards += back > s->clock.uncertainty && back > s->clock.error;
		return;
	}
	s->time = time;
	s->has_time = true;
}

/* Convert a timestamp of the last clock. */
static int64_t ns_of_timestamp(struct kstream *s, uint64_t timestamp)
{
	const struct timemap *map = s->maps ? &s->maps->of[s->clock.clock] : NULL;

	return map && map->nr ? timemap_ns(map, &s->hint, timestamp) : (int64_t)timestamp;
}

static int take_ktrace_clock(struct kstream *s, const unsigned char *rec)
{
	struct ktrace_clock clock;

	if (s->size < RECORD_CLOCK_SIZE)
		return end_at_fault(s, STREAM_BAD_SIZE);
	clock = record_clock(rec, s->order);
	if (!is_ours(s, &clock))
		return end_at_fault(s, STREAM_BAD_CLOCK);
	s->clock = clock;
	s->has_clock = true;
	s->gap = account_clock(&s->account, &clock);
	advance_time(s, ns_of_timestamp(s, clock.timestamp));
	return 1;
}

static int take_krecord(struct kstream *s, const struct ktrace_head *head)
{
	const unsigned char *rec = s->buf + s->pos;

	s->id = head->id;
	s->args = rec + RECORD_HEAD_SIZE;
	s->gap = (struct gap) { .events = 0 };
	if (s->id == KTRACE_ID_CLOCK)
		return take_ktrace_clock(s, rec);
	if (!s->has_clock)
		return end_at_fault(s, STREAM_NO_CLOCK);
	if (s->id >= KTRACE_ID_FIRST) {
		account_event(&s->account);
		advance_time(s, ns_of_timestamp(s, s->clock.timestamp + head->delta));
	}
	return 1;
}

/* Go to the next record, which may be a pad. Return 1, 0 at the end, or -errno. */
static int next_any(struct kstream *s)
{
	struct ktrace_head head;
	int ret = skip_current(s);

	if (!ret && s->size)
		return end_at_fault(s, STREAM_TRUNCATED);
	if (!ret)
		ret = have(s, RECORD_HEAD_SIZE);
	if (ret)
		return ret;
	if (s->pos == s->end)
		return end_at_fault(s, s->offset == s->in.size ? STREAM_OK : STREAM_TRUNCATED);
	if (s->end - s->pos < RECORD_HEAD_SIZE)
		return end_at_fault(s, STREAM_TRUNCATED);
	head = record_head(s->buf + s->pos, s->order);
	if (head.size < RECORD_HEAD_SIZE || head.size % 8)
		return end_at_fault(s, STREAM_BAD_SIZE);
	ret = have(s, head.size);
	if (ret)
		return ret;
	if (s->in.size - s->offset < head.size ||
	    (s->end - s->pos < head.size && s->end - s->pos < RECORD_MAX_KEPT))
		return end_at_fault(s, STREAM_TRUNCATED);
	s->size = head.size;
	s->id = head.id;
	return head.id == KTRACE_ID_PAD ? 1 : take_krecord(s, &head);
}

/**
 * kstream_next - go to the next record that is no pad
 * @s: an open stream
 *
 * Return: 1 with a clock, an event, or a record of an unknown type; 0 at the end, where
 * @s->fault says whether all of the file was read and @s->offset where reading stopped; -errno
 * after a message.
 */
int kstream_next(struct kstream *s)
{
	int ret;

	do
		ret = next_any(s);
	while (ret > 0 && s->id == KTRACE_ID_PAD);
	return ret;
}
