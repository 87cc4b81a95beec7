/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decoding of kmemtrace records: the only place that knows byte orders.
 */
#ifndef KMEMTRACE_EVENT_H
#define KMEMTRACE_EVENT_H

#include <byteswap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/abi.h"
#include "linux/kmemtrace.h"

enum byte_order {
	ORDER_UNKNOWN,
	ORDER_LITTLE,
	ORDER_BIG,
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	ORDER_NATIVE = ORDER_LITTLE,
#else
	ORDER_NATIVE = ORDER_BIG,
#endif
};

/* The interfaces of slab objects, a bit for each. */
#define EVENT_SLAB_TYPES	(1U << KMEMTRACE_TYPE_KMALLOC | 1U << KMEMTRACE_TYPE_CACHE)

/**
 * struct record - one record of a stream, other than a pad
 * @ev: its first EVENT_MIN_SIZE bytes in this machine's byte order. The fields of all
 *	records have the same widths, so it may be cast to the structure of @ev->event_id
 * @time: nanoseconds; @ev->timestamp may have another unit
 * @tail: the bytes behind @ev, as they are in the file, at any alignment
 * @tail_size: how many
 * @order: byte order of @tail
 */
struct record {
	const struct kmemtrace_event *ev;
	int64_t time;
	const unsigned char *tail;
	size_t tail_size;
	enum byte_order order;
};

/**
 * record_word - read a word of a record's tail
 * @rec: the record
 * @i: number of the word, from 0
 *
 * Return: the word in this machine's byte order; 0 where the tail is too short.
 */
static inline uint64_t record_word(const struct record *rec, size_t i)
{
	uint64_t word;

	if (i >= rec->tail_size / sizeof(word))
		return 0;
	memcpy(&word, rec->tail + i * sizeof(word), sizeof(word));
	return rec->order == ORDER_NATIVE ? word : bswap_64(word);
}

/* Return whether a record, of at least one byte, is a pad. */
static inline bool event_is_pad(const void *rec)
{
	return *(const unsigned char *)rec == KMEMTRACE_EVENT_PAD;
}

unsigned int event_abi(const struct kmemtrace_event *first);
enum byte_order event_order(const void *rec);
size_t event_size(const void *rec, enum byte_order order);
int64_t event_time(const void *rec, enum byte_order order);
bool event_size_possible(const void *rec, size_t size);
void event_decode(const void *rec, enum byte_order order,
		  struct kmemtrace_event *ev);
void event_encode(const struct kmemtrace_event *ev, enum byte_order order,
		  void *rec);
void event_encode_word(uint64_t value, enum byte_order order, void *bytes);
const char *order_name(enum byte_order order);

#endif /* KMEMTRACE_EVENT_H */
