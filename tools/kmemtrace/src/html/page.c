// SPDX-License-Identifier: GPL-2.0
/*
 * page.c - write the page: what embed.sh made of the files beside this one, with the data
 * of the trace in it
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "common/memory.h"
#include "html/data.h"
#include "html/page.h"

/* page_before_data, page_after_data, page_lacks */
#include "html/embedded.h"

/* Return the Debian package without which the page was built, or NULL. */
const char *page_missing(void)
{
	return page_lacks;
}

/* Return the text that every page begins with, or NULL. */
const char *page_begin(void)
{
	static const char title[] = "</title>";
	static char begin[512];
	const unsigned char *end = memmem(page_before_data, sizeof(page_before_data), title,
					  strlen(title));

	if (!end || (size_t)(end - page_before_data) >= sizeof(begin))
		return NULL;
	return memcpy(begin, page_before_data, end - page_before_data);
}

/*
 * Write JSON inside of a script element, where only "<" can begin a tag or a comment. In JSON
 * it occurs in strings alone, and so it can be escaped.
 */
static ssize_t write_escaped(void *cookie, const char *buf, size_t size)
{
	FILE *out = cookie;
	size_t i;

	for (i = 0; i < size; i++)
		if (buf[i] == '<')
			fputs("\\u003c", out);
		else
			putc(buf[i], out);
	return ferror(out) ? 0 : size;
}

static FILE *open_escaped(FILE *out)
{
	FILE *escaped = fopencookie(out, "w", (cookie_io_functions_t) {
		.write = write_escaped,
	});

	if (!escaped)
		out_of_memory();
	return escaped;
}

/**
 * page_print - write the page
 * @r: the report on a trace with cells
 * @before: another trace, to which the page compares it; NULL: none
 * @out: where to
 */
void page_print(const struct report *r, const struct report *before, FILE *out)
{
	FILE *data;

	fwrite(page_before_data, 1, sizeof(page_before_data), out);
	data = open_escaped(out);
	putc('[', data);
	if (before) {
		data_print(before, data);
		putc(',', data);
	}
	data_print(r, data);
	putc(']', data);
	fclose(data);
	fwrite(page_after_data, 1, sizeof(page_after_data), out);
}
