// SPDX-License-Identifier: GPL-2.0
/*
 * Read any input with ktrace-report, in each form of its output. None may crash, and the counts
 * must add up. An input is a stream of ktraced -o -.
 *
 * A fuzzing engine calls this file (see scripts/fuzz); fuzz-main.c calls it for known files.
 */
#include "config.h"

#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/memory.h"
#include "fuzz.h"
#include "ktrace/judge.h"
#include "ktrace/view.h"
#include "ktrace/walk.h"

static FILE *null;
static char *work;

static void say_nothing(void *arg, const char *text)
{
	(void)arg;
	(void)text;
}

/* The types have as many events as were selected, and so has the list. */
static void check_counts(struct ktrace *t)
{
	uint64_t sum = 0, listed = 0;
	struct walk w;
	size_t i;
	int ret;

	for (i = 0; i < t->types.nr; i++)
		sum += t->types.list[i].events;
	ret = walk_begin(&w, t);
	while (!ret && (ret = walk_next(&w)) > 0) {
		listed++;
		ret = 0;
	}
	walk_end(&w);
	if (ret || sum != t->selected || listed != t->selected)
		errx(EXIT_FAILURE, "%" PRIu64 " events selected, %" PRIu64 " counted, %" PRIu64 " listed",
		     t->selected, sum, listed);
	if (t->selected + t->unknown + t->unreadable + t->malformed > t->events)
		errx(EXIT_FAILURE, "more than %" PRIu64 " events", t->events);
}

/* Remove what ctf_write() made. */
static void clear_ctf(const struct ktrace *t, const char *path)
{
	char name[4096];
	size_t i;

	snprintf(name, sizeof(name), "%s/metadata", path);
	unlink(name);
	for (i = 0; i < t->nr_cpus; i++) {
		snprintf(name, sizeof(name), "%s/cpu%u", path, t->cpus[i].cpu);
		unlink(name);
	}
}

static void show(struct ktrace *t)
{
	int ret = ktrace_judge(t);

	if (!ret)
		ret = table_text(t, null);
	if (!ret)
		ret = table_json(t, null);
	if (!ret)
		ret = events_text(t, null);
	if (!ret)
		ret = events_json(t, null);
	if (!ret)
		ret = ctf_write(t, work);
	clear_ctf(t, work);
	if (ret)
		errx(EXIT_FAILURE, "a view failed: %d", ret);
}

/* Let the size of the input choose among the events. */
static struct kselection selection_of(size_t size)
{
	static const char * const globs[] = { "*e*", "[!o]*", NULL };
	struct kselection selection = { .globs = size % 8 ? NULL : globs };

	if (size % 16 == 2)
		filter_set(&selection.cpus, FILTER_CPU, "1-65535");
	if (size % 16 == 4)
		interval_parse(&selection.between, "0.000001,0.001");
	return selection;
}

/* ---- entry points of the engine ---- */

const char *__lsan_default_suppressions(void)
{
	return "";
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *tmp = getenv("TMPDIR");

	(void)argc;
	(void)argv;
	null = fopen("/dev/null", "we");
	if (asprintf(&work, "%s/kmemtrace-XXXXXX", tmp && *tmp ? tmp : "/tmp") < 0 ||
	    !mkdtemp(work) || !null)
		err(EXIT_UNUSABLE, "no temporary directory");
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kselection selection = selection_of(size);
	struct context ctx = { .say = say_nothing };
	struct files *files;
	struct ktrace t;
	FILE *in;

	if (!size)
		return 0;
	in = fmemopen((void *)data, size, "r");
	if (!in)
		err(EXIT_UNUSABLE, "fmemopen");
	if (!files_open_stream(&files, &ctx, in, "input", NULL)) {
		if (!ktrace_open(&t, &ctx, files, &selection)) {
			check_counts(&t);
			show(&t);
		}
		ktrace_close(&t);
	}
	files_put(files);
	fclose(in);
	return 0;
}
