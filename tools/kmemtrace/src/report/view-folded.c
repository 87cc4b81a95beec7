// SPDX-License-Identifier: GPL-2.0
/*
 * View: call sites as stacks in one line each, for flame graphs. The frames are
 * no calls: each lies within the one before it.
 */
#include "config.h"

#include <err.h>
#include <inttypes.h>
#include <string.h>

#include "api/trust.h"
#include "common/memory.h"
#include "common/text.h"
#include "report/groups.h"
#include "report/view.h"

/* Ends a frame until it is printed: no name has it. */
#define FRAME_END	'\n'

static void print_frame(const char *name, FILE *out)
{
	text_print(name, out);
	putc(FRAME_END, out);
}

/* The directories and the file, a frame each; returns the file. */
static const char *print_path(char *path, FILE *out)
{
	const char *frame = strtok(path, "/"), *file = path;

	for (; frame; frame = strtok(NULL, "/")) {
		print_frame(frame, out);
		file = frame;
	}
	return file;
}

/* dir, dir, file, function, file:line */
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

/* module, function */
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

/* A semicolon ends a frame, a blank all of them. */
static void print_stack(const char *frames, FILE *out)
{
	for (; *frames; frames++)
		putc(*frames == FRAME_END ? ';' :
		     *frames == ';' ? ':' :
		     *frames == ' ' ? '_' : *frames, out);
}

static void print_space(const struct report *r, enum space space, FILE *out)
{
	struct groups g;
	uint64_t value;
	size_t i;

	groups_collect(&g, r, space, &by_frames);
	for (i = 0; i < g.nr; i++) {
		value = r->sort->value(&g.list[i].row);
		if (!value)
			continue;
		fprintf(out, "%s;", space_infos[space].name);
		print_stack(g.list[i].name, out);
		fprintf(out, " %" PRIu64 "\n", value);
	}
	groups_free(&g);
}

/**
 * report_folded - print what flamegraph.pl reads
 * @r: what to show: each call site has the value of its sort key
 * @out: nothing else is printed there; whether to trust it, and that nothing matches,
 *	to the standard error
 */
void report_folded(const struct report *r, FILE *out)
{
	struct trust trust;
	int i;

	trust_judge(&trust, r->trace);
	if (trust.nr)
		print_verdict(r, stderr);
	trust_free(&trust);
	if (is_filtered(r) && !has_matches(r))
		print_part(r, stderr);
	for (i = 0; i < NR_SPACES; i++)
		print_space(r, i, out);
}
