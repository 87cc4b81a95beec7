/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stream of one CPU, read record by record from its file.
 */
#ifndef KMEMTRACE_READER_H
#define KMEMTRACE_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "input.h"
#include "timemap.h"

/**
 * enum reader_fault - why a stream ended before its file did
 * @READER_OK: it did not
 * @READER_TRUNCATED: what is left is shorter than a record says or may be
 * @READER_BAD_SIZE: a record says it is smaller than it may be, or larger than
 *	EVENT_MAX_SIZE; where the next one begins is unknown
 * @READER_CUT: the compressed file is not whole
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
 * @rec: the current record; its @rec.ev is NULL before the first and at the end
 * @offset: where in the file @rec stands
 * @fault: what ended the stream
 * @pads: bytes of the pads so far
 * @in: its file
 * @order: byte order, ORDER_UNKNOWN while nothing was read
 * @cpu: number of the CPU
 * @index: for the owner
 * @maps: make nanoseconds of CLOCK_MONOTONIC of timestamps; NULL: they stay as they
 *	are. To be set between reader_open() and the first record
 * @path: name for messages
 */
struct reader {
	struct record rec;
	uint64_t offset;
	uint64_t pads;
	struct input in;
	enum reader_fault fault;
	enum byte_order order;
	unsigned int cpu, index;
	const struct timemaps *maps;
	char *path;

	/* private: */
	const struct timemap *map, *first_map;
	int64_t before_change;
	struct kmemtrace_event decoded;
	unsigned char *buf;
	size_t buf_size, pos, end, size;
	size_t peek;
	unsigned int ahead;
	size_t hint;
};

int reader_open(struct reader *r, const char *path, unsigned int cpu,
		enum byte_order order, size_t buf_size);
void reader_rename(struct reader *r, const char *name);
int reader_next(struct reader *r);
int reader_next_any(struct reader *r);
bool reader_peek_time(struct reader *r, unsigned int ahead, int64_t *time);
uint64_t reader_peek_ptr(struct reader *r, unsigned int ahead);
void reader_close(struct reader *r);

#endif /* KMEMTRACE_READER_H */
