// SPDX-License-Identifier: GPL-2.0
/*
 * layout.c - the arguments of an event, from its format
 *
 * Follows marker_parse() in kernel/marker_layout.c.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ktrace/layout.h"
#include "ktrace/record.h"

/* Bytes of the longest name, without a suffix. */
#define MAX_NAME	63

/* ASCII, whatever the locale. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_alnum(char c)
{
	return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_white(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* ---- one conversion ---- */

static const char *parse_flags(const char *p, uint8_t *flags)
{
	static const char letters[] = "-+ #0";
	const char *found;

	for (*flags = 0; *p && (found = strchr(letters, *p)); p++)
		*flags |= 1U << (found - letters);
	return p;
}

static const char *parse_width(const char *p, unsigned int *number)
{
	for (*number = 0; is_digit(*p); p++)
		if (*number <= LAYOUT_MAX_WIDTH)
			*number = 10 * *number + (unsigned int)(*p - '0');
	if (*number > LAYOUT_MAX_WIDTH)
		*number = LAYOUT_MAX_WIDTH;
	return p;
}

/* Set size and bits by a length modifier; return the text behind it. */
static const char *parse_length(const char *p, struct field *f, unsigned int word_bits)
{
	f->size = 4;
	f->bits = 32;
	if (p[0] == 'h') {
		f->bits = p[1] == 'h' ? 8 : 16;
		return p + 1 + (p[1] == 'h');
	}
	if (p[0] == 'L' || (p[0] == 'l' && p[1] == 'l')) {
		f->size = 8;
		f->bits = 64;
		return p + 1 + (p[0] == 'l');
	}
	if (p[0] == 'l' || p[0] == 'z' || p[0] == 't') {
		f->size = word_bits / 8;
		f->bits = word_bits;
		return p + 1;
	}
	return p;
}

/* Parse the letter of a conversion, and those behind a p; NULL: there is no such conversion. */
static const char *parse_letter(const char *p, struct field *f, unsigned int word_bits)
{
	f->conversion = *p == 'i' ? 'd' : *p;
	switch (*p++) {
	case 'd':
	case 'i':
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		return p;
	case 'c':
		f->size = 4;
		f->bits = 8;
		return p;
	case 's':
		f->size = 0;
		return p;
	case 'p':
		f->size = word_bits / 8;
		f->bits = word_bits;
		if (is_alnum(*p))
			f->letter = *p;
		while (is_alnum(*p))
			p++;
		return p;
	}
	return NULL;
}

/*
 * Parse a conversion from behind its '%'. Return the text behind it. NULL: it is invalid, or
 * has the size of a word, which is unknown.
 */
static const char *parse_conversion(const char *p, struct field *f, unsigned int word_bits)
{
	unsigned int number;

	p = parse_flags(p, &f->flags);
	p = parse_width(p, &number);
	f->width = number;
	f->precision = -1;
	if (*p == '.') {
		p = parse_width(p + 1, &number);
		f->precision = number;
	}
	p = parse_length(p, f, word_bits);
	p = parse_letter(p, f, word_bits);
	return p && (f->size || f->conversion == 's') ? p : NULL;
}

/* ---- names ---- */

/* Find the word before the conversion at @end, behind @from. */
static void find_name(struct field *f, const char *format, size_t from, size_t end)
{
	size_t start;

	while (end > from && (is_white(format[end - 1]) || strchr("=:(", format[end - 1])))
		end--;
	for (start = end; start > from && end - start < MAX_NAME; start--)
		if (!is_alnum(format[start - 1]) && format[start - 1] != '_')
			break;
	f->name = start;
	f->name_len = end - start;
}

/**
 * layout_name - write the name of a field
 * @layout: the layout
 * @i: number of the field
 * @name: receives the name: the word before the conversion, or "arg<i>", and a suffix if
 *	another field before has the same name
 *
 * Return: @name.
 */
const char *layout_name(const struct layout *layout, size_t i, char name[LAYOUT_NAME_LEN])
{
	const struct field *f = &layout->fields[i];
	int len;

	if (f->name_len)
		len = snprintf(name, LAYOUT_NAME_LEN, "%.*s", f->name_len,
			       layout->format + f->name);
	else
		len = snprintf(name, LAYOUT_NAME_LEN, "arg%zu", i);
	if (f->suffix)
		snprintf(name + len, LAYOUT_NAME_LEN - len, "_%u", f->suffix);
	return name;
}

