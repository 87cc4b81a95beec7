// SPDX-License-Identifier: GPL-2.0
/*
 * Text from a trace for a terminal: a byte that isn't printable becomes a '?'.
 */
#include "config.h"

#include "common/text.h"

/* ASCII, whatever the locale. */
static char printable(char c)
{
	return c >= ' ' && c <= '~' ? c : '?';
}

/**
 * text_printable - a printable copy
 * @buf: for the copy
 * @size: bytes of @buf; a longer text is cut
 * @text: may hold anything
 *
 * Return: @buf.
 */
const char *text_printable(char *buf, size_t size, const char *text)
{
	size_t i;

	for (i = 0; text[i] && i + 1 < size; i++)
		buf[i] = printable(text[i]);
	buf[i] = '\0';
	return buf;
}

/* Print all of a text. */
void text_print(const char *text, FILE *out)
{
	for (; *text; text++)
		putc(printable(*text), out);
}
