// SPDX-License-Identifier: GPL-2.0
/*
 * html-top.c - the trace so far as the page of kmemtrace-report --html
 */
#include "config.h"

#include "html/page.h"
#include "report/groups.h"
#include "report/reading.h"
#include "top/html.h"

/* Print the page of a trace whose cells are counted. */
void top_print_html(const struct top *top, const struct kmemtrace_trace *trace, FILE *out)
{
	static const char * const no_filters[NR_FILTERS];
	struct report r = {
		.filters = no_filters,
		.source = top->source,
		.sort = figure_find(USUAL_SORT),
		.group = &group_keys[0],
		.limit = DEFAULT_LIMIT,
		.style = &style_plain,
	};

	reading_show(&r, trace);
	page_print(&r, NULL, out);
}
