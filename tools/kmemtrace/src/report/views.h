/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the report shows of a trace, as text or as JSON.
 */
#ifndef KMEMTRACE_VIEWS_H
#define KMEMTRACE_VIEWS_H

#include <stdio.h>

#include <json-c/json.h>

#include "api/trace.h"
#include "report/source.h"

/**
 * struct sort_key - one way to order call sites and sizes
 * @name: as given to --sort
 * @title: completes "top call sites by"
 * @column: at the head of a column
 * @format: of a value, into a buffer of FORMAT_LEN bytes
 * @value: larger ones come first
 */
struct sort_key {
	const char *name;
	const char *title, *column;
	const char *(*format)(char *buf, uint64_t n);
	uint64_t (*value)(const struct row *row);
};

extern const struct sort_key sort_keys[];

const struct sort_key *sort_key_find(const char *name);

/**
 * struct style - what a terminal is told before a text of some kind
 * @title: a line that begins a part of the report
 * @bad: what should not be
 * @end: after each of them
 */
struct style {
	const char *title, *bad, *end;
};

extern const struct style style_plain, style_coloured;

struct group_key;

/**
 * struct report - what to show, and of what
 * @trace: the trace
 * @lost: events that are in no figure, since the kernel lost them
 * @source: file and line of addresses; NULL without a vmlinux
 * @sort: order of call sites and sizes
 * @group: what call sites are listed by
 * @views: those that are shown, see views_choose(); 0: the overview in text, all in
 *	JSON
 * @limit: rows of a list
 * @is_limited: somebody wants @limit, in the overview too
 * @style: of text
 */
struct report {
	const struct trace *trace;
	uint64_t lost;
	struct source *source;
	const struct sort_key *sort;
	const struct group_key *group;
	uint64_t views;
	size_t limit;
	bool is_limited;
	const struct style *style;
};

/* Rows of a list, unless the user wants another number. */
#define DEFAULT_LIMIT	10

int views_choose(uint64_t *chosen, const char *names);
void views_list(FILE *out);

void report_text(const struct report *r, FILE *out);
void report_folded(const struct report *r, FILE *out);
json_object *report_json(const struct report *r);

#endif /* KMEMTRACE_VIEWS_H */
