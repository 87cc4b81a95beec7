// SPDX-License-Identifier: GPL-2.0
/*
 * Strings and their numbers.
 */
#include "config.h"

#include <search.h>
#include <stddef.h>
#include <string.h>

#include "common/memory.h"
#include "export/strings.h"

/**
 * struct string - a string
 * @number: its number
 * @text: the string
 */
struct string {
	uint64_t number;
	char text[];
};

static int by_text(const void *a, const void *b)
{
	const struct string *x = a, *y = b;

	return strcmp(x->text, y->text);
}

/**
 * strings_number - find or add a string
 * @s: the strings
 * @text: the string
 * @is_new: result: it was added
 *
 * Return: its number; the first one that is added has 0.
 */
uint64_t strings_number(struct strings *s, const char *text, bool *is_new)
{
	size_t len = strlen(text) + 1;
	struct string *string = must_calloc(1, sizeof(*string) + len), **found;

	memcpy(string->text, text, len);
	found = tsearch(string, &s->root, by_text);
	if (!found)
		out_of_memory();
	*is_new = *found == string;
	if (*is_new)
		string->number = s->nr++;
	else
		free(string);
	return (*found)->number;
}

/* Remove all strings. */
void strings_free(struct strings *s)
{
	tdestroy(s->root, free);
	*s = (struct strings) { .nr = 0 };
}
