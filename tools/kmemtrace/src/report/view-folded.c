// SPDX-License-Identifier: GPL-2.0
/*
 * View: stacks in one line each, for flame graphs: call paths, if the trace has them. Else call
 * sites; then the frames are not calls: each one contains the next, as a directory contains a
 * file.
 */
#include "config.h"

#include <err.h>
#include <inttypes.h>
#include <string.h>

#include "common/memory.h"
#include "common/text.h"
#include "report/groups.h"
#include "report/paths.h"
#include "report/table.h"
#include "report/view.h"

/* Ends a frame until it is printed: no name contains it. */
#define FRAME_END	'\n'

static void print_frame(const char *name, FILE *out)
{
	text_print(name, out);
	putc(FRAME_END, out);
}

/* Print a frame for each directory and for the file. Return the file. */
static const char *print_path(char *path, FILE *out)
{
	const char *frame = strtok(path, "/"), *file = path;

	for (; frame; frame = strtok(NULL, "/")) {
		print_frame(frame, out);
		file = frame;
	}
	return file;
}

/* Print the function without " [module]". */
static void fold_function(struct kmemtrace_relation *row, const char *module, FILE *out)
{
	const char *text = cell_text(row, "function"), *found;
	char suffix[512];

	snprintf(suffix, sizeof(suffix), " [%s]", module);
	found = strstr(text, suffix);
	fprintf(out, "%.*s%s", found ? (int)(found - text) : (int)strlen(text), text,
		found ? found + strlen(suffix) : "");
}

/* Print directories, file, function, file:line. */
static void print_source(struct kmemtrace_relation *row, FILE *out)
{
	char *path = strdup(cell_text(row, "file"));
	const char *file;

	if (!path)
		out_of_memory();
	file = print_path(path, out);
	fold_function(row, cell_text(row, "module"), out);
	fprintf(out, "%c%s:%" PRIu64, FRAME_END, file, cell_number(row, "line"));
	free(path);
}

/* Print module and function; what is no address of code, such as "(no symbol)", is one frame. */
static void print_symbol(struct kmemtrace_relation *row, FILE *out)
{
	const char *module = cell_text(row, "module");

	if (*module != '(') {
		fputs(module, out);
		putc(FRAME_END, out);
	}
	fold_function(row, module, out);
}

/* Print the frames of a line. */
static void fold_frames(struct kmemtrace_relation *row, FILE *out)
{
	if (has_cell(row, "file"))
		print_source(row, out);
	else
		print_symbol(row, out);
}

static const struct group_key by_frames = { .name = "line", .print_row = fold_frames };

/* Print frames as flamegraph.pl reads them: a semicolon ends a frame, a blank the stack. */
static void print_stack(const char *frames, FILE *out)
{
	for (; *frames; frames++)
		putc(*frames == FRAME_END ? ';' :
		     *frames == ';' ? ':' :
		     *frames == ' ' ? '_' : *frames, out);
}

/* Print the call sites of an allocator. */
static void print_sites(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct groups g;
	uint64_t value;
	size_t i;

	groups_collect(&g, r, space, &by_frames);
	for (i = 0; i < g.nr; i++) {
		value = sort_value(r->sort, &g.list[i].figures);
		if (!value)
			continue;
		fprintf(out, "%s;", space_infos[space].name);
		print_stack(g.list[i].name, out);
		fprintf(out, " %" PRIu64 "\n", value);
	}
	groups_free(&g);
}

/* ---- call paths ---- */

/**
 * struct unfolding - a tree of call paths that is being printed
 * @p: the call paths
 * @t: their tree
 * @space: the allocator
 * @above: the nodes above the current one
 * @depth: number of @above
 */
struct unfolding {
	const struct call_paths *p;
	const struct path_tree *t;
	enum kmemtrace_space space;
	uint32_t above[PATHS_MAX_DEPTH];
	size_t depth;
};

/* Return the frames of a stack, to be freed. */
static char *stack_of(const struct unfolding *u)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	for (i = 0; out && i < u->depth; i++) {
		if (i)
			putc(FRAME_END, out);
		paths_print_frame(u->p, u->t->nodes[u->above[i]].frame, out);
	}
	if (!out || fclose(out))
		out_of_memory();
	return text;
}

static void print_node(struct unfolding *u, uint32_t node, FILE *out)
{
	const struct path_node *n = &u->t->nodes[node];
	uint64_t value = n->own;
	uint32_t i;
	char *stack;

	if (value) {
		stack = stack_of(u);
		fprintf(out, "%s;", space_infos[u->space].name);
		print_stack(stack, out);
		fprintf(out, " %" PRIu64 "\n", value);
		free(stack);
	}
	for (i = n->child; i; i = u->t->nodes[i].next) {
		u->above[u->depth++] = i;
		print_node(u, i, out);
		u->depth--;
	}
}

/* Print the call paths of an allocator, by function unless the user wants other groups. */
static void print_paths(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct report by_function = *r;
	struct call_paths p;
	struct path_tree t;

	if (!r->group->print)
		by_function.group = group_key_find("function");
	paths_collect(&p, &by_function, space);
	path_tree_make(&t, &p, false, p.nr);
	print_node(&(struct unfolding) { .p = &p, .t = &t, .space = space }, 0, out);
	path_tree_free(&t);
	paths_free(&p);
}

/**
 * report_folded - print call paths or call sites for flamegraph.pl
 * @r: the report; each of them has the value of its sort key
 * @out: where to print them; the verdict goes to the standard error
 */
void report_folded(const struct report *r, FILE *out)
{
	void (*print)(const struct report *r, enum kmemtrace_space space, FILE *out) =
		kmemtrace_get_with(r->trace) & KMEMTRACE_WITH_STACK ? print_paths : print_sites;
	int i;

	if (kmemtrace_doubt(r->trace, 0))
		print_verdict(r, stderr);
	for (i = 0; i < NR_SPACES; i++)
		print(r, i, out);
}
