/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decoding of ktrace records: the only place here that knows byte orders.
 */
#ifndef KTRACE_RECORD_H
#define KTRACE_RECORD_H

#include <byteswap.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "linux/ktrace.h"
#include "read/event.h"

#define RECORD_HEAD_SIZE	sizeof(struct ktrace_head)
#define RECORD_CLOCK_SIZE	sizeof(struct ktrace_clock)

/*
 * Bytes of a record that are kept: the kernel's records have fewer, 10 arguments of 64 bytes at
 * most. The rest of a longer one is skipped.
 */
#define RECORD_MAX_KEPT		1024

/* Read 4 or 8 bytes at any alignment. */
static inline uint64_t record_load(const void *bytes, size_t size, enum byte_order order)
{
	uint64_t v64;
	uint32_t v32;

	if (size == sizeof(v32)) {
		memcpy(&v32, bytes, sizeof(v32));
		return order == ORDER_NATIVE ? v32 : bswap_32(v32);
	}
	memcpy(&v64, bytes, sizeof(v64));
	return order == ORDER_NATIVE ? v64 : bswap_64(v64);
}

enum byte_order record_order(const void *clock);
struct ktrace_head record_head(const void *rec, enum byte_order order);
struct ktrace_clock record_clock(const void *rec, enum byte_order order);
void record_encode_head(const struct ktrace_head *head, enum byte_order order, void *rec);
void record_encode_clock(const struct ktrace_clock *clock, enum byte_order order, void *rec);

#endif /* KTRACE_RECORD_H */
