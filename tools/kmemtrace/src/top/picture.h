/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The screen of kmemtrace-top as lines of text. Nothing here knows a terminal.
 */
#ifndef KMEMTRACE_TOP_PICTURE_H
#define KMEMTRACE_TOP_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "top/model.h"

/* Lines of a screen that has all parts and no rows; a smaller one is cut. */
#define PICTURE_MIN_HEIGHT	24

/* How a line looks. */
enum look { LOOK_PLAIN, LOOK_TITLE, LOOK_GOOD, LOOK_BAD, LOOK_HEADING, LOOK_KEYS };

/**
 * struct line - a line of the screen
 * @text: printable characters of the locale, no wider than the screen
 * @look: how it looks
 */
struct line {
	char *text;
	enum look look;
};

/**
 * struct key_help - a key, for the last line and the help
 * @key: its name
 * @name: what it does, in one word
 * @help: what it does, in one line
 */
struct key_help {
	const char *key, *name, *help;
};

/**
 * struct picture - the screen
 * @width: columns
 * @height: lines
 * @first: number of the first row that is shown; picture_make() corrects it
 * @is_frozen: the user stopped the picture
 * @shows_help: the help is shown instead of rows
 * @message: shown in the last line instead of the keys; "": none
 * @keys: all keys; one without a name ends the list
 * @lines: result, @height of them
 * @nr_shown: result, rows on the screen
 */
struct picture {
	size_t width, height;
	size_t first;
	bool is_frozen, shows_help;
	const char *message;
	const struct key_help *keys;
	struct line *lines;
	size_t nr_shown;
};

const char *picture_next_sort(const char *sort);
int picture_make(struct picture *pic, const struct top *top);
void picture_free(struct picture *pic);

#endif /* KMEMTRACE_TOP_PICTURE_H */
