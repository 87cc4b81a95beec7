/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The difference of two traces.
 */
#ifndef KMEMTRACE_DIFF_H
#define KMEMTRACE_DIFF_H

#include <json-c/json.h>

#include "report/document.h"
#include "report/groups.h"

/**
 * struct threshold - the allowed growth of an allocator
 * @amount: in units of the sort key
 * @is_percent: @amount is in percent of the first trace
 */
struct threshold {
	uint64_t amount;
	bool is_percent;
};

int threshold_parse(struct threshold *t, const char *text);

/**
 * struct delta - a group of call sites or caches in both traces
 * @name: of the group
 * @was: its name in the first trace, if the kernels have different names for it; else NULL
 * @before: its figures, all zero if it is new
 * @after: its figures, all zero if it is gone
 * @is_rest: it is below the list, see kmemtrace_relation_is_rest()
 */
struct delta {
	const char *name, *was;
	const struct figures *before, *after;
	bool is_rest;
};

/**
 * struct deltas - an allocator, or the slab caches
 * @before: its groups in the first trace
 * @after: its groups in the second trace
 * @list: the groups that differ, the largest change first, the rest last
 * @nr: entries of @list
 */
struct deltas {
	struct groups before, after;
	struct delta *list;
	size_t nr;
};

/**
 * struct diff - two traces
 * @before: the first trace, and how to show both
 * @after: the second trace
 * @allowed: allowed growth, NULL: any
 * @of: by allocator
 * @caches: the slab caches; empty if a trace doesn't have them
 */
struct diff {
	const struct report *before, *after;
	const struct threshold *allowed;
	struct deltas of[NR_SPACES];
	struct deltas caches;
};

void diff_init(struct diff *d, const struct report *before,
	       const struct report *after, const struct threshold *allowed);
bool diff_is_empty(const struct diff *d);
bool diff_exceeds(const struct diff *d, enum kmemtrace_space space);
const char *delta_status(const struct delta *d);
size_t deltas_listed(const struct deltas *ds);
void diff_text(const struct diff *d, FILE *out);
const struct document_table *diff_tables(void);
void diff_print_json(const struct diff *d, FILE *out);
json_object *diff_schema(void);
void diff_free(struct diff *d);

#endif /* KMEMTRACE_DIFF_H */
