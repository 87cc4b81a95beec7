// SPDX-License-Identifier: GPL-2.0
/*
 * Views: directories of call sites, as a tree.
 */
#include "config.h"

#include <string.h>

#include "report/format.h"
#include "report/groups.h"
#include "report/table.h"
#include "report/view.h"

/**
 * struct tree - the directories of an allocator
 * @r: the report
 * @g: the directories, in order
 * @space: the allocator
 * @nr: how many there are, without the rest
 * @limit: how many of these to show
 * @has_rest: the last one is the rest, and to be shown
 * @total: the figures of the allocator
 * @heading: of the names
 * @print: prints the figures of a directory; @is_first: it is the first one
 */
struct tree {
	const struct report *r;
	struct groups g;
	enum kmemtrace_space space;
	size_t nr, limit;
	bool has_rest;
	struct figures total;
	const char *heading;
	void (*print)(const struct tree *tree, const struct figures *f, bool is_first,
		      struct text_table *t);
};

static void collect_branches(struct tree *tree, const struct report *r, enum kmemtrace_space space,
			     const struct kmemtrace_column *order)
{
	*tree = (struct tree) { .r = r, .space = space, .heading = r->group->column };
	groups_collect(&tree->g, r, space, r->group);
	groups_add_above(&tree->g, order);
	figures_of_total(&tree->total, r, space);
	tree->has_rest = tree->g.nr && tree->g.list[tree->g.nr - 1].is_rest;
	tree->nr = tree->g.nr - tree->has_rest;
	tree->limit = view_limit(r, tree->nr);
}

/* Leave out the directories whose value is 0. */
static void drop_empty_branches(struct tree *tree, const struct kmemtrace_column *order)
{
	while (tree->limit && !sort_value(order, &tree->g.list[tree->limit - 1].figures))
		tree->limit--;
	if (tree->has_rest)
		tree->has_rest = sort_value(order, &tree->g.list[tree->nr].figures);
}

/* Return whether a directory is directly below another one, or "". */
static bool is_below(const char *name, const char *above)
{
	const size_t len = strlen(above);

	return group_above(name) == len && !strncmp(name, above, len);
}

/* Print the directories below one, or "", without the name of the one above. */
static void print_branches_below(const struct tree *tree, const char *above, int depth,
				 struct text_table *t)
{
	const char *name;
	size_t i;

	for (i = 0; i < tree->nr + tree->has_rest; i++) {
		name = tree->g.list[i].name;
		if ((i >= tree->limit && i < tree->nr) || !is_below(name, above))
			continue;
		tree->print(tree, &tree->g.list[i].figures, !i, t);
		fprintf(text_cell(t, -1, tree->heading), "%*s%s", 2 * depth, "",
			name + strlen(above));
		text_line_end(t);
		print_branches_below(tree, name, depth + 1, t);
	}
}

/* ---- call sites ---- */

/* The figures of a directory in full; what the list is sorted by follows them. */
#define SHOWN		"live_bytes,live,allocs,bytes_req,bytes,remote_frees"

static void print_branch_figures(const struct tree *tree, const struct figures *f, bool is_first,
				 struct text_table *t)
{
	char columns[64];

	(void)is_first;
	snprintf(columns, sizeof(columns), "live_bytes,live=%s,allocs,bytes_req,bytes",
		 space_infos[tree->space].unit);
	text_figures(t, f, columns);
	fputs(PERCENT(figure_value(f, "wasted"), figure_value(f, "bytes")),
	      text_cell(t, 6, "wasted"));
	text_figures(t, f, "remote_frees");
	if (sort_beside(tree->r, SHOWN))
		text_figures(t, f, tree->r->sort->name);
}

void sites_tree_text(const struct report *r, FILE *out)
{
	struct text_table t;
	struct tree tree;
	size_t nr = 0;
	int i;

	for (i = 0; i < NR_SPACES; i++, nr += tree.g.nr) {
		collect_branches(&tree, r, i, r->sort);
		tree.print = print_branch_figures;
		if (tree.g.nr)
			print_title(r, out, "%s: %zu of %zu %s%s, by %s", space_infos[i].title,
				    tree.limit, tree.nr, r->group->rows, title_suffix(r),
				    FIGURE_TITLE(r->sort));
		t = (struct text_table) { .r = r, .out = out };
		while (text_table_pass(&t))
			print_branches_below(&tree, "", 0, &t);
		groups_free(&tree.g);
	}
	if (!nr)
		print_title(r, out, "Call sites: none%s", title_suffix(r));
}

/* ---- the owners of the peak ---- */

static void print_owner(const struct tree *tree, const struct figures *f, bool is_first,
			struct text_table *t)
{
	(void)is_first;
	text_figures(t, f, "peak_bytes=live then");
	text_share(t, figure_value(f, "peak_bytes"), figure_value(&tree->total, "peak_bytes"));
	text_figures(t, f, "live_bytes=now");
}

/* Print the owners of the peak of an allocator. */
void peak_tree_text(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	const struct kmemtrace_column *by_peak = figure_find("peak_bytes");
	struct text_table t = { .r = r, .out = out };
	struct tree tree;

	collect_branches(&tree, r, space, by_peak);
	tree.print = print_owner;
	drop_empty_branches(&tree, by_peak);
	while (text_table_pass(&t))
		print_branches_below(&tree, "", 0, &t);
	groups_free(&tree.g);
}

/* ---- the overview ---- */

static void print_brief(const struct tree *tree, const struct figures *f, bool is_first,
			struct text_table *t)
{
	const struct kmemtrace_column *sort = tree->r->sort;

	fputs(is_first ? space_infos[tree->space].name : "", text_cell(t, -7, "Sites"));
	text_figures(t, f, sort->name);
	text_share(t, sort_value(sort, f), sort_value(sort, &tree->total));
	text_figures(t, f, "allocs");
}

/* Print the first directories of each allocator in the overview. Return false: there are none. */
bool sites_tree_brief(const struct report *r, size_t usual, const char *heading, FILE *out)
{
	struct text_table t = { .r = r, .out = out, .is_titled = true };
	struct tree trees[NR_SPACES];
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		collect_branches(&trees[i], r, i, r->sort);
		trees[i].print = print_brief;
		trees[i].heading = heading;
		trees[i].limit = brief_limit(r, trees[i].nr,
					     brief_rows(i, usual, trees[i].has_rest));
		drop_empty_branches(&trees[i], r->sort);
	}
	while (text_table_pass(&t))
		for (i = 0; i < NR_SPACES; i++)
			print_branches_below(&trees[i], "", 0, &t);
	for (i = 0; i < NR_SPACES; i++)
		groups_free(&trees[i].g);
	return t.nr;
}
