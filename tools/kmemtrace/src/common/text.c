// SPDX-License-Identifier: GPL-2.0
/*
 * Text of a trace. A terminal must not take any of it for commands: what is no visible character
 * of UTF-8 is shown as its bytes, such as "\x1b". A backslash before what looks like that is
 * "\x5c", so two texts never look the same.
 */
#include "config.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/text.h"
#include "common/utf8.h"

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

/* ---- text that is safe on a terminal ---- */

/* Characters that nobody sees, or that change the direction or the lines of what follows. */
static const struct {
	uint32_t first, last;
} invisible[] = {
	{ 0x00, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x61c, 0x61c }, { 0x115f, 0x1160 },
	{ 0x180e, 0x180e }, { 0x200b, 0x200f }, { 0x2028, 0x202e }, { 0x2060, 0x206f },
	{ 0x3164, 0x3164 }, { 0xfdd0, 0xfdef }, { 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff },
	{ 0xffa0, 0xffa0 }, { 0xfff0, 0xfffb }, { 0xfffe, 0xffff }, { 0xe0000, 0xe0fff },
};

static bool is_visible(uint32_t code)
{
	size_t i;

	for (i = 0; i < sizeof(invisible) / sizeof(*invisible); i++)
		if (code >= invisible[i].first && code <= invisible[i].last)
			return false;
	return true;
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Return the byte that an escape sequence at the begin of a text stands for; 0: there is none. */
static unsigned char escaped_byte(const char *text)
{
	int high, low, byte;

	if (text[0] != '\\' || text[1] != 'x')
		return 0;
	high = hex_digit(text[2]);
	low = high < 0 ? -1 : hex_digit(text[3]);
	byte = low < 0 ? 0 : 16 * high + low;
	return byte < ' ' || byte > '~' || byte == '\\' ? byte : 0;
}

/**
 * text_visible - make the next character of a text visible
 * @text: the text, which moves on
 * @buf: result: the character, or an escape sequence such as "\x1b" for a byte
 *
 * Text that is visible stays as it is.
 *
 * Return: bytes of @buf.
 */
size_t text_visible(const char **text, char buf[TEXT_ESCAPE_LEN + 1])
{
	const size_t len = utf8_length(*text);

	if (len && is_visible(utf8_code(*text))) {
		memcpy(buf, *text, len);
		*text += len;
		return len;
	}
	snprintf(buf, TEXT_ESCAPE_LEN + 1, "\\x%02x", (unsigned char)*(*text)++);
	return TEXT_ESCAPE_LEN;
}

/* As text_visible(), but a backslash that begins an escape sequence becomes one itself. */
static size_t next_character(const char **text, char buf[TEXT_ESCAPE_LEN + 1])
{
	if (!escaped_byte(*text))
		return text_visible(text, buf);
	(*text)++;
	memcpy(buf, "\\x5c", TEXT_ESCAPE_LEN);
	return TEXT_ESCAPE_LEN;
}

typedef size_t make_printable(const char **text, char buf[TEXT_ESCAPE_LEN + 1]);

static const char *copy_printable(char *buf, size_t size, const char *text, make_printable *next)
{
	char character[TEXT_ESCAPE_LEN + 1];
	size_t len, at = 0;

	while (*text) {
		len = next(&text, character);
		if (at + len >= size)
			break;
		memcpy(buf + at, character, len);
		at += len;
	}
	buf[at] = '\0';
	return buf;
}

/**
 * text_printable - make a printable copy
 * @buf: receives the copy
 * @size: bytes of @buf; a longer text is cut between two characters
 * @text: the text, which may have any bytes
 *
 * Return: @buf.
 */
const char *text_printable(char *buf, size_t size, const char *text)
{
	return copy_printable(buf, size, text, next_character);
}

/* As text_printable(), but a text that is visible stays as it is. */
const char *text_all_visible(char *buf, size_t size, const char *text)
{
	return copy_printable(buf, size, text, text_visible);
}

/* Print all of a text. */
void text_print(const char *text, FILE *out)
{
	char character[TEXT_ESCAPE_LEN + 1];

	while (*text)
		fwrite(character, 1, next_character(&text, character), out);
}

/* Replace the escape sequences in a text by their bytes, so that what was printed is as it was. */
void text_parse(char *text)
{
	char *to = text;

	while (*text) {
		const unsigned char byte = escaped_byte(text);

		*to++ = byte ? (char)byte : *text;
		text += byte ? TEXT_ESCAPE_LEN : 1;
	}
	*to = '\0';
}

/* Cut a text where more than @max bytes would be printed of it. Return whether it was cut. */
bool text_cut(char *text, size_t max)
{
	const char *end = text;
	char character[8];
	size_t len;

	while (*end) {
		char *last = text + (end - text);

		len = next_character(&end, character);
		if (len > max) {
			*last = '\0';
			return true;
		}
		max -= len;
	}
	return false;
}

/* Return the text behind the ] of a set, whose [ is before @text; NULL: there is no ]. */
static const char *behind_set(const char *text, bool has_escapes)
{
	const char *end;

	text += *text == '!' || *text == '^';
	/* A ] at the begin is one of the set. */
	text += *text == ']';
	for (; *text && *text != ']'; text++) {
		/* A class, such as [:digit:], has a ] of its own. */
		end = *text == '[' && text[1] == ':' ? strstr(text + 2, ":]") : NULL;
		if (end)
			text = end + 1;
		else if (has_escapes && *text == '\\' && text[1])
			text++;
	}
	return *text ? text + 1 : NULL;
}

/**
 * text_is_pattern - check a pattern, of which fnmatch() takes wrong ones for plain text
 * @text: the text
 * @has_escapes: a backslash quotes the next character: there is no FNM_NOESCAPE
 *
 * Return: whether each [ has its ], and no backslash is the last character.
 */
bool text_is_pattern(const char *text, bool has_escapes)
{
	while (text && *text) {
		if (*text == '[')
			text = behind_set(text + 1, has_escapes);
		else if (has_escapes && *text == '\\')
			text = text[1] ? text + 2 : NULL;
		else
			text++;
	}
	return text;
}
