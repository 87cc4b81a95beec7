// SPDX-License-Identifier: GPL-2.0
/*
 * interval.c - a part of a trace: parse the user's text
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/interval.h"

/* Parse seconds into nanoseconds, and set @end to the text after them. */
static int parse_time(const char *value, const char **end, uint64_t *ns)
{
	const char *behind = value + strspn(value, "0123456789.");
	double seconds;
	char *rest;

	errno = 0;
	seconds = strtod(value, &rest);
	if (errno || rest == value || rest != behind || seconds > 1e9)
		return -EINVAL;
	*ns = (uint64_t)(seconds * 1e9 + 0.5);
	*end = rest;
	return 0;
}

/* Parse a time alone. Return 0 or -EINVAL. */
int interval_parse_time(const char *text, uint64_t *ns)
{
	return parse_time(text, &text, ns) || *text ? -EINVAL : 0;
}

/* Parse the end, which may be empty. Return 0 or -EINVAL. */
int interval_parse_end(struct interval *i, const char *text)
{
	i->has_end = *text;
	return *text ? interval_parse_time(text, &i->end) : 0;
}

/* Parse "A,B", "A," or ",B". Return 0 or -EINVAL. */
int interval_parse(struct interval *i, const char *text)
{
	i->has_begin = *text != ',';
	if (i->has_begin && parse_time(text, &text, &i->begin))
		return -EINVAL;
	if (*text++ != ',' || interval_parse_end(i, text))
		return -EINVAL;
	if (i->has_begin && i->has_end)
		return i->begin > i->end ? -EINVAL : 0;
	return i->has_begin || i->has_end ? 0 : -EINVAL;
}
