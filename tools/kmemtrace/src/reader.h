/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stream of one CPU, read record by record from its file.
 */
#ifndef KMEMTRACE_READER_H
#define KMEMTRACE_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"

/**
 * enum reader_fault - why a stream ended before its file did
 * @READER_OK: it did not
 * @READER_TRUNCATED: what is left is shorter than a record says or may be
 * @READER_BAD_SIZE: a record says it is smaller than EVENT_MIN_SIZE or larger
 *	than EVENT_MAX_SIZE; where the next one begins is unknown
 */
enum reader_fault {
	READER_OK,
	READER_TRUNCATED,
	READER_BAD_SIZE,
};

/**
 * struct reader - a position in one CPU's stream
 * @ev: the current record, in this machine's byte order
 * @offset: where in the file @ev stands
 * @fault: what ended the stream
 * @file_size: bytes of the file when it was opened
 * @order: byte order, ORDER_UNKNOWN while nothing was read
 * @cpu: number of the CPU
 * @index: for the owner
 * @path: name for messages
 */
struct reader {
	const struct kmemtrace_event *ev;
	uint64_t offset;
	uint64_t file_size;
	enum reader_fault fault;
	enum byte_order order;
	unsigned int cpu, index;
	char *path;

	/* private: */
	struct kmemtrace_event decoded;
	unsigned char *buf;
	size_t buf_size, pos, end, ev_size;
	int fd;
};

int reader_open(struct reader *r, const char *path, unsigned int cpu,
		enum byte_order order, size_t buf_size);
int reader_next(struct reader *r);
bool reader_peek_time(struct reader *r, unsigned int ahead, int64_t *time);
uint64_t reader_peek_ptr(const struct reader *r, unsigned int ahead);
void reader_close(struct reader *r);

#endif /* KMEMTRACE_READER_H */
