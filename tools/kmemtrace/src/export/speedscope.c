// SPDX-License-Identifier: GPL-2.0
/*
 * speedscope: profiles as speedscope.app reads them, one for each allocator and measure.
 *
 * The names of all frames follow the profiles in the file: they are known then.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/text.h"
#include "export/measures.h"
#include "export/output.h"
#include "export/stack.h"
#include "export/strings.h"
#include "report/view.h"

#define SCHEMA	"https://www.speedscope.app/file-format-schema.json"

/**
 * struct speedscope - the profiles that are being written
 * @e: the export
 * @out: where to
 * @numbers: the frames, by name, file and line
 * @frames: the frames as JSON, by number
 * @frames_len: bytes of @frames
 * @frames_out: appends to @frames
 * @nr_profiles: profiles that were written
 */
struct speedscope {
	const struct export *e;
	FILE *out;
	struct strings numbers;
	char *frames;
	size_t frames_len;
	FILE *frames_out;
	size_t nr_profiles;
};

/**
 * struct stack_ids - the frames of a call site
 * @nr: entries of @ids
 * @ids: numbers of the frames
 */
struct stack_ids {
	size_t nr;
	uint64_t *ids;
};

/* Print a string of printable ASCII. */
static void print_string(const char *text, FILE *out)
{
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putc('\\', out);
		putc(*text, out);
	}
	putc('"', out);
}

/* Return the number of a frame. Append it to the list if it is new. */
static uint64_t frame_id(struct speedscope *s, const struct stack *stack, size_t frame)
{
	const struct source_line none = { .file = NULL };
	const struct source_line *line = stack->frames[frame].has_site ?
					 &stack->frames[frame].site.line : &none;
	char file[4096] = "", *key;
	uint64_t id;
	bool is_new;

	if (line->file)
		text_printable(file, sizeof(file), line->file);
	if (asprintf(&key, "%s\n%s\n%d", stack->frames[frame].name, file, line->line) < 0)
		out_of_memory();
	id = strings_number(&s->numbers, key, &is_new);
	free(key);
	if (!is_new)
		return id;
	fprintf(s->frames_out, "%s\n{\"name\":", id ? "," : "");
	print_string(stack->frames[frame].name, s->frames_out);
	if (*file) {
		fputs(",\"file\":", s->frames_out);
		print_string(file, s->frames_out);
		fprintf(s->frames_out, ",\"line\":%d", line->line);
	}
	putc('}', s->frames_out);
	return id;
}

static struct stack_ids ids_of(struct speedscope *s, const struct kmemtrace_row *row)
{
	struct stack_ids ids;
	struct stack stack;
	size_t i;

	stack_find(&stack, s->e, row);
	ids.nr = stack.nr;
	ids.ids = must_calloc(stack.nr, sizeof(*ids.ids));
	for (i = 0; i < stack.nr; i++)
		ids.ids[i] = frame_id(s, &stack, i);
	stack_free(&stack);
	return ids;
}

static void print_stack(const struct stack_ids *stack, FILE *out)
{
	size_t i;

	for (i = 0; i < stack->nr; i++)
		fprintf(out, "%c%" PRIu64, i ? ',' : '[', stack->ids[i]);
	putc(']', out);
}

/* Print a profile: the stacks of all rows with a value, then the values. */
static void print_profile(struct speedscope *s, enum kmemtrace_space space,
			  const struct measure *of, const struct kmemtrace_rows *rows,
			  const struct stack_ids *stacks)
{
	const struct kmemtrace_row *row;
	const char *before = "";
	uint64_t sum = 0, value;
	size_t i;

	fprintf(s->out, "%s\n{\"type\":\"sampled\",\"name\":\"%s: %s\",\"unit\":\"%s\",\"samples\":[",
		s->nr_profiles++ ? "," : "", space_infos[space].name, of->title,
		strcmp(of->unit, "bytes") ? "none" : "bytes");
	for (i = 0; (row = kmemtrace_rows_get(rows, i)); i++) {
		if (!of->of(row))
			continue;
		fputs(before, s->out);
		print_stack(&stacks[i], s->out);
		before = ",";
	}
	fputs("],\n\"weights\":[", s->out);
	for (before = "", i = 0; (row = kmemtrace_rows_get(rows, i)); i++) {
		value = of->of(row);
		if (!value)
			continue;
		fprintf(s->out, "%s%" PRIu64, before, value);
		sum += value;
		before = ",";
	}
	fprintf(s->out, "],\"startValue\":0,\"endValue\":%" PRIu64 "}", sum);
}

static int print_space(struct speedscope *s, enum kmemtrace_space space)
{
	struct kmemtrace_rows *rows;
	struct stack_ids *stacks;
	size_t nr, i;
	int ret = stack_rows(s->e, space, &rows);

	if (ret)
		return ret;
	nr = rows_count(rows);
	stacks = must_calloc(nr + 1, sizeof(*stacks));
	for (i = 0; i < nr; i++)
		stacks[i] = ids_of(s, kmemtrace_rows_get(rows, i));
	for (i = 0; i < NR_MEASURES; i++)
		print_profile(s, space, &measures[i], rows, stacks);
	for (i = 0; i < nr; i++)
		free(stacks[i].ids);
	free(stacks);
	kmemtrace_rows_close(rows);
	return 0;
}

/* Print the name: that of the kernel, and whether the trace is complete. */
static void print_name(struct speedscope *s)
{
	const struct kmemtrace_trace *trace = s->e->r.trace;
	const char *kernel = kmemtrace_metadata(trace, "kernel_release");
	char text[256], *name;

	if (asprintf(&name, "Linux %s: %s",
		     text_printable(text, sizeof(text), kernel ? kernel : "of unknown version"),
		     kmemtrace_doubt(trace, 0) ? "INCOMPLETE" : "COMPLETE") < 0)
		out_of_memory();
	print_string(name, s->out);
	free(name);
}

static int print_file(struct speedscope *s)
{
	int space, ret = 0;

	s->frames_out = open_memstream(&s->frames, &s->frames_len);
	if (!s->frames_out)
		out_of_memory();
	fputs("{\"$schema\":\"" SCHEMA "\",\"exporter\":\"kmemtrace-export " PACKAGE_VERSION
	      "\",\"name\":", s->out);
	print_name(s);
	fputs(",\"profiles\":[", s->out);
	for (space = 0; !ret && space < NR_SPACES; space++)
		if (space_is_used(&s->e->r, space))
			ret = print_space(s, space);
	if (fclose(s->frames_out))
		out_of_memory();
	fputs("],\n\"shared\":{\"frames\":[", s->out);
	fwrite(s->frames, 1, s->frames_len, s->out);
	fputs("]}}\n", s->out);
	free(s->frames);
	strings_free(&s->numbers);
	return ret;
}

static int write_file(void *arg, FILE *out)
{
	struct speedscope s = { .e = arg, .out = out };

	return print_file(&s);
}

static int speedscope_end(struct export *e)
{
	return output_write(e->path, write_file, e);
}

const struct format format_speedscope = {
	.name = "speedscope",
	.path = "kmemtrace.speedscope.json",
	.has_stacks = true,
	.end = speedscope_end,
};