static bool is_taken(const struct layout *layout, size_t nr)
{
	char name[LAYOUT_NAME_LEN], other[LAYOUT_NAME_LEN];
	size_t i;

	layout_name(layout, nr, name);
	for (i = 0; i < nr; i++)
		if (!strcmp(layout_name(layout, i, other), name))
			return true;
	return false;
}

/* Give the last field a name of its own. */
static void make_unique(struct layout *layout)
{
	struct field *last = &layout->fields[layout->nr - 1];

	while (is_taken(layout, layout->nr - 1))
		last->suffix += last->suffix ? 1 : 2;
}

/* ---- formats ---- */

/* Return the first conversion from @p on, or NULL. */
static const char *next_conversion(const char *p)
{
	while ((p = strchr(p, '%')) && p[1] == '%')
		p += 2;
	return p;
}

static int parse_all(struct layout *layout, unsigned int word_bits)
{
	const char *format = layout->format, *from = format, *p;
	struct field *f;

	for (p = next_conversion(format); p; p = next_conversion(from)) {
		if (layout->nr == LAYOUT_MAX_FIELDS)
			return -EINVAL;
		f = &layout->fields[layout->nr++];
		f->text = from - format;
		f->text_len = p - from;
		find_name(f, format, f->text, p - format);
		make_unique(layout);
		from = parse_conversion(p + 1, f, word_bits);
		if (!from)
			return -EINVAL;
	}
	layout->end = from - format;
	return 0;
}

/**
 * layout_parse - parse a format
 * @layout: result; layout_free() it also after an error
 * @format: the format, which stays the caller's
 * @word_bits: bits of a long and of a pointer; 0: unknown
 *
 * Return: 0; -EINVAL: no event has this format, or it has a long and @word_bits is unknown;
 * -ENOMEM.
 */
int layout_parse(struct layout *layout, const char *format, unsigned int word_bits)
{
	struct field fields[LAYOUT_MAX_FIELDS] = { { .text = 0 } };
	int ret;

	*layout = (struct layout) { .format = format, .fields = fields };
	ret = strlen(format) > LAYOUT_MAX_FORMAT ? -EINVAL : parse_all(layout, word_bits);
	layout->fields = NULL;
	if (ret || !layout->nr)
		return ret;
	layout->fields = malloc(layout->nr * sizeof(*fields));
	if (!layout->fields)
		return -ENOMEM;
	memcpy(layout->fields, fields, layout->nr * sizeof(*fields));
	return 0;
}

void layout_free(struct layout *layout)
{
	free(layout->fields);
	*layout = (struct layout) { .nr = 0 };
}

/* ---- values ---- */

/* Keep the bits that count. */
static uint64_t narrow(const struct field *f, uint64_t number)
{
	unsigned int shift = 64 - f->bits;

	number <<= shift;
	if (f->conversion == 'd')
		return (uint64_t)((int64_t)number >> shift);
	return number >> shift;
}

/**
 * layout_values - read the arguments of an event
 * @layout: its layout
 * @args: the arguments in the record
 * @size: bytes of them, with the zeros behind
 * @order: byte order of the stream
 * @values: result, one for each field; strings are in @args
 *
 * Return: false if the record is too short for its arguments.
 */
bool layout_values(const struct layout *layout, const unsigned char *args, size_t size,
		   enum byte_order order, struct value values[LAYOUT_MAX_FIELDS])
{
	const unsigned char *end;
	size_t i, len;

	for (i = 0; i < layout->nr; i++) {
		const struct field *f = &layout->fields[i];

		if (f->size) {
			len = f->size;
			if (len > size)
				return false;
			values[i] = (struct value) {
				.number = narrow(f, record_load(args, len, order)),
			};
		} else {
			end = memchr(args, '\0', size);
			if (!end)
				return false;
			len = end - args + 1;
			values[i] = (struct value) { .text = (const char *)args, .len = len - 1 };
		}
		args += len;
		size -= len;
	}
	return true;
}
