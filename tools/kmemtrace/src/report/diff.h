/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What changed from one trace to another.
 */
#ifndef KMEMTRACE_DIFF_H
#define KMEMTRACE_DIFF_H

#include "report/groups.h"

/**
 * struct threshold - by how much a namespace may grow
 * @amount: so much, in units of the sort key
 * @is_percent: @amount is in percent of what it was
 */
struct threshold {
	uint64_t amount;
	bool is_percent;
};

int threshold_parse(struct threshold *t, const char *text);

/**
 * struct delta - what became of a group of call sites
 * @name: of the group
 * @before: its counters, all zero if it is new
 * @after: its counters, all zero if it is gone
 */
struct delta {
	const char *name;
	const struct row *before, *after;
};

/**
 * struct deltas - a namespace
 * @before: its groups
 * @after: its groups
 * @list: the groups that differ, those that changed most first
 * @nr: of @list
 */
struct deltas {
	struct groups before, after;
	struct delta *list;
	size_t nr;
};

/**
 * struct diff - two traces
 * @before: what to show of the first; how to show it is taken from here
 * @after: the same of the second
 * @allowed: growth, NULL for any
 * @of: each namespace
 */
struct diff {
	const struct report *before, *after;
	const struct threshold *allowed;
	struct deltas of[NR_SPACES];
};

void diff_init(struct diff *d, const struct report *before,
	       const struct report *after, const struct threshold *allowed);
bool diff_is_empty(const struct diff *d);
bool diff_exceeds(const struct diff *d, enum space space);
const char *delta_status(const struct delta *d);
void diff_text(const struct diff *d, FILE *out);
json_object *diff_json(const struct diff *d);
void diff_free(struct diff *d);

#endif /* KMEMTRACE_DIFF_H */
