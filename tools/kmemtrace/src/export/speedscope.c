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

#include "common/context.h"
#include "common/memory.h"
#include "common/text.h"
#include "export/output.h"
#include "export/stack.h"
#include "report/view.h"

#define SCHEMA	"https://www.speedscope.app/file-format-schema.json"

/**
 * struct profile_frame - what tells frames apart
 * @name: number of its name
 * @file: number of its file, whose name may be empty
 * @line: its line
 */
struct profile_frame {
	uint64_t name, file;
	int64_t line;
};

/**
 * struct speedscope - the profiles that are being written
 * @s: the stacks
 * @out: where to
 * @names: names of functions and files
 * @frames: the frames, struct profile_frame
 * @nr_profiles: profiles that were written
 */
struct speedscope {
	struct stacks s;
	FILE *out;
	struct intern names, frames;
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

/* Return the number of a frame. */
static uint64_t frame_id(struct speedscope *s, const struct stack *stack, size_t frame)
{
	const struct source_line none = { .file = NULL };
	const struct source_line *line = stack->frames[frame].has_site ?
					 &stack->frames[frame].site.line : &none;
	const char *name = stack->frames[frame].name;
	char file[MAX_KERNEL_NAME + 1] = "";
	struct profile_frame key = { .line = line->line };
	bool is_new;

	if (line->file)
		text_printable(file, sizeof(file), line->file);
	key.name = must_intern(&s->names, name, strlen(name), &is_new);
	key.file = must_intern(&s->names, file, strlen(file), &is_new);
	return must_intern(&s->frames, &key, sizeof(key), &is_new);
}

/* Print all frames. */
static void print_profile_frames(const struct speedscope *s)
{
	const struct profile_frame *frame;
	const char *file;
	size_t i;

	for (i = 0; i < s->frames.nr; i++) {
		frame = s->frames.list[i].bytes;
		file = s->names.list[frame->file].bytes;
		fprintf(s->out, "%s\n{\"name\":", i ? "," : "");
		print_string(s->names.list[frame->name].bytes, s->out);
		if (*file) {
			fputs(",\"file\":", s->out);
			print_string(file, s->out);
			fprintf(s->out, ",\"line\":%" PRId64, frame->line);
		}
		putc('}', s->out);
	}
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

static void write_profiles(struct speedscope *s)
{
	fputs("{\"$schema\":\"" SCHEMA "\",\"exporter\":\"kmemtrace-export " PACKAGE_VERSION
	      "\",\"name\":", s->out);
	write_name(s);
	fputs(",\"profiles\":[", s->out);
	print_profiles(s);
	fputs("],\n\"shared\":{\"frames\":[", s->out);
	print_profile_frames(s);
	fputs("]}}\n", s->out);
	intern_free(&s->frames);
	intern_free(&s->names);
}

static int write_file(void *arg, FILE *out)
{
	struct speedscope s = { .out = out };
	int ret = stacks_open(&s.s, arg);

	if (!ret)
		write_profiles(&s);
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
