// SPDX-License-Identifier: GPL-2.0
/*
 * View: call paths, as a tree.
 */
#include "config.h"

#include "report/format.h"
#include "report/paths.h"
#include "report/table.h"
#include "report/view.h"

/**
 * struct printing - a tree that is being printed
 * @r: the report
 * @p: the call paths
 * @t: their tree
 * @unit: of live memory
 * @table: where to print it
 */
struct printing {
	const struct report *r;
	const struct call_paths *p;
	const struct path_tree *t;
	const char *unit;
	struct text_table *table;
};

static void print_figures(const struct printing *pr, const struct figures *f)
{
	const struct kmemtrace_column *sort = pr->r->sort;
	char columns[64];

	snprintf(columns, sizeof(columns), "live_bytes,live=%s,allocs", pr->unit);
	text_figures(pr->table, f, SORTED_COLUMNS(pr->r, columns));
	text_share(pr->table, sort_value(sort, f), sort_value(sort, &pr->t->nodes[0].all));
}

/* Return what takes the name of a frame. */
static FILE *frame_cell(const struct printing *pr, int indent)
{
	FILE *out = text_cell(pr->table, -1, pr->r->is_bottom_up ?
			      "call path, from the call site up" :
			      "call path, from the outermost caller down");

	fprintf(out, "%*s", indent, "");
	return out;
}

/* Sum up the frames below a node that are not shown. Return how many there are. */
static size_t hidden_below(const struct path_tree *t, uint32_t above, struct figures *sum)
{
	size_t nr = 0;
	uint32_t i;

	*sum = (struct figures) { .values = { 0 } };
	for (i = t->nodes[above].child; i; i = t->nodes[i].next) {
		if (t->nodes[i].is_shown)
			continue;
		figures_add(sum, &t->nodes[i].all);
		nr++;
	}
	return nr;
}

/* Return whether the node below one has not all of its figures. */
static bool is_branch(const struct path_tree *t, uint32_t above)
{
	const uint32_t first = t->nodes[above].child;

	return first && (t->nodes[first].next || t->nodes[above].is_end);
}

/* Print the frames below a node. A frame that is the only one is not indented. */
static void print_below(const struct printing *pr, uint32_t above, int indent)
{
	const struct path_tree *t = pr->t;
	const bool branches = is_branch(t, above);
	struct figures rest;
	uint32_t i;
	size_t nr;

	for (i = t->nodes[above].child; i; i = t->nodes[i].next) {
		if (!t->nodes[i].is_shown)
			continue;
		/* The figures of the only frame are those of the line above. */
		if (branches || !above)
			print_figures(pr, &t->nodes[i].all);
		paths_print_frame(pr->p, t->nodes[i].frame, frame_cell(pr, indent));
		text_line_end(pr->table);
		print_below(pr, i, indent + 2 * is_branch(t, i));
	}
	nr = hidden_below(t, above, &rest);
	if (!nr || !above)
		return;
	print_figures(pr, &rest);
	fprintf(frame_cell(pr, indent), "(%zu more)", nr);
	text_line_end(pr->table);
}

/* Return how many call paths there are. */
static size_t print_stacks_of(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct text_table table = { .r = r, .out = out };
	struct call_paths p;
	struct path_tree t;
	size_t all, nr;

	paths_collect(&p, r, space);
	all = p.nr;
	nr = all - (all && p.list[all - 1].is_rest);
	if (all) {
		path_tree_make(&t, &p, r->is_bottom_up, view_limit(r, nr));
		print_title(r, out, "%s: %zu of %zu call paths%s, by %s", space_infos[space].title,
			    view_limit(r, nr), nr, title_suffix(r), FIGURE_TITLE(r->sort));
		while (text_table_pass(&table))
			print_below(&(struct printing) {
				r, &p, &t, space_infos[space].unit, &table }, 0, 0);
		path_tree_free(&t);
	}
	paths_free(&p);
	return all;
}

void stacks_text(const struct report *r, FILE *out)
{
	size_t nr = 0;
	int i;

	for (i = 0; i < NR_SPACES; i++)
		nr += print_stacks_of(r, i, out);
	if (!nr)
		print_title(r, out, "Call paths: none%s", title_suffix(r));
}
