/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Groups of allocations, in trees and differences.
 */
#ifndef KMEMTRACE_GROUPS_H
#define KMEMTRACE_GROUPS_H

#include <stdbool.h>

#include "report/figures.h"
#include "report/site.h"

/**
 * struct group_key - how to group allocations
 * @name: as given to --group-by; the column of a relation that has the name of a group
 * @rows: plural for titles
 * @column: singular for the heading of a column
 * @print: prints the name of a call site's group in printable characters; NULL: each call
 *	site is a group, or groups are not those of call sites
 * @print_row: prints the name of the group of a row; NULL: the column @name has it
 * @relation: the relation; NULL: "sites", grouped by @name
 * @where: its rows, or NULL
 * @with: enum kmemtrace_with: what the trace must have; 0: any trace has it
 * @needs_source: the name needs a vmlinux
 * @is_of_slab: only slab has such groups
 * @joins_callers: neighbours of one group are one frame of a call path
 * @names_function: the name of a call site's group ends with which function of its name it is
 * @is_tree: names end with a slash, and each directory above is a group, too
 */
struct group_key {
	const char *name;
	const char *rows, *column;
	void (*print)(const struct site *site, FILE *out);
	void (*print_row)(struct kmemtrace_relation *row, FILE *out);
	const char *relation, *where;
	unsigned int with;
	bool needs_source, is_of_slab, joins_callers;
	bool names_function, is_tree;
};

/* What a program says that can't group by file and dir. */
#define GROUP_NEEDS_VMLINUX	"--group-by file and dir need --vmlinux"

extern const struct group_key group_keys[];

const struct group_key *group_key_find(const char *name);
char *group_lack(const struct group_key *key, const struct kmemtrace_trace *trace);
const struct group_key *group_of_sites(const struct report *r);

/**
 * struct group - a group
 * @name: its name
 * @figures: its figures
 * @is_rest: it is below the list, see kmemtrace_relation_is_rest()
 */
struct group {
	char *name;
	struct figures figures;
	bool is_rest;
};

/**
 * struct groups - the groups of an allocator
 * @key: how they were grouped
 * @list: the groups
 * @nr: entries of @list
 */
struct groups {
	const struct group_key *key;
	struct group *list;
	size_t nr;
};

void groups_collect(struct groups *g, const struct report *r, enum kmemtrace_space space,
		    const struct group_key *key);
void groups_add_above(struct groups *g, const struct kmemtrace_column *order);
void groups_free(struct groups *g);

char *group_name(const struct report *r, uint64_t addr);
size_t group_above(const char *name);

#endif /* KMEMTRACE_GROUPS_H */
