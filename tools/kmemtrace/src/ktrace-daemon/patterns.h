/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KTRACED_PATTERNS_H
#define KTRACED_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * struct pattern - the name of a marker, or a glob
 * @text: the pattern
 * @matches: patterns_match() has found a marker for it
 */
struct pattern {
	char	*text;
	bool	matches;
};

/**
 * struct patterns - the markers to be recorded
 * @list: in the order of the options
 * @n: entries in @list
 */
struct patterns {
	struct pattern	*list;
	size_t		n;
};

int patterns_add(struct patterns *p, const char *text);
char *patterns_text(const struct patterns *p);
int patterns_match(struct patterns *p, FILE *info);
void patterns_free(struct patterns *p);

#endif /* KTRACED_PATTERNS_H */
