/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The arguments of an event in its records. The format of the event alone determines them.
 */
#ifndef KTRACE_LAYOUT_H
#define KTRACE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/event.h"

/* The kernel allows 10 arguments, and formats of a few hundred bytes. */
#define LAYOUT_MAX_FIELDS	16
#define LAYOUT_MAX_FORMAT	4095

/* Larger widths and precisions count as this. The kernel's strings have 63 bytes. */
#define LAYOUT_MAX_WIDTH	255

/* Room for the name of a field. */
#define LAYOUT_NAME_LEN		72

/* The flags of a conversion. */
enum field_flag {
	FIELD_LEFT	= 1,
	FIELD_PLUS	= 2,
	FIELD_BLANK	= 4,
	FIELD_SPECIAL	= 8,
	FIELD_ZERO	= 16,
};

/**
 * struct field - an argument
 * @text: offset in the format of the text before the conversion
 * @text_len: bytes of that text
 * @name: offset in the format of the word before the conversion
 * @name_len: bytes of that word; 0: there is none
 * @suffix: number that makes the name unique; 0: the name is unique without it
 * @width: at least as many characters; 0: any number
 * @precision: the precision; -1: none
 * @conversion: d, u, x, X, o, c, s or p
 * @letter: behind a p; 0: none
 * @flags: bits of enum field_flag
 * @size: bytes in a record; 0: a string, which ends with a byte of 0
 * @bits: bits of a number that count, less than in the record for %hu
 *
 * A file may have many formats, so this is small.
 */
struct field {
	uint16_t text, text_len;
	uint16_t name;
	uint8_t name_len, suffix;
	uint16_t width;
	int16_t precision;
	char conversion, letter;
	uint8_t flags, size, bits;
};

/**
 * struct layout - the arguments of an event
 * @format: the format
 * @fields: the arguments, in their order
 * @nr: entries of @fields
 * @end: offset in the format of the text behind the last conversion
 */
struct layout {
	const char *format;
	struct field *fields;
	size_t nr;
	uint16_t end;
};

/**
 * struct value - an argument of one event
 * @number: a number, which is sign-extended for %d
 * @text: a string, in the record; NULL: it is a number
 * @len: bytes of @text
 */
struct value {
	uint64_t number;
	const char *text;
	size_t len;
};

int layout_parse(struct layout *layout, const char *format, unsigned int word_bits);
void layout_free(struct layout *layout);
bool layout_values(const struct layout *layout, const unsigned char *args, size_t size,
		   enum byte_order order, struct value values[LAYOUT_MAX_FIELDS]);
const char *layout_name(const struct layout *layout, size_t i, char name[LAYOUT_NAME_LEN]);

#endif /* KTRACE_LAYOUT_H */
