/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call sites that have something in common, as one.
 */
#ifndef KMEMTRACE_GROUPS_H
#define KMEMTRACE_GROUPS_H

#include <stdbool.h>

#include "report/site.h"

/**
 * struct group_key - what call sites may have in common
 * @name: as given to --group-by
 * @rows: what a title calls several
 * @column: what the head of a column calls one
 * @print: names the group that a call site belongs to, in printable characters;
 *	NULL: each call site is one of its own
 * @needs_source: nothing can be said without a vmlinux
 * @is_tree: names end with a slash, and what is above them is a group as well
 */
struct group_key {
	const char *name;
	const char *rows, *column;
	void (*print)(const struct site *site, FILE *out);
	bool needs_source;
	bool is_tree;
};

extern const struct group_key group_keys[];

const struct group_key *group_key_find(const char *name);

/**
 * struct group - call sites that are shown as one
 * @name: of the group; NULL for a call site that is one of its own
 * @row: counters of all of them; the key is the address of a call site without
 *	@name, and 0 otherwise
 */
struct group {
	char *name;
	struct row row;
};

/**
 * struct groups - the call sites of a namespace
 * @key: what those of a group have in common
 * @sum: of all of them
 * @list: those that allocated or have something, by name
 * @nr: of @list
 */
struct groups {
	const struct group_key *key;
	struct row sum;
	struct group *list;
	size_t nr;
};

void groups_collect(struct groups *g, const struct report *r, enum space space,
		    const struct group_key *key);
void groups_sort(struct groups *g, const struct sort_key *key);
void groups_free(struct groups *g);

char *group_name(const struct report *r, uint64_t addr);
size_t group_above(const char *name);
bool groups_have(const struct groups *g, size_t i, const char *above);

#endif /* KMEMTRACE_GROUPS_H */
