// SPDX-License-Identifier: GPL-2.0
/*
 * event.c - decode kmemtrace records of any machine
 */
#include "config.h"

#include <assert.h>
#include <byteswap.h>
#include <stdint.h>
#include <string.h>

#include "read/event.h"

static_assert(sizeof(struct kmemtrace_event) == 56, "ABI version 1");
static_assert(sizeof(struct kmemtrace_pad) == 8, "ABI version 2");

static bool plausible(unsigned int size)
{
	return size >= EVENT_MIN_SIZE && size <= EVENT_MAX_SIZE && size % 8 == 0;
}

static uint16_t raw_size(const void *rec)
{
	uint16_t size;

	memcpy(&size, (const char *)rec +
	       offsetof(struct kmemtrace_event, event_size), sizeof(size));
	return size;
}

/**
 * event_abi - find the ABI version of a stream from its first record
 * @first: the record
 *
 * Return: the lowest version of a stream that begins with this record.
 */
unsigned int event_abi(const struct kmemtrace_event *first)
{
	return first->event_id == KMEMTRACE_EVENT_CLOCK ? 2 : 1;
}

/**
 * event_order - find the byte order of a stream from its first record
 * @rec: EVENT_MIN_SIZE readable bytes; no pad, because no stream begins with one
 *
 * The size of a record is a multiple of 8 between EVENT_MIN_SIZE and EVENT_MAX_SIZE. In
 * the wrong order it is not, except for 0x0808.
 *
 * Return: the order; ORDER_UNKNOWN if the size is possible in neither order, or in both.
 */
enum byte_order event_order(const void *rec)
{
	uint16_t size = raw_size(rec);
	bool native = plausible(size);
	bool swapped = plausible(bswap_16(size));

	if (native == swapped)
		return ORDER_UNKNOWN;
	if (native)
		return ORDER_NATIVE;
	return ORDER_NATIVE == ORDER_LITTLE ? ORDER_BIG : ORDER_LITTLE;
}

/**
 * event_size - read the size of a record
 * @rec: EVENT_PAD_SIZE readable bytes
 * @order: the stream's byte order
 *
 * Return: the size, which may be impossible.
 */
size_t event_size(const void *rec, enum byte_order order)
{
	uint16_t size = raw_size(rec);

	return order == ORDER_NATIVE ? size : bswap_16(size);
}

/**
 * event_size_possible - check the size of a record
 * @rec: the record's first byte
 * @size: from event_size()
 *
 * Return: false if no record has this size; where the next record begins is unknown then.
 */
bool event_size_possible(const void *rec, size_t size)
{
	size_t min = event_is_pad(rec) ? EVENT_PAD_SIZE : EVENT_MIN_SIZE;

	return size >= min && size <= EVENT_MAX_SIZE;
}

/* Return the timestamp of a record of at least EVENT_MIN_SIZE bytes. */
int64_t event_time(const void *rec, enum byte_order order)
{
	uint64_t time;

	memcpy(&time, (const char *)rec +
	       offsetof(struct kmemtrace_event, timestamp), sizeof(time));
	return (int64_t)(order == ORDER_NATIVE ? time : bswap_64(time));
}

static void swap_fields(struct kmemtrace_event *ev)
{
	ev->event_size = bswap_16(ev->event_size);
	ev->node = (int32_t)bswap_32((uint32_t)ev->node);
	ev->call_site = bswap_64(ev->call_site);
	ev->ptr = bswap_64(ev->ptr);
	ev->bytes_req = bswap_64(ev->bytes_req);
	ev->bytes_alloc = bswap_64(ev->bytes_alloc);
	ev->gfp_flags = bswap_64(ev->gfp_flags);
	ev->timestamp = (int64_t)bswap_64((uint64_t)ev->timestamp);
}

/**
 * event_decode - convert a record to this machine's byte order
 * @rec: EVENT_MIN_SIZE readable bytes, at any alignment
 * @order: the stream's byte order
 * @ev: result
 */
void event_decode(const void *rec, enum byte_order order,
		  struct kmemtrace_event *ev)
{
	memcpy(ev, rec, sizeof(*ev));
	if (order != ORDER_NATIVE)
		swap_fields(ev);
}

/**
 * event_encode - convert a record from this machine's byte order
 * @ev: event in this machine's byte order
 * @order: the byte order to write
 * @rec: sizeof(*@ev) writable bytes, at any alignment
 */
void event_encode(const struct kmemtrace_event *ev, enum byte_order order,
		  void *rec)
{
	struct kmemtrace_event copy = *ev;

	if (order != ORDER_NATIVE)
		swap_fields(&copy);
	memcpy(rec, &copy, sizeof(copy));
}

/**
 * event_encode_word - convert a word of a record's tail
 * @value: the word
 * @order: the byte order to write
 * @bytes: 8 writable bytes, at any alignment
 */
void event_encode_word(uint64_t value, enum byte_order order, void *bytes)
{
	if (order != ORDER_NATIVE)
		value = bswap_64(value);
	memcpy(bytes, &value, sizeof(value));
}

/* Return "little", "big" or "unknown", as in the metadata of a trace. */
const char *order_name(enum byte_order order)
{
	static const char * const names[] = {
		[ORDER_UNKNOWN] = "unknown",
		[ORDER_LITTLE] = "little",
		[ORDER_BIG] = "big",
	};

	return names[order];
}
