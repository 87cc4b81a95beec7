// SPDX-License-Identifier: GPL-2.0
/*
 * columns.c - numbers as varints, compressed by zlib, in base64
 *
 * A number is in groups of seven bits, the lowest first. The upper bit of a byte says that
 * another group follows. Browsers unpack what zlib compresses, but not zstd.
 */
#include "config.h"

#include <string.h>

#include <zlib.h>

#include "common/memory.h"
#include "html/columns.h"

#define MAX_VARINT	10

/* Add a number. */
void columns_add(struct columns *c, uint64_t number)
{
	if (c->nr + MAX_VARINT > c->room) {
		c->room = 2 * c->room + 4096;
		c->bytes = must_realloc(c->bytes, c->room, 1);
	}
	for (; number > 0x7f; number >>= 7)
		c->bytes[c->nr++] = 0x80 | number;
	c->bytes[c->nr++] = number;
}

/* Add a number that may be negative: the lowest bit is the sign. */
void columns_add_signed(struct columns *c, int64_t number)
{
	columns_add(c, number < 0 ? ~((uint64_t)number << 1) : (uint64_t)number << 1);
}

static char *base64(const unsigned char *bytes, size_t nr)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *text = must_calloc((nr + 2) / 3 * 4 + 1, 1), *to = text;
	size_t i;

	for (i = 0; i < nr; i += 3) {
		uint32_t three = bytes[i] << 16 | (i + 1 < nr ? bytes[i + 1] << 8 : 0) |
				 (i + 2 < nr ? bytes[i + 2] : 0);

		*to++ = digits[three >> 18];
		*to++ = digits[three >> 12 & 63];
		*to++ = i + 1 < nr ? digits[three >> 6 & 63] : '=';
		*to++ = i + 2 < nr ? digits[three & 63] : '=';
	}
	return text;
}

/* Append the bytes of @c, and free it. */
static void append_number(struct columns *to, struct columns *c)
{
	to->bytes = must_realloc(to->bytes, to->nr + c->nr + 1, 1);
	if (c->nr)
		memcpy(to->bytes + to->nr, c->bytes, c->nr);
	to->nr += c->nr;
	to->room = to->nr;
	free(c->bytes);
	*c = (struct columns) { .nr = 0 };
}

/* Return @nr columns, one after another, as a text to be freed. Frees the columns. */
char *columns_text(struct columns *list, size_t nr)
{
	struct columns all = { .nr = 0 };
	unsigned char *packed;
	uLongf bytes;
	char *text;
	size_t i;

	for (i = 0; i < nr; i++)
		append_number(&all, &list[i]);
	bytes = compressBound(all.nr);
	packed = must_calloc(bytes, 1);
	if (compress(packed, &bytes, all.bytes, all.nr) != Z_OK)
		out_of_memory();
	text = base64(packed, bytes);
	free(packed);
	free(all.bytes);
	return text;
}
