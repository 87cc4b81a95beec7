/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Groups of call sites, as rows of the report.
 */
#ifndef KMEMTRACE_LIST_H
#define KMEMTRACE_LIST_H

#include "report/groups.h"

/**
 * struct list - the groups of a namespace, in order
 * @r: the report
 * @g: the groups
 * @space: the namespace
 * @limit: so many of them are shown
 */
struct list {
	const struct report *r;
	struct groups g;
	enum space space;
	size_t limit;
};

/* Prints the counters of a group, the first of the list or not, up to its name. */
typedef void list_counters(const struct list *list, const struct row *row,
			   bool first, FILE *out);

void list_collect(struct list *list, const struct report *r, enum space space,
		  const struct sort_key *order);
void list_end(struct list *list, const struct sort_key *order);
void list_text(const struct list *list, list_counters *counters, FILE *out);
json_object *list_json(const struct list *list,
		       json_object *(*counters)(json_object *obj,
						const struct row *row));
void list_free(struct list *list);

#endif /* KMEMTRACE_LIST_H */
