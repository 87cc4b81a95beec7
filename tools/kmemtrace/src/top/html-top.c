// SPDX-License-Identifier: GPL-2.0
/*
 * html-top.c - the trace so far as the page of kmemtrace-report --html
 */
#include "config.h"

#include "common/unseen.h"
#include "html/page.h"
#include "report/groups.h"
#include "report/report.h"
#include "top/html.h"

/* Print the page of a trace whose cells are counted. */
void top_print_html(const struct top *top, const struct kmemtrace_trace *trace, FILE *out)
{
	static const char * const no_filters[NR_FILTERS];
	const struct report r = {
		.trace = trace,
		.sum = kmemtrace_get_summary(trace),
		.lost = kmemtrace_get_summary(trace)->lost,
		.unseen = unseen_bits(kmemtrace_metadata(trace, "unseen")),
		.filters = no_filters,
		.source = top->source,
		.sort = &sort_keys[0],
		.group = &group_keys[0],
		.limit = DEFAULT_LIMIT,
		.style = &style_plain,
	};

	page_print(&r, NULL, out);
}
