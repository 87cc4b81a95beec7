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
 * @out: where to print it
 */
struct printing {
	const struct report *r;
	const struct call_paths *p;
	const struct path_tree *t;
	FILE *out;
};

/* The figures of a frame; what the tree is sorted by follows them, then its share. */
#define SHOWN		"live_bytes,live,allocs"
#define SORT_WIDTH	14

/* Return the columns of the figure that the tree is sorted by. */
static int sort_columns(const struct report *r)
{
	const struct kmemtrace_column *figure = sort_beside(r, SHOWN);

	return !figure ? 0 : 1 + SORT_WIDTH + (figure->error && is_sample(r) ? ERROR_COLUMNS : 0);
}

static void print_figures(const struct report *r, const struct figures *f,
			  const struct figures *sum, FILE *out)
{
	figure_text(r, f, "live_bytes", 10, out);
	figure_text(r, f, "live", 10, out);
	figure_text(r, f, "allocs", 11, out);
	if (sort_beside(r, SHOWN))
		figure_text(r, f, r->sort->name, SORT_WIDTH, out);
	fprintf(out, " %6s  ", PERCENT(sort_value(r->sort, f), sort_value(r->sort, sum)));
}

/* Print blanks where the figures are those of the line above. */
static void print_blanks(const struct report *r, FILE *out)
{
	fprintf(out, "%*s", 2 + 9 + 1 + 10 + 1 + 11 + 1 + 6 + 2 +
		(is_sample(r) ? 3 * ERROR_COLUMNS : 0) + sort_columns(r), "");
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

/* Return whether there is more than one line below a node. */
static bool is_branch(const struct path_tree *t, uint32_t above)
{
	const uint32_t first = t->nodes[above].child;

	return first && t->nodes[first].next;
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
		if (branches || !above)
			print_figures(pr->r, &t->nodes[i].all, &t->nodes[0].all, pr->out);
		else
			print_blanks(pr->r, pr->out);
		fprintf(pr->out, "%*s", indent, "");
		paths_print_frame(pr->p, t->nodes[i].frame, pr->out);
		putc('\n', pr->out);
		print_below(pr, i, indent + 2 * is_branch(t, i));
	}
	nr = hidden_below(t, above, &rest);
	if (!nr || !above)
		return;
	print_figures(pr->r, &rest, &t->nodes[0].all, pr->out);
	fprintf(pr->out, "%*s(%zu more)\n", indent, "", nr);
}

static void print_stack_heading(const struct report *r, enum kmemtrace_space space, size_t nr,
				FILE *out)
{
	const char *error = error_blanks(r);

	print_title(r, out, "%s: %zu of %zu call paths%s, by %s", space_infos[space].title,
		    view_limit(r, nr), nr, title_suffix(r), FIGURE_TITLE(r->sort));
	fprintf(out, " live bytes%s %10s%s allocations%s", error,
		space_infos[space].unit, error, error);
	if (sort_beside(r, SHOWN))
		figure_heading(r, r->sort, SORT_WIDTH, out);
	fprintf(out, "  share  %s\n", r->is_bottom_up ? "call path, from the call site up" :
				  "call path, from the outermost caller down");
}

/* Return how many call paths there are. */
static size_t print_stacks_of(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct call_paths p;
	struct path_tree t;
	size_t nr;

	paths_collect(&p, r, space);
	nr = p.nr;
	if (nr) {
		path_tree_make(&t, &p, r->is_bottom_up, view_limit(r, nr));
		print_stack_heading(r, space, nr, out);
		print_below(&(struct printing) { r, &p, &t, out }, 0, 0);
		path_tree_free(&t);
	}
	paths_free(&p);
	return nr;
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
