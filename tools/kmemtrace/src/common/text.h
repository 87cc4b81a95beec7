/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text of a trace: its lines, and a form that is safe on a terminal.
 */
#ifndef KMEMTRACE_TEXT_H
#define KMEMTRACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What text_is_pattern() takes, for messages. */
#define TEXT_PATTERN_EXPECTED	"a name, or a pattern in which each [ has its ]"

/* Four characters stand for a byte that is none. */
#define TEXT_ESCAPE_LEN	4

/**
 * struct text - the text of a file, read line by line
 * @at: the next line
 * @end: the end of the text, where a byte of 0 is
 */
struct text {
	char *at, *end;
};

char *text_line(struct text *text);
size_t text_visible(const char **text, char buf[TEXT_ESCAPE_LEN + 1]);
const char *text_printable(char *buf, size_t size, const char *text);
const char *text_all_visible(char *buf, size_t size, const char *text);
void text_print(const char *text, FILE *out);
void text_parse(char *text);
bool text_cut(char *text, size_t max);
bool text_is_pattern(const char *text, bool has_escapes);

#endif /* KMEMTRACE_TEXT_H */
