// SPDX-License-Identifier: GPL-2.0
/*
 * Groups of allocations, in trees and differences.
 */
#include "config.h"

#include <string.h>

#include "common/callsite.h"
#include "common/memory.h"
#include "common/text.h"
#include "report/format.h"
#include "report/groups.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

static void print_function(const struct site *site, FILE *out)
{
	callsite_print_full(&site->ref, site->note, out);
	fputs(site->which, out);
}

static void print_group_line(const struct site *site, FILE *out)
{
	print_function(site, out);
	print_source_line(site->line.file, site->line.line, NULL, out);
}

/* Print a name for the source file of a module: the vmlinux does not have it. */
static void print_sourceless(const struct site *site, FILE *out)
{
	if (site->ref.module) {
		putc('[', out);
		text_print(site->ref.module, out);
		putc(']', out);
	} else {
		fprintf(out, "(%s)", site->note ? site->note : "no source");
	}
}

static void print_group_file(const struct site *site, FILE *out)
{
	if (site->line.file)
		text_print(site->line.file, out);
	else
		print_sourceless(site, out);
}

static void print_dir(const struct site *site, FILE *out)
{
	const char *file = site->line.file, *slash;
	char dir[4096];

	if (!file) {
		print_sourceless(site, out);
		return;
	}
	text_printable(dir, sizeof(dir), file);
	slash = strrchr(dir, '/');
	fprintf(out, "%.*s/", slash ? (int)(slash - dir) : 1, slash ? dir : ".");
}

const struct group_key group_keys[] = {
	{ "site", "call sites", "call site", .print_row = print_key, .names_function = true },
	{ "line", "lines", "line", .print = print_group_line, .print_row = print_key },
	{ "function", "functions", "function", .print = print_function, .names_function = true },
	{ "file", "files", "file", .print = print_group_file, .needs_source = true,
	  .joins_callers = true },
	{ "dir", "directories", "directory", .print = print_dir,
	  .needs_source = true, .joins_callers = true, .is_tree = true },
	{ "module", "modules", "module", .print = print_site_module, .joins_callers = true },
	{ "stack", "call paths", "call path", .with = KMEMTRACE_WITH_STACK },
	{ "task", "tasks", "task", .with = KMEMTRACE_WITH_TASK },
	{ "task_name", "names of tasks", "task name", .with = KMEMTRACE_WITH_TASK },
	{ "process", "processes", "process", .with = KMEMTRACE_WITH_TASK },
	{ "cgroup", "memory cgroups", "cgroup", .with = KMEMTRACE_WITH_CGROUP },
	{ .name = NULL }
};

/* Return the key with a name, or NULL. */
const struct group_key *group_key_find(const char *name)
{
	const struct group_key *key;

	for (key = group_keys; key->name; key++)
		if (!strcmp(key->name, name))
			return key;
	return NULL;
}

/* Return what to say if a trace can't be grouped by a key, to be freed; NULL: it can. */
char *group_lack(const struct group_key *key, const struct kmemtrace_trace *trace)
{
	char *text = NULL;

	if (key->with & ~kmemtrace_get_with(trace) &&
	    asprintf(&text, "--group-by %s: %s", key->name, lack_text(key->with)) < 0)
		out_of_memory();
	return text;
}

/* Return how to group call sites where nothing is known of who allocated. */
const struct group_key *group_of_sites(const struct report *r)
{
	return r->group->with ? &group_keys[0] : r->group;
}

/* Return how many bytes of a name are that of the group above; 0 at the top. */
size_t group_above(const char *name)
{
	size_t len = strlen(name);

	while (len > 1 && name[len - 2] != '/')
		len--;
	return len > 1 ? len - 1 : 0;
}

/* Return the name of a call site's group, to be freed; NULL: it is in no group. */
char *group_name(const struct report *r, uint64_t addr)
{
	const struct site site = site_find(r, addr);
	char *name = NULL;
	size_t size;
	FILE *out;

	if (!r->group->print)
		return NULL;
	out = open_memstream(&name, &size);
	if (out)
		r->group->print(&site, out);
	if (!out || fclose(out))
		out_of_memory();
	return name;
}

/* ---- lists ---- */

static char *name_of_row(const struct group_key *key, struct kmemtrace_relation *row)
{
	char *name = NULL;
	size_t size;
	FILE *out = open_memstream(&name, &size);

	if (out && key->print_row)
		key->print_row(row, out);
	else if (out)
		print_cell(row, key->name, out);
	if (!out || fclose(out))
		out_of_memory();
	return name;
}

static int by_group_name(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Make one group of those with one name. */
static void join(struct groups *g)
{
	size_t i, nr = 0;

	if (g->nr)
		qsort(g->list, g->nr, sizeof(*g->list), by_group_name);
	for (i = 0; i < g->nr; i++) {
		if (nr && !by_group_name(&g->list[nr - 1], &g->list[i])) {
			figures_add(&g->list[nr - 1].figures, &g->list[i].figures);
			free(g->list[i].name);
		} else {
			g->list[nr++] = g->list[i];
		}
	}
	g->nr = nr;
}

/* Append a group. */
static struct group *append(struct groups *g, char *name)
{
	g->list = must_grow_list(g->list, g->nr, sizeof(*g->list));
	g->list[g->nr] = (struct group) { .name = name };
	return &g->list[g->nr++];
}

/**
 * groups_collect - group the allocations of an allocator
 * @g: result, in the order of names, to be freed with groups_free()
 * @r: the report
 * @space: the allocator
 * @key: how to group
 */
void groups_collect(struct groups *g, const struct report *r, enum kmemtrace_space space,
		    const struct group_key *key)
{
	struct kmemtrace_relation *rows = relation_of(r, key->relation ? key->relation : "sites",
						      .where = WHERE(space, key->where),
						      .group_by = key->relation ? NULL : key->name);
	struct group *group;

	*g = (struct groups) { .key = key };
	while (kmemtrace_relation_next(rows)) {
		group = append(g, name_of_row(key, rows));
		figures_read(&group->figures, rows);
		group->is_rest = kmemtrace_relation_is_rest(rows);
	}
	kmemtrace_relation_close(rows);
	join(g);
}

/* Free what groups_collect() allocated. */
void groups_free(struct groups *g)
{
	size_t i;

	for (i = 0; i < g->nr; i++)
		free(g->list[i].name);
	free(g->list);
}

/* ---- trees ---- */

static int by_order(const void *a, const void *b, void *order)
{
	const struct group *x = a, *y = b;
	uint64_t i = sort_value(order, &x->figures), j = sort_value(order, &y->figures);

	if (x->is_rest != y->is_rest)
		return x->is_rest - y->is_rest;
	if (i == j) {
		i = figure_value(&x->figures, "bytes");
		j = figure_value(&y->figures, "bytes");
	}
	/* A directory comes before its entry of the same size. */
	return i == j ? by_group_name(a, b) : i > j ? -1 : 1;
}

/**
 * groups_add_above - add the directories above groups, which have the figures of all below
 * @g: the groups
 * @order: their new order
 */
void groups_add_above(struct groups *g, const struct kmemtrace_column *order)
{
	const size_t nr = g->nr;
	struct group *above;
	size_t i, len;
	char *name;

	for (i = 0; i < nr; i++) {
		for (len = group_above(g->list[i].name); len; len = group_above(name)) {
			name = strndup(g->list[i].name, len);
			if (!name)
				out_of_memory();
			above = append(g, name);
			above->figures = g->list[i].figures;
		}
	}
	join(g);
	if (g->nr)
		qsort_r(g->list, g->nr, sizeof(*g->list), by_order, (void *)order);
}
