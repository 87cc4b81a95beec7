// SPDX-License-Identifier: GPL-2.0
/*
 * page.c - write the page: what embed.sh made of the files beside this one, with the data
 * of the trace in it
 */
#include "config.h"

#include <string.h>

#include "common/utf8.h"
#include "html/data.h"
#include "html/page.h"
#include "report/format.h"

/* page_before_data, page_after_data, page_lacks */
#include "html/embedded.h"

/* Return the Debian package without which the page was built, or NULL. */
const char *page_missing(void)
{
	return page_lacks;
}

/*
 * Print JSON inside of a script element, where only "<" can begin a tag or a comment. In JSON
 * it occurs in strings alone, and so it can be escaped.
 */
static void print_data(json_object *obj, FILE *out)
{
	const char *text = json_object_to_json_string_ext(obj, JSON_C_TO_STRING_PLAIN);

	if (!text)
		out_of_memory();
	while (*text) {
		if (*text >= ' ' && *text <= '~' && *text != '<')
			putc(*text++, out);
		else
			text += utf8_print_escaped(text, out);
	}
}

/**
 * page_print - write the page
 * @r: the report on a trace with cells
 * @before: another trace, to which the page compares it; NULL: none
 * @out: where to
 */
void page_print(const struct report *r, const struct report *before, FILE *out)
{
	json_object *traces = json_object_new_array();

	if (before)
		json_object_array_add(traces, data_json(before));
	json_object_array_add(traces, data_json(r));
	fwrite(page_before_data, 1, sizeof(page_before_data), out);
	print_data(traces, out);
	fwrite(page_after_data, 1, sizeof(page_after_data), out);
	json_object_put(traces);
}
