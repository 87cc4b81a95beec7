/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A part of a file in memory, which is read from its beginning. Reading behind its end returns
 * zeros and sets @is_short, so that a caller can check once for several fields.
 */
#ifndef IMPORT_SPAN_H
#define IMPORT_SPAN_H

#include <byteswap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "read/event.h"

/**
 * struct span - what is left of a part of a file
 * @file: the beginning of the file
 * @at: the next byte
 * @size: bytes that are left
 * @order: byte order of its numbers
 * @is_short: more was read than there was
 */
struct span {
	const unsigned char *file, *at;
	uint64_t size;
	enum byte_order order;
	bool is_short;
};

/* Return where in the file the next byte is. */
static inline uint64_t span_offset(const struct span *s)
{
	return s->at - s->file;
}

/* Take the next bytes. Return them, or NULL where there are fewer. */
static inline const void *span_take(struct span *s, uint64_t size)
{
	const void *at = s->at;

	if (size > s->size) {
		s->is_short = true;
		s->at += s->size;
		s->size = 0;
		return NULL;
	}
	s->at += size;
	s->size -= size;
	return at;
}

/* Take the next bytes as a span of their own; one that is short where there are fewer. */
static inline struct span span_part(struct span *s, uint64_t size)
{
	struct span part = *s;

	if (!span_take(s, size)) {
		part.is_short = true;
		size = part.size;
	}
	part.size = size;
	return part;
}

static inline uint8_t span_u8(struct span *s)
{
	const uint8_t *at = span_take(s, 1);

	return at ? *at : 0;
}

static inline uint16_t span_u16(struct span *s)
{
	const void *at = span_take(s, sizeof(uint16_t));
	uint16_t value = 0;

	if (at)
		memcpy(&value, at, sizeof(value));
	return s->order == ORDER_NATIVE ? value : bswap_16(value);
}

static inline uint32_t span_u32(struct span *s)
{
	const void *at = span_take(s, sizeof(uint32_t));
	uint32_t value = 0;

	if (at)
		memcpy(&value, at, sizeof(value));
	return s->order == ORDER_NATIVE ? value : bswap_32(value);
}

static inline uint64_t span_u64(struct span *s)
{
	const void *at = span_take(s, sizeof(uint64_t));
	uint64_t value = 0;

	if (at)
		memcpy(&value, at, sizeof(value));
	return s->order == ORDER_NATIVE ? value : bswap_64(value);
}

/* Take a text, which a 0 ends. Return it, or NULL. */
static inline const char *span_text(struct span *s)
{
	const unsigned char *end = s->size ? memchr(s->at, 0, s->size) : NULL;

	return span_take(s, end ? (uint64_t)(end - s->at) + 1 : UINT64_MAX);
}

/* Take a text of @size bytes, zeros at its end included. Return it, or NULL. */
static inline const char *span_text_of(struct span *s, uint64_t size)
{
	const char *text = span_take(s, size);

	return text && memchr(text, 0, size) ? text : NULL;
}

#endif /* IMPORT_SPAN_H */
