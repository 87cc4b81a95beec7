/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A buffer that grows.
 */
#ifndef KMEMTRACE_BYTES_H
#define KMEMTRACE_BYTES_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/memory.h"

/**
 * struct bytes - a buffer; zeroed memory is an empty one; free() @at
 * @at: the bytes
 * @len: how many
 * @room: bytes that @at has room for
 */
struct bytes {
	unsigned char *at;
	size_t len, room;
};

/* Return a place for @len more bytes at the end. */
static inline unsigned char *bytes_extend(struct bytes *b, size_t len)
{
	if (b->room - b->len < len) {
		b->room = 2 * (b->len + len);
		b->at = must_realloc(b->at, b->room, 1);
	}
	b->len += len;
	return b->at + b->len - len;
}

static inline void bytes_add(struct bytes *b, const void *from, size_t len)
{
	if (len)
		memcpy(bytes_extend(b, len), from, len);
}

static inline void bytes_add_u8(struct bytes *b, uint8_t n)
{
	*bytes_extend(b, 1) = n;
}

/* Add a number in as many bytes as it needs, 7 bits in each. */
static inline void bytes_add_varint(struct bytes *b, uint64_t n)
{
	for (; n > 0x7f; n >>= 7)
		bytes_add_u8(b, n | 0x80);
	bytes_add_u8(b, n);
}

/* Add the lower @size bytes of a number, the lowest first. */
static inline void bytes_add_le(struct bytes *b, uint64_t n, size_t size)
{
	uint64_t le = htole64(n);

	bytes_add(b, &le, size);
}

#endif /* KMEMTRACE_BYTES_H */
