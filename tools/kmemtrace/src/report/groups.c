// SPDX-License-Identifier: GPL-2.0
/*
 * Groups of call sites, or of slab caches.
 */
#include "config.h"

#include <err.h>
#include <inttypes.h>
#include <string.h>

#include "common/callsite.h"
#include "common/memory.h"
#include "common/text.h"
#include "report/groups.h"
#include "report/view.h"

static void print_function(const struct site *site, FILE *out)
{
	callsite_print_full(&site->ref, site->note, out);
	fputs(site->which, out);
}

static void print_line(const struct site *site, FILE *out)
{
	print_function(site, out);
	if (site->line.file) {
		putc(' ', out);
		text_print(site->line.file, out);
		fprintf(out, ":%d", site->line.line);
	}
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

static void print_file(const struct site *site, FILE *out)
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

/* ---- who allocated ---- */

/* Tell memory without a call path apart by its call site. */
static void keys_of_path(const struct report *r, const struct kmemtrace_kind *kind,
			 uint64_t keys[2])
{
	keys[0] = kind->path;
	if (!kmemtrace_get_path(r->trace, kind->path)->depth)
		keys[1] = kind->call_site;
}

/* Print the functions of a call path, that of the call site first; an unknown path has no other. */
void print_call_path(const struct report *r, const struct kmemtrace_call_path *path,
		     uint64_t call_site, FILE *out)
{
	struct site site;
	size_t i;

	for (i = 0; i < path->depth || !i; i++) {
		site = site_find(r, path->depth ? path->frames[i] : call_site);
		fputs(i ? " <- " : "", out);
		print_function(&site, out);
	}
	if (!path->depth && path->number)
		fputs(" <- (unknown)", out);
	else if (path->is_cut)
		fputs(" <- (more)", out);
}

static void print_path(const struct report *r, const uint64_t keys[2], FILE *out)
{
	print_call_path(r, kmemtrace_get_path(r->trace, keys[0]), keys[1], out);
}

static void key_of_task(const struct report *r, const struct kmemtrace_kind *kind,
			uint64_t keys[2])
{
	(void)r;
	keys[0] = kind->task;
}

static void print_task(const struct report *r, const uint64_t keys[2], FILE *out)
{
	fputs(kmemtrace_get_task(r->trace, keys[0])->name, out);
}

static void key_of_process(const struct report *r, const struct kmemtrace_kind *kind,
			   uint64_t keys[2])
{
	keys[0] = kmemtrace_get_task(r->trace, kind->task)->process;
}

static void print_process(const struct report *r, const uint64_t keys[2], FILE *out)
{
	const struct kmemtrace_process *p = kmemtrace_get_process(r->trace, keys[0]);

	if (p->context == KMEMTRACE_IN_TASK && p->tgid) {
		text_print(p->comm, out);
		fprintf(out, "-%u", p->tgid);
	} else {
		fputs(p->name, out);
	}
}

static void key_of_cgroup(const struct report *r, const struct kmemtrace_kind *kind,
			  uint64_t keys[2])
{
	(void)r;
	keys[0] = kind->cgroup;
}

static void print_cgroup(const struct report *r, const uint64_t keys[2], FILE *out)
{
	const struct kmemtrace_memory_cgroup *c = kmemtrace_get_cgroup(r->trace, keys[0]);

	if (!c->number)
		fputs("(none)", out);
	else if (c->path)
		text_print(c->path, out);
	else
		fprintf(out, "(cgroup %" PRIu64 ")", c->number);
}

const struct group_key group_keys[] = {
	{ "site", "call sites", .column = "call site" },
	{ "line", "lines", "line", .print = print_line },
	{ "function", "functions", "function", .print = print_function },
	{ "file", "files", "file", .print = print_file, .needs_source = true },
	{ "dir", "directories", "directory", .print = print_dir,
	  .needs_source = true, .is_tree = true },
	{ "module", "modules", "module", .print = print_site_module },
	{ "stack", "call paths", "call path", .print_who = print_path, .who = keys_of_path,
	  .with = KMEMTRACE_WITH_STACK },
	{ "task", "tasks", "task", .print_who = print_task, .who = key_of_task,
	  .with = KMEMTRACE_WITH_TASK },
	{ "process", "processes", "process", .print_who = print_process, .who = key_of_process,
	  .with = KMEMTRACE_WITH_TASK },
	{ "cgroup", "memory cgroups", "cgroup", .print_who = print_cgroup, .who = key_of_cgroup,
	  .with = KMEMTRACE_WITH_CGROUP },
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

/* Return how to group call sites where nothing is known of who allocated. */
const struct group_key *group_of_sites(const struct report *r)
{
	return r->group->print_who ? &group_keys[0] : r->group;
}

/* Return how many bytes of a name are that of the group above; 0 at the top. */
size_t group_above(const char *name)
{
	size_t len = strlen(name);

	while (len > 1 && name[len - 2] != '/')
		len--;
	return len > 1 ? len - 1 : 0;
}

/* Return whether group @i is directly below @above. In a list all groups are below "". */
bool groups_have(const struct groups *g, size_t i, const char *above)
{
	const char *name = g->list[i].name;
	size_t len = strlen(above);

	return !g->key->is_tree ||
	       (group_above(name) == len && !strncmp(name, above, len));
}

/* Print the name of a group; @of begins with a call site, or the number of a cache. */
static void print_name(const struct report *r, const struct group_key *key,
		       const uint64_t of[2], FILE *out)
{
	struct site site;

	if (key->print_who) {
		key->print_who(r, of, out);
		return;
	}
	if (key->print_cache) {
		key->print_cache(kmemtrace_get_cache(r->trace, of[0]), out);
		return;
	}
	site = site_find(r, of[0]);
	key->print(&site, out);
}

static char *name_of(const struct report *r, const struct group_key *key, const uint64_t of[2])
{
	char *name = NULL;
	size_t size;
	FILE *out = open_memstream(&name, &size);

	if (out)
		print_name(r, key, of, out);
	if (!out || fclose(out))
		errx(EXIT_UNUSABLE, "out of memory");
	return name;
}

/* Return the name of a call site's group, to be freed; NULL: it is in no group. */
char *group_name(const struct report *r, uint64_t addr)
{
	return r->group->print ? name_of(r, r->group, (uint64_t[2]) { addr }) : NULL;
}

/**
 * struct naming - the argument of the functions below
 * @r: the report
 * @key: how to group
 */
struct naming {
	const struct report *r;
	const struct group_key *key;
};

static bool key_of_kind(void *arg, const struct kmemtrace_kind *kind, uint64_t keys[2])
{
	const struct naming *n = arg;

	if (n->key->who)
		n->key->who(n->r, kind, keys);
	else
		keys[0] = n->key->print_cache ? kind->cache : kind->call_site;
	return true;
}

static char *name_of_keys(void *arg, const uint64_t keys[2])
{
	const struct naming *n = arg;

	return name_of(n->r, n->key, keys);
}

/* ---- trees ---- */

/* Append an empty group. Return its number. */
static size_t append(struct groups *g, const char *name)
{
	g->list = must_grow_list(g->list, g->nr, sizeof(*g->list));
	g->list[g->nr] = (struct kmemtrace_row) { .size = sizeof(*g->list), .name = name };
	return g->nr++;
}

/* Append an empty group for the first @len bytes of a name. Return its number. */
static size_t append_above(struct groups *g, const char *name, size_t len)
{
	char *above = strndup(name, len);

	if (!above)
		errx(EXIT_UNUSABLE, "out of memory");
	g->above = must_grow_list(g->above, g->nr_above, sizeof(*g->above));
	g->above[g->nr_above++] = above;
	return append(g, above);
}

/*
 * Add @row to the group of the first @len bytes of its name, and to all groups above.
 * Rows come in the order of names: a group that exists is the last one of its depth.
 */
static void add_to_tree(struct groups *g, const struct kmemtrace_row *row, size_t len)
{
	size_t i, above;
	char name[len + 1];

	memcpy(name, row->name, len);
	name[len] = '\0';
	above = group_above(name);
	if (above)
		add_to_tree(g, row, above);
	/* The groups below a group follow it in the list. */
	for (i = g->nr; i > 0 && !strncmp(g->list[i - 1].name, name, len); i--)
		if (!g->list[i - 1].name[len])
			break;
	if (!i || strcmp(g->list[i - 1].name, name))
		i = append_above(g, name, len) + 1;
	kmemtrace_row_add(&g->list[i - 1], row);
}

static int by_order(const void *a, const void *b, void *arg)
{
	const enum kmemtrace_order *order = arg;
	const struct kmemtrace_row *x = a, *y = b;
	uint64_t i = kmemtrace_value(x, *order), j = kmemtrace_value(y, *order);

	if (i == j) {
		i = x->bytes_alloc;
		j = y->bytes_alloc;
	}
	if (i != j)
		return i > j ? -1 : 1;
	/* A directory comes before its entry of the same size. */
	return strcmp(x->name, y->name);
}

/* ---- lists ---- */

/**
 * groups_collect - group the call sites or the caches of an allocator
 * @g: result, to be freed with groups_free()
 * @r: the report
 * @space: the allocator
 * @key: how to group
 * @order: order of the groups
 */
void groups_collect(struct groups *g, const struct report *r,
		    enum kmemtrace_space space, const struct group_key *key,
		    enum kmemtrace_order order)
{
	bool is_named = key->print || key->print_cache || key->print_who;
	struct naming n = { r, key };
	const struct kmemtrace_grouping grouping = {
		.size = sizeof(grouping),
		.keys = key_of_kind,
		.name = is_named ? name_of_keys : NULL,
		.is_by_name = is_named,
		.arg = &n,
	};
	const struct kmemtrace_row *row;
	size_t i;

	*g = (struct groups) { .key = key };
	rows_group(&g->rows, r, space, &grouping, key->is_tree ? KMEMTRACE_KEYS : order);
	for (i = 0; (row = kmemtrace_rows_get(g->rows, i)); i++) {
		if (key->is_tree) {
			add_to_tree(g, row, strlen(row->name));
		} else {
			append(g, NULL);
			g->list[g->nr - 1] = *row;
		}
	}
	if (key->is_tree && g->nr)
		qsort_r(g->list, g->nr, sizeof(*g->list), by_order, &order);
}

/* Free what groups_collect() allocated. */
void groups_free(struct groups *g)
{
	size_t i;

	for (i = 0; i < g->nr_above; i++)
		free(g->above[i]);
	free(g->above);
	free(g->list);
	kmemtrace_rows_close(g->rows);
}
