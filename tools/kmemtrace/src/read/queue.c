// SPDX-License-Identifier: GPL-2.0
/*
 * queue.c - the bytes of a stream between their arrival and their reading
 *
 * A compressed stream is decompressed when it arrives, frame by frame. Bytes are read
 * before the checksum at the end of their frame was verified.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/seekable.h"
#include "read/queue.h"

/* Bytes to decompress at a time. */
#define CHUNK	(128 * 1024)

/**
 * queue_init - make an empty queue
 * @q: result; queue_free() it also after an error
 * @ctx: the context of the trace
 * @is_compressed: the stream is compressed
 *
 * Return: 0 or -errno.
 */
int queue_init(struct queue *q, struct context *ctx, bool is_compressed)
{
	*q = (struct queue) { .arrived = 0 };
	if (!is_compressed)
		return 0;
	q->zstd = ZSTD_createDCtx();
	if (!q->zstd)
		return context_fail(ctx, -ENOMEM);
	ZSTD_DCtx_setParameter(q->zstd, ZSTD_d_windowLogMax, SEEKABLE_MAX_LOG);
	return 0;
}

/* Return room for @size more bytes behind those that wait; NULL: no memory, or too many. */
static void *make_room(struct queue *q, struct context *ctx, size_t size)
{
	size_t waiting = queue_waiting(q), room = q->room;
	unsigned char *bytes;

	if (waiting + size > QUEUE_MAX) {
		context_fail(ctx, -EFBIG);
		return NULL;
	}
	if (q->begin) {
		memmove(q->bytes, q->bytes + q->begin, waiting);
		q->begin = 0;
		q->end = waiting;
	}
	while (room < waiting + size)
		room = room ? 2 * room : CHUNK;
	if (room > q->room) {
		bytes = context_realloc(ctx, q->bytes, 1, room);
		if (!bytes)
			return NULL;
		q->bytes = bytes;
		q->room = room;
	}
	return q->bytes + q->end;
}

static void *room_for(struct queue *q, struct context *ctx, size_t size)
{
	return q->room - q->end >= size && q->bytes ? q->bytes + q->end :
						      make_room(q, ctx, size);
}

static void add(struct queue *q, size_t size)
{
	q->end += size;
	q->arrived += size;
}

static int decompress(struct queue *q, struct context *ctx, const void *bytes, size_t size)
{
	ZSTD_inBuffer from = { bytes, size, 0 };
	ZSTD_outBuffer to;

	do {
		to = (ZSTD_outBuffer) { room_for(q, ctx, CHUNK), CHUNK, 0 };
		if (!to.dst)
			return context_error(ctx);
		if (ZSTD_isError(ZSTD_decompressStream(q->zstd, &to, &from))) {
			q->is_damaged = true;
			q->is_closed = true;
			return 0;
		}
		add(q, to.pos);
	} while (from.pos < from.size || to.pos == to.size);
	return 0;
}

/**
 * queue_put - add bytes that arrived
 * @q: the queue; nothing is added once it is closed
 * @ctx: the context of the trace
 * @bytes: the bytes, as they are in the file
 * @size: how many
 *
 * Return: 0 or -errno. -EFBIG: more than QUEUE_MAX would wait.
 */
int queue_put(struct queue *q, struct context *ctx, const void *bytes, size_t size)
{
	void *room;

	if (q->is_closed || !size)
		return 0;
	q->stored += size;
	if (q->zstd)
		return decompress(q, ctx, bytes, size);
	room = room_for(q, ctx, size);
	if (!room)
		return context_error(ctx);
	memcpy(room, bytes, size);
	add(q, size);
	return 0;
}

/* Take up to @size of the bytes that wait. Return how many. */
size_t queue_take(struct queue *q, void *buf, size_t size)
{
	if (size > queue_waiting(q))
		size = queue_waiting(q);
	if (size)
		memcpy(buf, q->bytes + q->begin, size);
	q->begin += size;
	if (q->begin == q->end) {
		q->begin = 0;
		q->end = 0;
	}
	return size;
}

void queue_free(struct queue *q)
{
	ZSTD_freeDCtx(q->zstd);
	free(q->bytes);
	*q = (struct queue) { .arrived = 0 };
}
