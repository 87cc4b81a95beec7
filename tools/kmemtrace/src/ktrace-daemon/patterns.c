// SPDX-License-Identifier: GPL-2.0
/*
 * patterns.c - patterns of names of markers, as the file select takes them
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "ktrace-daemon/patterns.h"

/* Return whether a pattern may match a name, which has no spaces. */
static bool is_pattern(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!isgraph((unsigned char)text[i]))
			return false;
	return len;
}

static int add_pattern(struct patterns *p, const char *text, size_t len)
{
	struct pattern *more;
	char *copy;

	if (!is_pattern(text, len))
		return -EINVAL;
	copy = strndup(text, len);
	if (copy && !text_is_pattern(copy, true)) {
		free(copy);
		return -EINVAL;
	}
	more = reallocarray(p->list, p->n + 1, sizeof(*more));
	if (more)
		p->list = more;
	if (!copy || !more) {
		free(copy);
		return -ENOMEM;
	}
	more[p->n++] = (struct pattern) { .text = copy };
	return 0;
}

/**
 * patterns_add - add patterns
 * @p: the patterns
 * @text: further ones, separated by commas
 *
 * Return: 0, or -errno; -EINVAL: a pattern is empty, has a character that no name has, or a [
 * without its ].
 */
int patterns_add(struct patterns *p, const char *text)
{
	size_t len;
	int err;

	for (;; text += len + 1) {
		len = strcspn(text, ",");
		err = add_pattern(p, text, len);
		if (err || !text[len])
			return err;
	}
}

/**
 * patterns_text - print patterns
 * @p: the patterns
 *
 * Return: the patterns, separated by commas, to be freed; NULL: no memory.
 */
char *patterns_text(const struct patterns *p)
{
	size_t i, size, len = 1;
	char *text;

	for (i = 0; i < p->n; i++)
		len += strlen(p->list[i].text) + 1;
	text = calloc(1, len);
	if (!text)
		return NULL;
	for (i = 0, size = 0; i < p->n; i++)
		size += sprintf(text + size, "%s%s", i ? "," : "",
				p->list[i].text);
	return text;
}

static void match_name(struct patterns *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (!fnmatch(p->list[i].text, name, 0))
			p->list[i].matches = true;
}

/**
 * patterns_match - find the patterns that match a marker
 * @p: the patterns, which get the result
 * @info: the file info, with a line "<id> <state> <name> "<format>"" for each marker
 *
 * Return: 0 or -errno.
 */
int patterns_match(struct patterns *p, FILE *info)
{
	char *line = NULL, name[256];
	size_t size = 0;
	int err = 0;

	while (getline(&line, &size, info) > 0)
		if (sscanf(line, "%*u %*[01-] %255s \"", name) == 1)
			match_name(p, name);
	if (ferror(info))
		err = -EIO;
	free(line);
	return err;
}

/* Free the patterns. */
void patterns_free(struct patterns *p)
{
	while (p->n)
		free(p->list[--p->n].text);
	free(p->list);
	p->list = NULL;
}
