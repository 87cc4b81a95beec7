// SPDX-License-Identifier: GPL-2.0
/*
 * message.c - print an event as vsprintf() of the kernel would
 *
 * The format comes from a file, so no function of printf() gets it. A terminal must not take
 * any byte for a command: bytes that aren't printable become a backslash and three octal
 * digits, and so does a backslash.
 */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "ktrace/message.h"

static void print_byte(char c, FILE *out)
{
	if (c >= ' ' && c <= '~' && c != '\\')
		putc(c, out);
	else
		fprintf(out, "\\%03o", (unsigned char)c);
}

/* Print text of the format, where "%%" is one. */
static void print_literal(const char *text, size_t len, FILE *out)
{
	size_t i;

	for (i = 0; i < len; i++) {
		print_byte(text[i], out);
		if (text[i] == '%')
			i++;
	}
}

static void print_times(char c, size_t n, FILE *out)
{
	while (n--)
		putc(c, out);
}

/* ---- numbers ---- */

/**
 * struct digits - a number as text
 * @prefix: a sign, or what tells the base
 * @digits: the digits
 * @nr: of @digits
 */
struct digits {
	char prefix[4];
	char digits[24];
	size_t nr;
};

static void set_prefix(struct digits *n, const struct field *f, bool is_negative)
{
	if (f->conversion == 'd') {
		if (is_negative)
			strcpy(n->prefix, "-");
		else if (f->flags & FIELD_PLUS)
			strcpy(n->prefix, "+");
		else if (f->flags & FIELD_BLANK)
			strcpy(n->prefix, " ");
	} else if (f->flags & FIELD_SPECIAL) {
		if (f->conversion == 'o')
			strcpy(n->prefix, "0");
		else if (f->conversion == 'x' || f->conversion == 'p')
			strcpy(n->prefix, "0x");
		else if (f->conversion == 'X')
			strcpy(n->prefix, "0X");
	}
}

static void set_digits(struct digits *n, const struct field *f, uint64_t value)
{
	switch (f->conversion) {
	case 'x':
	case 'p':
		n->nr = sprintf(n->digits, "%" PRIx64, value);
		break;
	case 'X':
		n->nr = sprintf(n->digits, "%" PRIX64, value);
		break;
	case 'o':
		n->nr = sprintf(n->digits, "%" PRIo64, value);
		break;
	default:
		n->nr = sprintf(n->digits, "%" PRIu64, value);
	}
}

static void print_number(const struct field *f, uint64_t value, FILE *out)
{
	bool is_negative = f->conversion == 'd' && (int64_t)value < 0;
	size_t len, zeros = 0, blanks;
	struct digits n = { .nr = 0 };

	set_prefix(&n, f, is_negative);
	set_digits(&n, f, is_negative ? -value : value);
	len = strlen(n.prefix) + n.nr;
	if (f->precision > (int)n.nr)
		zeros = f->precision - n.nr;
	else if (f->precision < 0 && f->flags & FIELD_ZERO && !(f->flags & FIELD_LEFT) &&
		 f->width > len)
		zeros = f->width - len;
	len += zeros;
	blanks = f->width > len ? f->width - len : 0;
	if (!(f->flags & FIELD_LEFT))
		print_times(' ', blanks, out);
	fputs(n.prefix, out);
	print_times('0', zeros, out);
	fputs(n.digits, out);
	if (f->flags & FIELD_LEFT)
		print_times(' ', blanks, out);
}

/* ---- texts ---- */

static void print_text(const struct field *f, const char *text, size_t len, FILE *out)
{
	size_t i, blanks;

	if (f->precision >= 0 && len > (size_t)f->precision)
		len = f->precision;
	blanks = f->width > len ? f->width - len : 0;
	if (!(f->flags & FIELD_LEFT))
		print_times(' ', blanks, out);
	for (i = 0; i < len; i++)
		print_byte(text[i], out);
	if (f->flags & FIELD_LEFT)
		print_times(' ', blanks, out);
}

/* Return whether the address was named: %ps, %pS and %pB, and their old letters. */
static bool print_name_of_address(const struct field *f, uint64_t addr,
				  const struct symbols *symbols, FILE *out)
{
	char text[640];
	struct symbol_ref ref;
	int len;

	if (!f->letter || !strchr("sSBfF", f->letter))
		return false;
	if (f->letter == 'B')
		symbols_find(symbols, addr, &ref);
	else
		symbols_at(symbols, addr, &ref);
	if (!ref.name)
		return false;
	if (f->letter == 's' || f->letter == 'f')
		len = snprintf(text, sizeof(text), "%.511s", ref.name);
	else
		len = snprintf(text, sizeof(text), "%.511s+0x%" PRIx64, ref.name, ref.offset);
	if (ref.module)
		len += snprintf(text + len, sizeof(text) - len, " [%.95s]", ref.module);
	print_text(f, text, len, out);
	return true;
}

/* A pointer has all of its digits. */
static void print_pointer(const struct field *f, uint64_t addr,
			  const struct message_context *mc, FILE *out)
{
	struct field all = *f;

	if (print_name_of_address(f, addr, mc->symbols, out))
		return;
	all.precision = -1;
	if (!all.width) {
		all.width = mc->word_bits / 4 + (f->flags & FIELD_SPECIAL ? 2 : 0);
		all.flags |= FIELD_ZERO;
	}
	print_number(&all, addr, out);
}

static void print_argument(const struct field *f, const struct value *v,
			   const struct message_context *mc, FILE *out)
{
	char c;

	if (v->text) {
		print_text(f, v->text, v->len, out);
	} else if (f->conversion == 'p') {
		print_pointer(f, v->number, mc, out);
	} else if (f->conversion == 'c') {
		c = (char)v->number;
		print_text(f, &c, 1, out);
	} else {
		print_number(f, v->number, out);
	}
}

/**
 * message_print - print an event, without a newline at its end
 * @layout: the layout of the event
 * @values: its arguments
 * @mc: what else the text depends on
 * @out: where to
 */
void message_print(const struct layout *layout, const struct value *values,
		   const struct message_context *mc, FILE *out)
{
	const char *end = layout->format + layout->end;
	size_t i, len = strlen(end);

	for (i = 0; i < layout->nr; i++) {
		const struct field *f = &layout->fields[i];

		print_literal(layout->format + f->text, f->text_len, out);
		print_argument(f, &values[i], mc, out);
	}
	if (len && end[len - 1] == '\n')
		len--;
	print_literal(end, len, out);
}
