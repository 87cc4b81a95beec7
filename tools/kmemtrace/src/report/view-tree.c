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
 * @limit: how many to show
 * @total: the figures of the allocator
 * @print: prints the figures of a directory; @is_first: it is the first one
 */
struct tree {
	const struct report *r;
	struct groups g;
	enum kmemtrace_space space;
	size_t limit;
	struct figures total;
	void (*print)(const struct tree *tree, const struct figures *f, bool is_first, FILE *out);
};

static void collect_branches(struct tree *tree, const struct report *r, enum kmemtrace_space space,
			     const struct kmemtrace_column *order)
{
	*tree = (struct tree) { .r = r, .space = space };
	groups_collect(&tree->g, r, space, r->group);
	groups_add_above(&tree->g, order);
	figures_of_total(&tree->total, r, space);
	tree->limit = view_limit(r, tree->g.nr);
}

/* Leave out the directories whose value is 0. */
static void drop_empty_branches(struct tree *tree, const struct kmemtrace_column *order)
{
	while (tree->limit && !sort_value(order, &tree->g.list[tree->limit - 1].figures))
		tree->limit--;
}

/* Return whether a directory is directly below another one, or "". */
static bool is_below(const char *name, const char *above)
{
	const size_t len = strlen(above);

	return group_above(name) == len && !strncmp(name, above, len);
}

/* Print the directories below one, or "", without the name of the one above. */
static void print_branches_below(const struct tree *tree, const char *above, int depth, FILE *out)
{
	const char *name;
	size_t i;

	for (i = 0; i < tree->limit; i++) {
		name = tree->g.list[i].name;
		if (!is_below(name, above))
			continue;
		tree->print(tree, &tree->g.list[i].figures, !i, out);
		fprintf(out, "  %*s%s\n", 2 * depth, "", name + strlen(above));
		print_branches_below(tree, name, depth + 1, out);
	}
}

/* ---- call sites ---- */

/* The figures of a directory in full; what the list is sorted by follows them. */
#define SHOWN		"live_bytes,live,allocs,bytes_req,bytes,remote_frees"
#define SORT_WIDTH	14

static void print_branch_figures(const struct tree *tree, const struct figures *f, bool is_first,
				 FILE *out)
{
	const struct report *r = tree->r;

	(void)is_first;
	figure_text(r, f, "live_bytes", 10, out);
	figure_text(r, f, "live", 10, out);
	figure_text(r, f, "allocs", 11, out);
	figure_text(r, f, "bytes_req", 9, out);
	figure_text(r, f, "bytes", 9, out);
	fprintf(out, " %6s", PERCENT(figure_value(f, "wasted"), figure_value(f, "bytes")));
	figure_text(r, f, "remote_frees", 9, out);
	if (sort_beside(r, SHOWN))
		figure_text(r, f, r->sort->name, SORT_WIDTH, out);
}

static void print_tree_heading(const struct tree *tree, FILE *out)
{
	const struct report *r = tree->r;
	const char *error = error_blanks(r);

	print_title(r, out, "%s: %zu of %zu %s%s, by %s", space_infos[tree->space].title,
		    tree->limit, tree->g.nr, r->group->rows, title_suffix(r), FIGURE_TITLE(r->sort));
	fprintf(out, " live bytes%s %10s%s allocations%s requested allocated%s wasted    remote",
		error, space_infos[tree->space].unit, error, error, error);
	if (sort_beside(r, SHOWN))
		figure_heading(r, r->sort, SORT_WIDTH, out);
	fprintf(out, "  %s\n", r->group->column);
}

void sites_tree_text(const struct report *r, FILE *out)
{
	struct tree tree;
	size_t nr = 0;
	int i;

	for (i = 0; i < NR_SPACES; i++, nr += tree.g.nr) {
		collect_branches(&tree, r, i, r->sort);
		tree.print = print_branch_figures;
		if (tree.g.nr)
			print_tree_heading(&tree, out);
		print_branches_below(&tree, "", 0, out);
		groups_free(&tree.g);
	}
	if (!nr)
		print_title(r, out, "Call sites: none%s", title_suffix(r));
}

/* ---- the owners of the peak ---- */

static void print_owner(const struct tree *tree, const struct figures *f, bool is_first, FILE *out)
{
	const uint64_t then = figure_value(f, "peak_bytes");

	(void)is_first;
	fprintf(out, "%11s %6s %9s", BYTES(then),
		PERCENT(then, figure_value(&tree->total, "peak_bytes")),
		BYTES(figure_value(f, "live_bytes")));
}

/* Print the owners of the peak of an allocator. */
void peak_tree_text(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	const struct kmemtrace_column *by_peak = figure_find("peak_bytes");
	struct tree tree;

	fprintf(out, "  live then  share       now  %s\n", r->group->column);
	collect_branches(&tree, r, space, by_peak);
	tree.print = print_owner;
	drop_empty_branches(&tree, by_peak);
	print_branches_below(&tree, "", 0, out);
	groups_free(&tree.g);
}

/* ---- the overview ---- */

static void print_brief(const struct tree *tree, const struct figures *f, bool is_first, FILE *out)
{
	const struct report *r = tree->r;
	const uint64_t value = sort_value(r->sort, f);

	fprintf(out, "  %-8s%11s %6s %11s", is_first ? space_infos[tree->space].name : "",
		figure_format_of(r->sort)((char[FORMAT_LEN]) { 0 }, value),
		PERCENT(value, sort_value(r->sort, &tree->total)),
		NUMBER(figure_value(f, "allocs")));
}

/* Print the first directories in the overview. Return how many. */
size_t sites_tree_brief(const struct report *r, enum kmemtrace_space space, size_t usual,
			FILE *out)
{
	struct tree tree;

	collect_branches(&tree, r, space, r->sort);
	tree.print = print_brief;
	tree.limit = brief_limit(r, tree.g.nr, usual);
	drop_empty_branches(&tree, r->sort);
	print_branches_below(&tree, "", 0, out);
	groups_free(&tree.g);
	return tree.limit;
}
