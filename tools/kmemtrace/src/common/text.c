// SPDX-License-Identifier: GPL-2.0
/*
 * Text of a trace. A terminal must not take any of it for commands: a byte that isn't
 * printable becomes a '?'.
 */
#include "config.h"

#include <string.h>

#include "common/text.h"

/**
 * text_line - take the next line of a text
 * @text: the text, which changes
 *
 * Return: the line, whose newline became a byte of 0; NULL at the end.
 */
char *text_line(struct text *text)
{
	char *line = text->at, *newline;

	if (line == text->end)
		return NULL;
	newline = memchr(line, '\n', text->end - line);
	text->at = newline ? newline + 1 : text->end;
	if (newline)
		*newline = '\0';
	return line;
}

/* ASCII, whatever the locale. */
static char printable(char c)
{
	return c >= ' ' && c <= '~' ? c : '?';
}

/**
 * text_printable - make a printable copy
 * @buf: receives the copy
 * @size: bytes of @buf; a longer text is cut
 * @text: the text, which may have any bytes
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
