// SPDX-License-Identifier: GPL-2.0
/*
 * utf8.c - characters of UTF-8, and their escape sequences in JSON
 */
#include "config.h"

#include <inttypes.h>
#include <stdint.h>

#include "common/utf8.h"

/* Return how many bytes follow the first byte of a character; -1: it is not a first byte. */
static int nr_behind(unsigned char first)
{
	if (first < 0x80)
		return 0;
	if (first < 0xc2 || first > 0xf4)
		return -1;
	return 1 + (first >= 0xe0) + (first >= 0xf0);
}

/* Return the bytes of the UTF-8 character at @text, which a byte of 0 ends; 0: there is none. */
size_t utf8_length(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	int i, n = nr_behind(*c);

	for (i = 1; i <= n; i++)
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	/* Refuse overlong forms, surrogates, and what is beyond the last character. */
	if (n < 0 || (*c == 0xe0 && c[1] < 0xa0) || (*c == 0xed && c[1] > 0x9f) ||
	    (*c == 0xf0 && c[1] < 0x90) || (*c == 0xf4 && c[1] > 0x8f))
		return 0;
	return n + 1;
}

/* Return the number of the UTF-8 character at @text, which is one. */
uint32_t utf8_code(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	int i, n = nr_behind(*c);
	uint32_t code = n ? *c & (0x3f >> n) : *c;

	for (i = 1; i <= n; i++)
		code = code << 6 | (c[i] & 0x3f);
	return code;
}

/* Return how many bytes at the end of a text begin a character that needs more of them. */
size_t utf8_cut(const char *text, size_t size)
{
	int n;

	for (n = 1; n < UTF8_MAX && (size_t)n <= size; n++)
		if ((text[size - n] & 0xc0) != 0x80)
			return nr_behind(text[size - n]) >= n ? n : 0;
	return 0;
}

/* Print the character at @text as an escape sequence of JSON. Return its bytes. */
size_t utf8_print_escaped(const char *text, FILE *out)
{
	uint32_t code = utf8_code(text);

	if (code > 0xffff) {
		code -= 0x10000;
		fprintf(out, "\\u%04" PRIx32, 0xd800 + (code >> 10));
		code = 0xdc00 + (code & 0x3ff);
	}
	fprintf(out, "\\u%04" PRIx32, code);
	return nr_behind(*text) + 1;
}
