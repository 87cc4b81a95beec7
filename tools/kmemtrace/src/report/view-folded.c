// SPDX-License-Identifier: GPL-2.0
/*
 * View: call sites as stacks in one line each, for flame graphs. The frames are not calls:
 * each one contains the next, as a directory contains a file.
 */
#include "config.h"

#include <err.h>
#include <inttypes.h>
#include <string.h>

#include "common/memory.h"
#include "common/text.h"
#include "report/groups.h"
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

/* Print directories, file, function, file:line. */
static void print_source(const struct site *site, FILE *out)
{
	char *path = strdup(site->line.file);
	const char *file;

	if (!path)
		errx(EXIT_UNUSABLE, "out of memory");
	file = print_path(path, out);
	print_site_function(site, out);
	putc(FRAME_END, out);
	text_print(file, out);
	fprintf(out, ":%d", site->line.line);
	free(path);
}

/* Print module, function. */
static void print_symbol(const struct site *site, FILE *out)
{
	print_site_module(site, out);
	putc(FRAME_END, out);
	print_site_function(site, out);
}

static void print_frames(const struct site *site, FILE *out)
{
	if (site->line.file)
		print_source(site, out);
	else if (site->ref.name || site->ref.module)
		print_symbol(site, out);
	else
		print_site_function(site, out);
}

static const struct group_key by_frames = {
	.name = "frames",
	.print = print_frames,
};

/* Print frames as flamegraph.pl reads them: a semicolon ends a frame, a blank the stack. */
static void print_stack(const char *frames, FILE *out)
{
	for (; *frames; frames++)
		putc(*frames == FRAME_END ? ';' :
		     *frames == ';' ? ':' :
		     *frames == ' ' ? '_' : *frames, out);
}

static void print_space(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct groups g;
	uint64_t value;
	size_t i;

	groups_collect(&g, r, space, &by_frames, KMEMTRACE_KEYS);
	for (i = 0; i < g.nr; i++) {
		value = sort_value(r->sort, &g.list[i]);
		if (!value)
			continue;
		fprintf(out, "%s;", space_infos[space].name);
		print_stack(g.list[i].name, out);
		fprintf(out, " %" PRIu64 "\n", value);
	}
	groups_free(&g);
}

/**
 * report_folded - print call sites for flamegraph.pl
 * @r: the report; each call site has the value of its sort key
 * @out: where to print them; the verdict goes to the standard error
 */
void report_folded(const struct report *r, FILE *out)
{
	int i;

	if (kmemtrace_doubt(r->trace, 0))
		print_verdict(r, stderr);
	if (is_filtered(r) && r->sum->is_empty)
		print_part(r, stderr);
	for (i = 0; i < NR_SPACES; i++)
		print_space(r, i, out);
}
