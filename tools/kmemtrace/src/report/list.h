/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists of groups of call sites.
 */
#ifndef KMEMTRACE_LIST_H
#define KMEMTRACE_LIST_H

#include "report/groups.h"

/**
 * struct list - the groups of an allocator, in order
 * @r: the report
 * @g: the groups
 * @space: the allocator
 * @limit: how many to show
 */
struct list {
	const struct report *r;
	struct groups g;
	enum kmemtrace_space space;
	size_t limit;
};

/* Prints the counters of a group, before its name. @first: it is the first of the list */
typedef void list_counters(const struct list *list, const struct kmemtrace_row *row,
			   bool first, FILE *out);

void list_collect(struct list *list, const struct report *r, enum kmemtrace_space space,
		  const struct sort_key *order);
void list_end(struct list *list, const struct sort_key *order);
void list_text(const struct list *list, list_counters *counters, FILE *out);
void list_free(struct list *list);

#endif /* KMEMTRACE_LIST_H */
