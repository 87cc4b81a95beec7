// SPDX-License-Identifier: GPL-2.0
/*
 * The layout of a marker's records, which follows from the format alone, and the values in
 * them. See <linux/marker.h>.
 */
#define pr_fmt(fmt) "marker: " fmt

#include <linux/ctype.h>
#include <linux/marker.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "marker_internal.h"

/* ---- layout from a format ---- */

/* Store a number, limited to @most, and return what follows it. */
static const char *marker_digits(const char *p, u16 *number, u16 most)
{
	for (*number = 0; isdigit(*p); p++)
		*number = min(*number * 10 + *p - '0', most);
	return p;
}

/* Name a field by the word before its conversion, which lies behind @from. */
static void marker_name_field(struct marker_field *field, unsigned int index,
			      const char *from, const char *conversion)
{
	const char *end = conversion, *start;

	while (end > from && (isspace(end[-1]) || strchr("=:(", end[-1])))
		end--;
	for (start = end; start > from; start--)
		if (!isalnum(start[-1]) && start[-1] != '_')
			break;
	if (start == end)
		snprintf(field->name, sizeof(field->name), "arg%u", index);
	else
		snprintf(field->name, sizeof(field->name), "%.*s",
			 (int)(end - start), start);
}

/*
 * Store the size with which a number of this length modifier is passed, and return what
 * follows the modifier. A char and a short are passed as an int.
 */
static const char *marker_number_size(const char *p, u16 *size)
{
	if (p[0] == 'l' && p[1] == 'l') {
		*size = sizeof(long long);
		return p + 2;
	}
	while (p[0] == 'h')
		p++;
	switch (p[0]) {
	case 'l':
		*size = sizeof(long);
		return p + 1;
	case 'L':
		*size = sizeof(long long);
		return p + 1;
	case 'z':
	case 't':
		*size = sizeof(size_t);
		return p + 1;
	}
	*size = sizeof(int);
	return p;
}

/*
 * Parse one conversion from behind its '%'. Return what follows it, or NULL if it is
 * invalid or does not take exactly one argument.
 */
static const char *marker_parse(const char *p, struct marker_field *field)
{
	u16 string = MARKER_STRING_SIZE, width;

	while (*p && strchr("-+ #0", *p))
		p++;
	p = marker_digits(p, &width, 0);
	if (*p == '.') {
		/* The precision does not count the NUL. */
		p = marker_digits(p + 1, &string, MARKER_STRING_SIZE - 1);
		string++;
	}
	p = marker_number_size(p, &field->size);
	field->is_signed = false;
	field->conversion = *p;
	switch (*p++) {
	case 'd':
	case 'i':
		field->conversion = 'd';
		field->is_signed = true;
		return p;
	case 'X':
		field->conversion = 'x';
		return p;
	case 'u':
	case 'x':
	case 'o':
		return p;
	case 'c':
		field->is_signed = true;
		return p;
	case 's':
		field->size = string;
		return p;
	case 'p':
		field->size = sizeof(void *);
		/* Letters for vsprintf(), such as %pS. */
		while (isalnum(*p))
			p++;
		return p;
	}
	return NULL;
}

/* Return the first conversion from @p on, or NULL. */
static const char *marker_next(const char *p)
{
	while ((p = strchr(p, '%')) && p[1] == '%')
		p += 2;
	return p;
}

/**
 * marker_layout_init - find the layout of a marker's records
 * @layout: result; zeroed
 * @marker: name of the marker; must stay valid
 * @format: its format; must stay valid
 *
 * Return: 0, or -EINVAL if the format does not describe a record.
 */
int marker_layout_init(struct marker_layout *layout, const char *marker,
		       const char *format)
{
	const char *from = format, *p;

	layout->marker = marker;
	layout->format = format;
	for (p = marker_next(format); p; p = marker_next(from)) {
		struct marker_field *field = &layout->fields[layout->nr_fields];

		if (layout->nr_fields == MARKER_MAX_ARGS) {
			pr_err("%s: \"%s\" has more than %d arguments\n",
			       marker, format, MARKER_MAX_ARGS);
			return -EINVAL;
		}
		marker_name_field(field, layout->nr_fields, from, p);
		from = marker_parse(p + 1, field);
		if (!from) {
			pr_err("%s: no record can be made of \"%s\", from \"%s\" on\n",
			       marker, format, p);
			return -EINVAL;
		}
		field->offset = layout->size;
		layout->size += field->size;
		layout->nr_fields++;
	}
	return 0;
}

/**
 * marker_count_args - count the arguments of a format
 * @format: the format
 *
 * Return: their number, or -1 if @format does not describe a record.
 */
int marker_count_args(const char *format)
{
	struct marker_field field;
	const char *p;
	int count = 0;

	for (p = marker_next(format); p; p = marker_next(p)) {
		p = marker_parse(p + 1, &field);
		if (!p)
			return -1;
		count++;
	}
	return count;
}

/**
 * marker_kinds_match - compare the types of a marker's arguments with its format
 * @format: the format
 * @kinds: for each argument, 's' for a string or the bytes of a number; 0 behind the last
 *
 * Return: true if code that stores the arguments by their types writes the same as code
 * that reads the format.
 */
bool marker_kinds_match(const char *format, const u8 *kinds)
{
	struct marker_field field;
	const char *p;

	for (p = marker_next(format); p; p = marker_next(p)) {
		p = marker_parse(p + 1, &field);
		if (!p)
			return false;
		if (field.conversion != 's' ? *kinds != field.size :
		    *kinds != 's' || field.size != MARKER_STRING_SIZE)
			return false;
		kinds++;
	}
	return !*kinds;
}

/* ---- record from arguments: any context, no locks, no allocation ---- */

/**
 * marker_store_number - write a number into a record
 * @to: where to; may be unaligned
 * @size: bytes of the field
 * @value: the number, extended to 64 bits
 */
void marker_store_number(char *to, unsigned int size, u64 value)
{
	u32 v32 = value;

	if (size == sizeof(v32))
		memcpy(to, &v32, sizeof(v32));
	else
		memcpy(to, &value, sizeof(value));
}

/**
 * marker_store_string - write a string into a record
 * @to: where to
 * @size: bytes of the field; the string is truncated if necessary, and padded with NULs
 * @value: its address, which may be NULL or bad
 */
void marker_store_string(char *to, unsigned int size, u64 value)
{
	const char *from = (const char *)(unsigned long)value;
	long copied;

	if (!from) {
		strscpy_pad(to, "(null)", size);
		return;
	}
	copied = strncpy_from_kernel_nofault(to, from, size);
	if (copied > 0)
		memset(to + copied, 0, size - copied);
	else if (!copy_from_kernel_nofault(to, from, size - 1))
		/* The string has @size bytes or more, and the last one can't be read. */
		to[size - 1] = '\0';
	else
		strscpy_pad(to, "(fault)", size);
}
