/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stream of one CPU, read record by record from its file.
 */
#ifndef KMEMTRACE_READER_H
#define KMEMTRACE_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/bits.h"
#include "read/event.h"
#include "read/fetcher.h"
#include "read/input.h"
#include "read/timemap.h"

/* Bytes of the smallest buffer of a stream that is merged. */
#define READER_MIN_BUFFER	(4 * EVENT_MAX_SIZE)

/**
 * enum reader_fault - why a stream ended before its file did
 * @READER_OK: it did not
 * @READER_TRUNCATED: the rest of the file is shorter than its record, or the file became
 *	shorter while it was read
 * @READER_BAD_SIZE: no record has this size; where the next one begins is unknown
 * @READER_CUT: the compressed file is incomplete
 * @READER_DAMAGED: the compressed file is damaged
 */
enum reader_fault {
	READER_OK,
	READER_TRUNCATED,
	READER_BAD_SIZE,
	READER_CUT,
	READER_DAMAGED,
};

/**
 * struct reader - a position in one CPU's stream
 * @ctx: the context of the trace
 * @rec: the current record; its @rec.ev is NULL before the first and at the end
 * @fault: what ended the stream
 * @pads: bytes of the pads so far
 * @in: the file
 * @order: byte order; ORDER_UNKNOWN: the stream has no record
 * @rejected: records that were skipped: @maps has bounds, and their times are not within them
 * @events: allocations, frees and failures; the user counts them
 * @cpu: number of the CPU
 * @index: for the owner
 * @ahead: for the user: what was prefetched for the current record; NULL for a new one
 * @variant: for the user: which variant of the record @ahead is for
 * @maps: convert timestamps to nanoseconds of CLOCK_MONOTONIC; NULL: timestamps stay as
 *	they are. Set it between reader_open() and the first record
 * @path: what messages call the file
 * @growing: @maps, which gets the clocks of the stream as they are read; NULL: it doesn't
 * @reached: after -EAGAIN: no record before this time follows, as far as this stream says
 */
struct reader {
	struct context *ctx;
	struct record rec;
	uint64_t pads, rejected;
	struct input in;
	enum reader_fault fault;
	enum byte_order order;
	uint64_t events;
	unsigned int cpu, index;
	const void *ahead;
	uint64_t variant;
	const struct timemaps *maps;
	char *path;
	struct timemaps *growing;
	int64_t reached;

	/* private: */
	bool is_arriving, may_grow;
	const struct timemap *map, *first_map;
	int64_t before_change;
	struct timespan span;
	struct kmemtrace_event decoded;
	/*
	 * @memory: of the buffer @buf; @begin: where in the stream @buf begins; @at, @next: the
	 * current record and its end
	 */
	unsigned char *memory, *buf;
	size_t buf_size, end;
	uint64_t begin;
	const unsigned char *at, *next, *quick_end;
	size_t hint;
	int error;
	/*
	 * @fetcher: the next @blocks are read by it; NULL: nobody reads ahead. @size: bytes of a
	 * block; @offset: where in the stream the next one begins
	 */
	struct fetcher *fetcher;
	struct reader_blocks {
		struct fetch fetch;
		struct input *in;
		size_t size;
		uint64_t offset;
		struct reader_block {
			unsigned char *memory;
			uint64_t offset;
			ssize_t len;
		} list[FETCH_BLOCKS];
	} blocks;
};

int reader_open(struct reader *r, struct context *ctx, struct files *files,
		const char *name, unsigned int cpu, enum byte_order order,
		size_t buf_size);
int reader_open_shared(struct reader *r, struct context *ctx, struct files *files,
		       const char *name, unsigned int cpu, enum byte_order order,
		       size_t buf_size, struct decoder *decoder);
int reader_open_arriving(struct reader *r, struct context *ctx, struct files *files,
			 const char *name, unsigned int cpu, enum byte_order order,
			 struct decoder *decoder);
void reader_read_ahead(struct reader *r, struct fetcher *fetcher, size_t block);
void reader_stop_ahead(struct reader *r);
int reader_update(struct reader *r, bool grows);
int reader_rewind(struct reader *r);
int reader_next_slow(struct reader *r);
int reader_next_any(struct reader *r);
bool reader_peek_time(struct reader *r, unsigned int ahead, int64_t *time);
void reader_close(struct reader *r);

/* Return where in the stream the current record begins; at the end, where reading stopped. */
static inline uint64_t reader_offset(const struct reader *r)
{
	return r->begin + (uint64_t)(r->at - r->buf);
}

/* Return where in the stream the current record ends. */
static inline uint64_t reader_end(const struct reader *r)
{
	return r->begin + (uint64_t)(r->next - r->buf);
}

/* Return whether a record can be read where it is in the buffer. */
static inline bool reader_is_aligned(const unsigned char *rec)
{
	return (uintptr_t)rec % _Alignof(struct kmemtrace_event) == 0;
}

/**
 * reader_peek_quick - look at the next record in the usual case
 * @r: an open reader
 * @time: result: its time
 *
 * Return: false if the record is no allocation or free, is near the end of the buffer, or is
 * in another span of the clock than the last one.
 */
static ALWAYS_INLINE bool reader_peek_quick(const struct reader *r, int64_t *time)
{
	const struct kmemtrace_event *ev = (const void *)r->next;
	size_t size;

	if (r->next >= r->quick_end || !reader_is_aligned(r->next) ||
	    (unsigned int)ev->event_id - KMEMTRACE_EVENT_ALLOC >
	    KMEMTRACE_EVENT_FREE - KMEMTRACE_EVENT_ALLOC)
		return false;
	size = ev->event_size;
	if (size - EVENT_MIN_SIZE > EVENT_MAX_SIZE - EVENT_MIN_SIZE ||
	    !timespan_has(&r->span, ev->timestamp))
		return false;
	*time = timespan_ns(&r->span, ev->timestamp);
	return true;
}

/*
 * Go to the record that reader_peek_quick() found, which is at @time. It begins at @r->at;
 * reader_complete() sets the rest of @r->rec.
 */
static ALWAYS_INLINE void reader_go_on(struct reader *r, int64_t time)
{
	r->at = r->next;
	r->next += ((const struct kmemtrace_event *)r->at)->event_size;
	r->ahead = NULL;
	r->rec.time = time;
}

/* Set @r->rec to the current record, if reader_go_on() didn't. */
static inline void reader_complete(struct reader *r)
{
	if (r->order != ORDER_NATIVE || !reader_is_aligned(r->at))
		return;
	r->rec.ev = (const struct kmemtrace_event *)r->at;
	r->rec.tail = r->at + EVENT_MIN_SIZE;
	r->rec.tail_size = (size_t)(r->next - r->at) - EVENT_MIN_SIZE;
}

/**
 * reader_next - go to the next record
 * @r: an open reader
 *
 * Sets @r->rec, skips pads. At the end @r->fault says whether all of the file was read.
 *
 * Return: 1 with a record; 0 at the end; -errno after a message. Each later call returns
 * the same error. -EAGAIN, without a message: the next record has not arrived.
 */
static inline int reader_next(struct reader *r)
{
	int64_t time;

	if (!reader_peek_quick(r, &time))
		return reader_next_slow(r);
	reader_go_on(r, time);
	reader_complete(r);
	return 1;
}

#endif /* KMEMTRACE_READER_H */
