/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bytes of one CPU's stream that have arrived and were not read yet.
 */
#ifndef KMEMTRACE_QUEUE_H
#define KMEMTRACE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <zstd.h>

#include "common/context.h"

/* Most bytes that may wait in one queue. */
#define QUEUE_MAX	(UINT64_C(512) << 20)

/**
 * struct queue - bytes between their arrival and their reading
 * @arrived: bytes of the uncompressed stream that ever arrived
 * @is_closed: no more will arrive
 * @is_damaged: a compressed frame can't be decompressed, which closed the queue
 * @stored: bytes that arrived, compressed or not
 */
struct queue {
	uint64_t arrived;
	bool is_closed, is_damaged;
	uint64_t stored;

	/* private: the bytes from @begin to @end wait; @zstd: NULL: not compressed */
	unsigned char *bytes;
	size_t begin, end, room;
	ZSTD_DCtx *zstd;
};

int queue_init(struct queue *q, struct context *ctx, bool is_compressed);
int queue_put(struct queue *q, struct context *ctx, const void *bytes, size_t size);
size_t queue_take(struct queue *q, void *buf, size_t size);
void queue_free(struct queue *q);

/* Return the bytes that wait. */
static inline size_t queue_waiting(const struct queue *q)
{
	return q->end - q->begin;
}

#endif /* KMEMTRACE_QUEUE_H */
