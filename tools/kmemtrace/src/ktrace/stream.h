/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stream of one CPU, read record by record from its file.
 */
#ifndef KTRACE_STREAM_H
#define KTRACE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "ktrace/account.h"
#include "ktrace/record.h"
#include "read/input.h"
#include "read/timemap.h"

/**
 * enum stream_fault - why a stream ended before its file did
 * @STREAM_OK: it did not
 * @STREAM_TRUNCATED: the rest of the file is shorter than its record
 * @STREAM_BAD_SIZE: no record has this size; where the next one begins is unknown
 * @STREAM_NO_CLOCK: the first record is no clock
 * @STREAM_BAD_CLOCK: a clock of another CPU, or of an unknown unit
 * @STREAM_CUT: the compressed file is incomplete
 * @STREAM_DAMAGED: the compressed file is damaged
 */
enum stream_fault {
	STREAM_OK,
	STREAM_TRUNCATED,
	STREAM_BAD_SIZE,
	STREAM_NO_CLOCK,
	STREAM_BAD_CLOCK,
	STREAM_CUT,
	STREAM_DAMAGED,
};

/**
 * struct kstream - a position in one CPU's stream
 * @ctx: the context of the trace
 * @id: id of the current record, which is no pad
 * @size: bytes of the current record
 * @args: its bytes behind the head, up to RECORD_MAX_KEPT
 * @offset: where in the stream it begins
 * @time: its time: nanoseconds of CLOCK_MONOTONIC with @maps, else units of @clock. With
 *	@maps it does not decrease
 * @clock: the last clock
 * @account: the events so far, the current one included
 * @gap: events that are missing before the current record, if it is a clock
 * @backwards: records whose time was before that of the record before
 * @fault: what ended the stream
 * @in: the file
 * @order: byte order
 * @cpu: number of the CPU
 * @index: for the owner
 * @maps: convert timestamps; NULL: timestamps stay as they are. Set it before the first record
 * @path: what messages call the file
 */
struct kstream {
	struct context *ctx;
	uint16_t id;
	size_t size;
	const unsigned char *args;
	uint64_t offset;
	int64_t time;
	struct ktrace_clock clock;
	struct account account;
	struct gap gap;
	uint64_t backwards;
	enum stream_fault fault;
	struct input in;
	enum byte_order order;
	unsigned int cpu;
	size_t index;
	const struct timemaps *maps;
	char *path;

	/* private: */
	bool has_clock, has_time;
	size_t hint;
	unsigned char *buf;
	size_t room, pos, end;
};

/* Return how many bytes of the current record behind its head were kept. */
static inline size_t kstream_args_size(const struct kstream *s)
{
	return (s->size < RECORD_MAX_KEPT ? s->size : RECORD_MAX_KEPT) - RECORD_HEAD_SIZE;
}

int kstream_open(struct kstream *s, struct context *ctx, struct files *files, const char *name,
		 unsigned int cpu, size_t room, struct decoder *decoder);
enum byte_order kstream_find_order(struct kstream *s);
int kstream_next(struct kstream *s);
void kstream_close(struct kstream *s);

#endif /* KTRACE_STREAM_H */
