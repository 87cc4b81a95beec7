// SPDX-License-Identifier: GPL-2.0
/*
 * ktrace-report: print the events of a trace of ktrace.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/memory.h"
#include "common/options.h"
#include "common/terminal.h"
#include "common/text.h"
#include "ktrace/judge.h"
#include "ktrace/view.h"
#include "read/spool.h"
#include "report/watch.h"

#define DEFAULT_DIR	"ktrace.data"

static bool opt_list, opt_json;
static const char *opt_ctf;
static struct kselection selection;
static const char **globs;
static size_t nr_globs;
static bool opt_twice;

static int set_list(const char *value)
{
	(void)value;
	opt_list = true;
	return 0;
}

static int choose_json(const char *value)
{
	(void)value;
	opt_json = true;
	return 0;
}

static int set_ctf(const char *value)
{
	opt_twice |= !!opt_ctf;
	opt_ctf = value;
	return *value ? 0 : -EINVAL;
}

static int add_glob(const char *value)
{
	globs = must_realloc(globs, nr_globs + 2, sizeof(*globs));
	globs[nr_globs++] = value;
	globs[nr_globs] = NULL;
	selection.globs = globs;
	return *value && text_is_pattern(value, true) ? 0 :
	       options_expected(TEXT_PATTERN_EXPECTED);
}

static int select_cpus(const char *value)
{
	opt_twice |= !!selection.cpus.texts[FILTER_CPU];
	return filter_set(&selection.cpus, FILTER_CPU, value);
}

static int select_interval(const char *value)
{
	opt_twice |= selection.between.has_begin || selection.between.has_end;
	return interval_parse(&selection.between, value) ?
	       options_expected(INTERVAL_EXPECTED) : 0;
}

static const struct opt opts[] = {
	{ .help = "What to show" },
	{ 'l', "list", NULL, "print each event, in the order of time", set_list },
	{ 0, "ctf", "DIR", "write the events into DIR for babeltrace2, in the format CTF 1.8",
	  set_ctf },
	{ .help = "Which part of it" },
	{ 'e', "event", "PATTERN", "only events whose name matches PATTERN; may be given several times",
	  add_glob },
	{ 0, "cpu", "CPUS", "only events on these CPUs, such as 0,2-3", select_cpus },
	{ 0, "between", "A,B", "only events from A to B seconds after the first event",
	  select_interval },
	{ .help = "How to show it" },
	{ 'j', "json", NULL, "print JSON", choose_json },
	{ 0 }
};

static const struct program prog = {
	.name = "ktrace-report",
	.operands = "[DIR|-]",
	.purpose = "Print how often each event is in the trace in DIR (default: " DEFAULT_DIR "); - is what\n"
		   "ktraced -o - writes, from the standard input.\n"
		   "Exit status: 0 reported, 2 unusable input, 128 + N: signal N stopped the\n"
		   "reading of the standard input, and the report covers what was read, or --ctf.",
	.opts = opts,
};

/* Return whether a signal came. */
static bool signal_came(uint64_t bytes)
{
	const struct kmemtrace_progress progress = {
		.stage = KMEMTRACE_RECEIVING, .bytes = bytes,
	};

	return watch_progress(NULL, &progress);
}

static bool note_signal(void *arg, uint64_t bytes)
{
	bool *interrupted = arg;

	*interrupted |= signal_came(bytes);
	return *interrupted;
}

static int open_folder_or_stream(struct files **files, struct context *ctx, const char *operand,
				 bool *interrupted)
{
	const struct spool_watch watch = { note_signal, interrupted };
	const bool is_stream = !strcmp(operand, STDIN_OPERAND);
	int ret;

	if (is_stream || opt_ctf)
		watch_signals(is_stream);
	if (opt_ctf)
		watch_output();
	if (!is_stream)
		return files_open(files, ctx, operand, operand);
	ret = files_open_stream(files, ctx, stdin, STDIN_NAME, &watch);
	watch_end();
	return ret;
}

static int print(struct ktrace *t)
{
	if (opt_ctf)
		return ctf_write(t, opt_ctf);
	if (opt_list)
		return opt_json ? events_json(t, stdout) : events_text(t, stdout);
	return opt_json ? table_json(t, stdout) : table_text(t, stdout);
}

/* With --ctf, the verdict is all that is printed. */
static int report(struct ktrace *t)
{
	int ret = ktrace_judge(t);

	if (!ret)
		ret = print(t);
	if (!ret && opt_ctf)
		head_text(t, stdout);
	return ret;
}

/* Return the exit status. */
static int report_on(const char *operand)
{
	struct ktrace t = { .is_interrupted = false };
	struct context ctx = { .interrupt = opt_ctf ? watch_interrupted : NULL };
	bool interrupted = false;
	struct files *files;
	int ret;

	ret = open_folder_or_stream(&files, &ctx, operand, &interrupted);
	if (!ret) {
		ret = ktrace_open(&t, &ctx, files, &selection);
		t.is_interrupted = interrupted;
		t.is_cut = files_stream(files) && files_stream(files)->is_cut;
		if (!ret)
			ret = report(&t);
		ktrace_close(&t);
	}
	files_put(files);
	if (ret == -ENOMEM)
		warnx("out of memory");
	if (ret == -EINTR)
		return EXIT_SIGNAL + watch_signal();
	if (ret)
		return EXIT_UNUSABLE;
	return interrupted ? EXIT_SIGNAL + watch_signal() : EXIT_SUCCESS;
}

static const char *conflict_of_options(int nr)
{
	if (nr > 1)
		return "more than one DIR";
	if (opt_twice)
		return "--ctf, --cpu and --between can each be given once only";
	if (opt_ctf && (opt_list || opt_json))
		return "--ctf can't be combined with --list and --json";
	return NULL;
}

int main(int argc, char **argv)
{
	const char *wrong;
	int i, status;

	i = options_parse(&prog, argc, argv);
	if (i < 0)
		return EXIT_UNUSABLE;
	wrong = conflict_of_options(argc - i);
	if (wrong) {
		warnx("%s; try '%s --help'", wrong, prog.name);
		return EXIT_UNUSABLE;
	}
	status = report_on(i < argc ? argv[i] : DEFAULT_DIR);
	free(globs);
	return terminal_end() ? EXIT_UNUSABLE : status;
}
