/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Groups of call sites, or of slab caches.
 */
#ifndef KMEMTRACE_GROUPS_H
#define KMEMTRACE_GROUPS_H

#include <stdbool.h>

#include "report/site.h"

/**
 * struct group_key - how to group
 * @name: as given to --group-by
 * @rows: plural for titles
 * @column: singular for the heading of a column
 * @print: prints the name of a call site's group in printable characters; NULL: each call
 *	site is a group without a name
 * @print_cache: if not NULL, slab caches are grouped instead; prints the name of a cache's group
 * @print_who: if not NULL, groups are those of who allocated; prints the name of a group for its
 *	keys, which are set by @who
 * @who: sets the keys of a kind
 * @with: enum kmemtrace_with: what the trace must have; 0: any trace has it
 * @needs_source: the name needs a vmlinux
 * @is_tree: names end with a slash, and each directory above is a group, too
 */
struct group_key {
	const char *name;
	const char *rows, *column;
	void (*print)(const struct site *site, FILE *out);
	void (*print_cache)(const struct kmemtrace_slab_cache *cache, FILE *out);
	void (*print_who)(const struct report *r, const uint64_t keys[2], FILE *out);
	void (*who)(const struct report *r, const struct kmemtrace_kind *kind, uint64_t keys[2]);
	unsigned int with;
	bool needs_source;
	bool is_tree;
};

extern const struct group_key group_keys[];

const struct group_key *group_key_find(const char *name);
const struct group_key *group_of_sites(const struct report *r);

/**
 * struct groups - the groups of an allocator
 * @key: how they were grouped
 * @list: a row for each group; of a call site without a group, the key is its address
 * @nr: entries of @list
 */
struct groups {
	const struct group_key *key;
	struct kmemtrace_row *list;
	size_t nr;

	/* private: the names */
	struct kmemtrace_rows *rows;
	char **above;
	size_t nr_above;
};

void groups_collect(struct groups *g, const struct report *r,
		    enum kmemtrace_space space, const struct group_key *key,
		    enum kmemtrace_order order);
void groups_free(struct groups *g);

void print_call_path(const struct report *r, const struct kmemtrace_call_path *path,
		     uint64_t call_site, FILE *out);

char *group_name(const struct report *r, uint64_t addr);
size_t group_above(const char *name);
bool groups_have(const struct groups *g, size_t i, const char *above);

#endif /* KMEMTRACE_GROUPS_H */
