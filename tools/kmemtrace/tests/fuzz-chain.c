// SPDX-License-Identifier: GPL-2.0
/*
 * Read any chain with kmemtrace-report --growth, and each of its traces with the relations of
 * counters. None may crash, and the rows must make sense. An input is several streams of
 * kmemtraced -o -, one after the other.
 *
 * A fuzzing engine calls this file (see scripts/fuzz); fuzz-main.c calls it for known files.
 */
#include "config.h"

#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/memory.h"
#include "common/packet.h"
#include "daemon/outdir.h"
#include "fuzz.h"
#include "report/figures.h"
#include "report/groups.h"
#include "report/growth.h"
#include "report/view.h"
#include "rows.h"
#include "save-files.h"

#define MAX_LINKS	5

static FILE *null;
static char *work;
static char *dirs[MAX_LINKS + 1];
static const char *filters[NR_FILTERS];

static void say_nothing(void *arg, const char *text)
{
	(void)arg;
	(void)text;
}

/* ---- the chain ---- */

/* Write the files of one stream into a directory. Return whether it is a stream. */
static bool save_link(const char *dir, const uint8_t *data, size_t size)
{
	struct context ctx = { .say = say_nothing };
	FILE *in = fmemopen((void *)data, size, "r");
	struct files *files;
	int ret;

	if (!in)
		err(EXIT_UNUSABLE, "fmemopen");
	ret = files_open_stream(&files, &ctx, in, "input", NULL);
	if (!ret)
		save_files(files, &ctx, dir);
	files_put(files);
	fclose(in);
	return !ret;
}

/* Write each stream into a directory of its own. Return how many there are. */
static size_t save_chain(const uint8_t *data, size_t size)
{
	static const char magic[] = PACKET_MAGIC "\n";
	const size_t len = sizeof(magic) - 1;
	const uint8_t *next, *end = data + size;
	size_t nr = 0;

	for (; data < end && nr < MAX_LINKS; data = next) {
		next = (size_t)(end - data) > len ? memmem(data + 1, end - data - 1, magic, len) :
						    NULL;
		next = next ? next : end;
		if (save_link(dirs[nr], data, next - data))
			nr++;
	}
	return nr;
}

static void clear_chain(void)
{
	int i, fd;

	for (i = 0; i < MAX_LINKS; i++) {
		fd = open(dirs[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0 || outdir_clear(fd))
			err(EXIT_UNUSABLE, "%s", dirs[i]);
		close(fd);
	}
}

/* ---- what grew ---- */

static void check_grown(const struct growth *g)
{
	size_t i;

	for (i = 1; i < g->nr_times; i++)
		if (g->times[i] < g->times[i - 1])
			errx(EXIT_FAILURE, "time %zu is before that of the trace before", i);
	for (i = 0; i < g->nr_listed; i++) {
		const struct growth_row *row = g->list[i];

		if (row->last.bytes <= row->first.bytes)
			errx(EXIT_FAILURE, "%s did not grow", row->name);
		if (row->last.bytes != row->bytes[g->nr_times - 1])
			errx(EXIT_FAILURE, "%s has %" PRIu64 " bytes, and %" PRIu64, row->name,
			     row->last.bytes, row->bytes[g->nr_times - 1]);
		if (!(row->trend.chance >= 0 && row->trend.chance <= 1))
			errx(EXIT_FAILURE, "%s: a chance of %g", row->name, row->trend.chance);
	}
}

static void check_grown_json(const struct growth *g)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	json_object *json;

	if (!out)
		err(EXIT_UNUSABLE, "open_memstream");
	grown_print_json(g, out);
	if (fclose(out))
		err(EXIT_UNUSABLE, "open_memstream");
	json = json_tokener_parse(text);
	if (!json)
		errx(EXIT_FAILURE, "no JSON: %s", text);
	json_object_put(json);
	free(text);
}

static void try_growth(uint64_t number)
{
	struct report how = {
		.filters = filters,
		.sort = figure_find(USUAL_SORT),
		.group = group_keys,
		.limit = number % 16 + 1,
		.is_limited = number % 2,
		.style = &style_coloured,
	};
	struct growth g;

	for (number /= 16; number % 8 && how.group[1].name; number--)
		how.group++;
	if (how.group->needs_source || how.group->with)
		how.group = group_keys;
	if (!growth_read(&g, &how, dirs, number & 8, NULL)) {
		check_grown(&g);
		grown_text(&g, null);
		check_grown_json(&g);
	}
	growth_free(&g);
}

/* ---- counters ---- */

/* The steps of a counter have its value at their end, and not more than its peak. */
static void check_counters(const struct kmemtrace_trace *t)
{
	struct kmemtrace_relation *counters = open_rows(t, "counters", NULL);
	struct kmemtrace_relation *readings = open_rows(t, "readings", NULL);
	struct kmemtrace_relation *steps = open_rows(t, "counter_steps", NULL);
	uint64_t nr, i, most, least, value;

	if (!kmemtrace_relation_next(readings))
		errx(EXIT_FAILURE, "no row of readings");
	nr = number_in(readings, "steps");
	while (kmemtrace_relation_next(counters)) {
		value = number_in(counters, "value");
		for (i = 0, most = value, least = value; i < nr; i++) {
			if (!kmemtrace_relation_next(steps))
				errx(EXIT_FAILURE, "a counter has no step %" PRIu64, i);
			most = number_in(steps, "most");
			least = number_in(steps, "least");
			if (least > most || most > number_in(counters, "peak"))
				errx(EXIT_FAILURE, "a step from %" PRIu64 " to %" PRIu64, least,
				     most);
		}
		if (value < least || value > most)
			errx(EXIT_FAILURE, "the last step lacks the value %" PRIu64, value);
	}
	kmemtrace_relation_close(counters);
	kmemtrace_relation_close(readings);
	kmemtrace_relation_close(steps);
}

static void try_counters(const char *dir)
{
	struct kmemtrace_trace *t;

	if (!kmemtrace_open(&t, dir, NULL) && !kmemtrace_read_counters(t))
		check_counters(t);
	kmemtrace_close(t);
}

/* ---- entry points of the engine ---- */

const char *__lsan_default_suppressions(void)
{
	return "";
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *tmp = getenv("TMPDIR");
	int i;

	(void)argc;
	(void)argv;
	null = fopen("/dev/null", "we");
	if (asprintf(&work, "%s/kmemtrace-XXXXXX", tmp && *tmp ? tmp : "/tmp") < 0 ||
	    !mkdtemp(work) || !null)
		err(EXIT_UNUSABLE, "no temporary directory");
	for (i = 0; i < MAX_LINKS; i++)
		if (asprintf(&dirs[i], "%s/%d", work, i) < 0 || mkdir(dirs[i], 0700))
			err(EXIT_UNUSABLE, "no temporary directory");
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t i, nr = save_chain(data, size);
	char *rest = dirs[nr];

	for (i = 0; i < nr; i++)
		try_counters(dirs[i]);
	dirs[nr] = NULL;
	if (nr > 1)
		try_growth(size);
	dirs[nr] = rest;
	clear_chain();
	return 0;
}
