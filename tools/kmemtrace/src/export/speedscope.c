// SPDX-License-Identifier: GPL-2.0
/*
 * speedscope: profiles as speedscope.app reads them, one for each measure.
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
#include "export/output.h"
#include "export/stack.h"
#include "report/view.h"

#define SCHEMA	"https://www.speedscope.app/file-format-schema.json"

/**
 * struct speedscope - the profiles that are being written
 * @s: the stacks
 * @out: where to
 * @numbers: the frames, by name, file and line
 * @frames: the frames as JSON, by number
 * @frames_len: bytes of @frames
 * @frames_out: appends to @frames
 * @nr_profiles: profiles that were written
 */
struct speedscope {
	struct stacks s;
	FILE *out;
	struct intern numbers;
	char *frames;
	size_t frames_len;
	FILE *frames_out;
	size_t nr_profiles;
};

/**
 * struct stack_ids - the frames of a stack
 * @nr: entries of @ids
 * @ids: numbers of the frames
 */
struct stack_ids {
	size_t nr;
	uint64_t *ids;
};

/* Print a string of visible characters. */
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
	id = must_intern(&s->numbers, key, &is_new);
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

/* Return the frames of the present row. */
static struct stack_ids ids_of(struct speedscope *s)
{
	struct stack_ids ids;
	struct stack stack;
	size_t i;

	stack_find(&stack, &s->s);
	ids.nr = stack.nr;
	ids.ids = must_calloc(stack.nr, sizeof(*ids.ids));
	for (i = 0; i < stack.nr; i++)
		ids.ids[i] = frame_id(s, &stack, i);
	stack_free(&stack);
	return ids;
}

static void write_frames(const struct stack_ids *stack, FILE *out)
{
	size_t i;

	for (i = 0; i < stack->nr; i++)
		fprintf(out, "%c%" PRIu64, i ? ',' : '[', stack->ids[i]);
	putc(']', out);
}

/* Print a profile: the stacks of all rows with a value, then the values. */
static void print_profile(struct speedscope *s, const struct measure *of,
			  const struct stack_ids *stacks)
{
	const char *before = "";
	uint64_t sum = 0, value;
	size_t i;

	fprintf(s->out, "%s\n{\"type\":\"sampled\",\"name\":\"%s\",\"unit\":\"%s\",\"samples\":[",
		s->nr_profiles++ ? "," : "", of->name,
		of->column->unit == KMEMTRACE_BYTES ? "bytes" : "none");
	kmemtrace_relation_rewind(s->s.relation);
	for (i = 0; kmemtrace_relation_next(s->s.relation); i++) {
		if (!stacks_value(&s->s, of))
			continue;
		fputs(before, s->out);
		write_frames(&stacks[i], s->out);
		before = ",";
	}
	fputs("],\n\"weights\":[", s->out);
	kmemtrace_relation_rewind(s->s.relation);
	for (before = ""; kmemtrace_relation_next(s->s.relation);) {
		value = stacks_value(&s->s, of);
		if (!value)
			continue;
		fprintf(s->out, "%s%" PRIu64, before, value);
		sum += value;
		before = ",";
	}
	fprintf(s->out, "],\"startValue\":0,\"endValue\":%" PRIu64 "}", sum);
}

static void print_profiles(struct speedscope *s)
{
	const size_t nr = kmemtrace_relation_rows(s->s.relation);
	struct stack_ids *stacks = must_calloc(nr + 1, sizeof(*stacks));
	size_t i;

	for (i = 0; kmemtrace_relation_next(s->s.relation); i++)
		stacks[i] = ids_of(s);
	for (i = 0; i < s->s.nr_measures; i++)
		print_profile(s, &s->s.measures[i], stacks);
	for (i = 0; i < nr; i++)
		free(stacks[i].ids);
	free(stacks);
}

/* Print the name: that of the kernel, and whether the trace is complete. */
static void write_name(struct speedscope *s)
{
	const struct kmemtrace_trace *trace = s->s.e->r.trace;
	const char *kernel = kmemtrace_metadata(trace, "kernel_release");
	char text[256], *name;

	if (asprintf(&name, "Linux %s: %s",
		     text_printable(text, sizeof(text), kernel ? kernel : "of unknown version"),
		     kmemtrace_doubt(trace, 0) ? "INCOMPLETE" : "COMPLETE") < 0)
		out_of_memory();
	print_string(name, s->out);
	free(name);
}

static void write_file_name(struct speedscope *s)
{
	s->frames_out = open_memstream(&s->frames, &s->frames_len);
	if (!s->frames_out)
		out_of_memory();
	fputs("{\"$schema\":\"" SCHEMA "\",\"exporter\":\"kmemtrace-export " PACKAGE_VERSION
	      "\",\"name\":", s->out);
	write_name(s);
	fputs(",\"profiles\":[", s->out);
	print_profiles(s);
	if (fclose(s->frames_out))
		out_of_memory();
	fputs("],\n\"shared\":{\"frames\":[", s->out);
	fwrite(s->frames, 1, s->frames_len, s->out);
	fputs("]}}\n", s->out);
	free(s->frames);
	intern_free(&s->numbers);
}

static int write_file(void *arg, FILE *out)
{
	struct speedscope s = { .out = out };
	int ret = stacks_open(&s.s, arg);

	if (!ret)
		write_file_name(&s);
	stacks_close(&s.s);
	return ret;
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
