/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace and the options, for all files of the report.
 */
#ifndef KMEMTRACE_REPORT_H
#define KMEMTRACE_REPORT_H

#include "kmemtrace.h"
#include "report/source.h"

#define NR_SPACES	KMEMTRACE_NR_SPACES
#define NR_FILTERS	(KMEMTRACE_FILTER_YOUNGER + 1)

/**
 * struct style - looks of a text on a terminal, see common/terminal.h
 * @title: begins the title of a view
 * @bad: begins a text about an error
 * @end: ends both
 */
struct style {
	const char *title, *bad, *end;
};

extern const struct style style_plain, style_coloured;

struct group_key;
struct part;

/**
 * struct report - a trace, and how to show it
 * @trace: the trace, after kmemtrace_read()
 * @sum: its summary
 * @lost: number of lost events
 * @unseen: what the source of the trace can't see, bits of enum unseen
 * @has_counters: the trace has the kernel's counters
 * @is_used: the allocators to show: slab, pages, and those of which the trace has events
 * @filters: the texts that were given to kmemtrace_set_filter(), or NULL
 * @address: the text of --address, or NULL
 * @source: file and line of addresses; NULL without a vmlinux
 * @sort: the figure that orders lists, see figure_find()
 * @group: how to group call sites
 * @is_grouped: the user gave @group
 * @is_bottom_up: the tree of call paths begins with call sites, not with the outermost callers
 * @views: views to show, see views_choose(); 0: the overview as text, all of them as JSON
 * @parts: those of the view that is being printed
 * @limit: rows of a list
 * @is_limited: the user gave @limit: it holds for the overview, too
 * @style: of text
 */
struct report {
	const struct kmemtrace_trace *trace;
	const struct kmemtrace_summary *sum;
	uint64_t lost;
	uint32_t unseen;
	bool has_counters;
	bool is_used[NR_SPACES];
	const char * const *filters;
	const char *address;
	struct source *source;
	const struct kmemtrace_column *sort;
	const struct group_key *group;
	bool is_grouped;
	bool is_bottom_up;
	uint64_t views;
	const struct part *parts;
	size_t limit;
	bool is_limited;
	const struct style *style;
};

/* Rows of a list, unless the user wants another number. */
#define DEFAULT_LIMIT	10

#endif /* KMEMTRACE_REPORT_H */
