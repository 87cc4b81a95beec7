// SPDX-License-Identifier: GPL-2.0
/*
 * Call sites that have something in common, as one.
 */
#include "config.h"

#include <err.h>
#include <string.h>

#include "common/memory.h"
#include "common/text.h"
#include "read/callsite.h"
#include "report/groups.h"
#include "report/view.h"

static void print_function(const struct site *site, FILE *out)
{
	callsite_print_full(&site->ref, site->note, out);
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

/* The vmlinux has nothing on modules. */
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

const struct group_key group_keys[] = {
	{ "site", "call sites", .column = "call site" },
	{ "line", "lines", "line", .print = print_line },
	{ "function", "functions", "function", .print = print_function },
	{ "file", "files", "file", .print = print_file, .needs_source = true },
	{ "dir", "directories", "directory", .print = print_dir,
	  .needs_source = true, .is_tree = true },
	{ "module", "modules", "module", .print = print_site_module },
	{ .name = NULL }
};

/* The key of that name, or NULL. */
const struct group_key *group_key_find(const char *name)
{
	const struct group_key *key;

	for (key = group_keys; key->name; key++)
		if (!strcmp(key->name, name))
			return key;
	return NULL;
}

/* In a tree: so much of a name is that of the group above, 0 at the top. */
size_t group_above(const char *name)
{
	size_t len = strlen(name);

	while (len > 1 && name[len - 2] != '/')
		len--;
	return len > 1 ? len - 1 : 0;
}

/* Is a group one of those right below @above? In a list all are below "". */
bool groups_have(const struct groups *g, size_t i, const char *above)
{
	const char *name = g->list[i].name;
	size_t len = strlen(above);

	return !g->key->is_tree ||
	       (group_above(name) == len && !strncmp(name, above, len));
}

/* Takes @name. */
static void append(struct groups *g, char *name, const struct row *row)
{
	struct group *group;

	g->list = must_grow_list(g->list, g->nr, sizeof(*g->list));
	group = &g->list[g->nr++];
	*group = (struct group) { .name = name, .row = *row };
	if (name)
		group->row.key = 0;
}

static char *must_strndup(const char *text, size_t len)
{
	char *copy = strndup(text, len);

	if (!copy)
		errx(EXIT_UNUSABLE, "out of memory");
	return copy;
}

static char *name_of(const struct group_key *key, const struct site *site)
{
	char *name = NULL;
	size_t size;
	FILE *out = open_memstream(&name, &size);

	if (out)
		key->print(site, out);
	if (!out || fclose(out))
		errx(EXIT_UNUSABLE, "out of memory");
	return name;
}

/* That of the group of -g that a call site belongs to, to be freed; NULL: its own. */
char *group_name(const struct report *r, uint64_t addr)
{
	const struct site site = site_find(r, addr);

	return r->group->print ? name_of(r->group, &site) : NULL;
}

/* Append a call site under its group's name, and under those above. */
static void append_named(struct groups *g, const struct report *r,
			 const struct row *row)
{
	const struct site site = site_find(r, row->key);
	char *name = name_of(g->key, &site);
	size_t len;

	append(g, name, row);
	while (g->key->is_tree && (len = group_above(name))) {
		name = must_strndup(name, len);
		append(g, name, row);
	}
}

static int by_name(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Groups of one name become one. */
static void merge_names(struct groups *g)
{
	size_t i, nr = 0;

	if (g->nr)
		qsort(g->list, g->nr, sizeof(*g->list), by_name);
	for (i = 0; i < g->nr; i++) {
		if (nr && !by_name(&g->list[nr - 1], &g->list[i])) {
			row_add(&g->list[nr - 1].row, &g->list[i].row);
			free(g->list[i].name);
		} else {
			g->list[nr++] = g->list[i];
		}
	}
	g->nr = nr;
}

/* Those that only free are of no interest. */
static void drop_empty(struct groups *g)
{
	size_t i, nr = 0;

	for (i = 0; i < g->nr; i++) {
		if (row_is_used(&g->list[i].row))
			g->list[nr++] = g->list[i];
		else
			free(g->list[i].name);
	}
	g->nr = nr;
}

/**
 * groups_collect - group the call sites of a namespace
 * @g: result
 * @r: of this trace
 * @space: of this namespace
 * @key: by this
 */
void groups_collect(struct groups *g, const struct report *r, enum space space,
		    const struct group_key *key)
{
	const struct table *sites = &r->trace->ledger.stats.sites[space];
	uint32_t i;

	*g = (struct groups) { .key = key };
	for (i = 0; i < sites->nr; i++) {
		row_add(&g->sum, &sites->rows[i]);
		if (key->print)
			append_named(g, r, &sites->rows[i]);
		else
			append(g, NULL, &sites->rows[i]);
	}
	if (key->print)
		merge_names(g);
	drop_empty(g);
}

static int by_sort_key(const void *a, const void *b, void *key)
{
	const struct group *x = a, *y = b;
	int order = compare_rows(&x->row, &y->row, key);

	/* In a tree, what is above comes before what is as large. */
	return order || !x->name ? order : strcmp(x->name, y->name);
}

/* Largest first. */
void groups_sort(struct groups *g, const struct sort_key *key)
{
	if (g->nr)
		qsort_r(g->list, g->nr, sizeof(*g->list), by_sort_key, (void *)key);
}

/* Give back what groups_collect() took. */
void groups_free(struct groups *g)
{
	size_t i;

	for (i = 0; i < g->nr; i++)
		free(g->list[i].name);
	free(g->list);
}
