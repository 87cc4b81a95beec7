// SPDX-License-Identifier: GPL-2.0
/*
 * The options that choose a part of a trace, and the reading of that part.
 */
#include "config.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/counters.h"
#include "common/exit.h"
#include "common/interval.h"
#include "common/names.h"
#include "common/text.h"
#include "common/unseen.h"
#include "report/reading.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"
#include "report/watch.h"

const char *reading_filters[NR_FILTERS];

static unsigned int opt_threads;
static struct interval opt_interval;
static bool opt_own, opt_quiet, opt_filter_twice, keeps_records;
static unsigned int nr_times;

/* Return a number from 1 to @max, or 0. */
long reading_number(const char *value, long max)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(value, &end, 10);
	return errno || *end || end == value || n < 1 || n > max ? 0 : n;
}

static int set_threads(const char *value)
{
	opt_threads = reading_number(value, KMEMTRACE_MAX_THREADS);
	return opt_threads ? 0 : options_expected("a number of threads from 1 to 16");
}

static int set_at(const char *value)
{
	nr_times++;
	return *value && !interval_parse_end(&opt_interval, value) ? 0 :
	       options_expected("seconds after the first event, such as 1.25");
}

static int set_between(const char *value)
{
	nr_times++;
	return interval_parse(&opt_interval, value) ? options_expected(INTERVAL_EXPECTED) : 0;
}

/* Take the text of an option. Return 0 or -EINVAL. */
int reading_set_filter(enum kmemtrace_filter filter, const char *value)
{
	opt_filter_twice |= !!reading_filters[filter];
	reading_filters[filter] = value;
	return kmemtrace_set_filter(NULL, filter, value);
}

static int set_pattern(enum kmemtrace_filter filter, const char *value)
{
	return reading_set_filter(filter, value) ? options_expected(TEXT_PATTERN_EXPECTED) : 0;
}

static int set_site(const char *value)
{
	return set_pattern(KMEMTRACE_FILTER_SITE, value);
}

static int set_module(const char *value)
{
	return reading_set_filter(KMEMTRACE_FILTER_MODULE, value);
}

static int set_cache(const char *value)
{
	return set_pattern(KMEMTRACE_FILTER_CACHE, value);
}

static int set_type(const char *value)
{
	return reading_set_filter(KMEMTRACE_FILTER_TYPE, value);
}

static int set_cpu(const char *value)
{
	return reading_set_filter(KMEMTRACE_FILTER_CPU, value);
}

static int set_size(const char *value)
{
	return reading_set_filter(KMEMTRACE_FILTER_SIZE, value);
}

static int set_task(const char *value)
{
	return set_pattern(KMEMTRACE_FILTER_TASK, value);
}

static int set_cgroup(const char *value)
{
	return set_pattern(KMEMTRACE_FILTER_CGROUP, value);
}

static int set_stack(const char *value)
{
	return set_pattern(KMEMTRACE_FILTER_STACK, value);
}

static int set_own(const char *value)
{
	(void)value;
	opt_own = true;
	return 0;
}

static int set_quiet(const char *value)
{
	(void)value;
	opt_quiet = true;
	return 0;
}

/* The options, for @more of struct program. */
const struct opt reading_opts[] = {
	{ .help = "Which part of it" },
	{ 0, "at", "TIME", "end the trace TIME seconds after its first event",
	  set_at },
	{ 0, "between", "A,B", "count allocations from A on, and end the trace at B",
	  set_between },
	{ 0, "site", "PATTERN", "count allocations by functions whose name matches PATTERN",
	  set_site },
	{ 0, "module", "NAME", "count allocations by the module NAME or on its behalf, or by the kernel",
	  set_module },
	{ 0, "cache", "PATTERN", "count allocations from slab caches whose name matches PATTERN",
	  set_cache },
	{ 0, "type", "TYPES", "count allocations by kmalloc, cache, pages, percpu or vmalloc",
	  set_type },
	{ 0, "cpu", "CPUS", "count allocations on these CPUs, such as 0,2-3", set_cpu },
	{ 0, "size", "SIZES", "count allocations of this requested size: 100, 64-1K, 4K- or -63",
	  set_size },
	{ 0, "task", "TASK", "count allocations by tasks of this name, or by this number of a task or process",
	  set_task },
	{ 0, "cgroup", "CGROUP", "count allocations charged to this memory cgroup or one below it",
	  set_cgroup },
	{ 0, "stack", "FUNCTION", "count allocations with this function in their call path",
	  set_stack },
	{ 0, "own", NULL, "count what kmemtrace itself allocated as well", set_own },
	{ .help = "How to read it" },
	{ 0, "threads", "N", "use N threads, up to 16 (default: one a processor, up to 4)",
	  set_threads },
	{ 'q', "quiet", NULL, "don't show the progress on a terminal", set_quiet },
	{ 0 }
};

/* Return whether no memory is older than --older and younger than --younger. */
static bool no_age_matches(void)
{
	uint64_t older, younger;

	return reading_filters[KMEMTRACE_FILTER_OLDER] && reading_filters[KMEMTRACE_FILTER_YOUNGER] &&
	       !interval_parse_time(reading_filters[KMEMTRACE_FILTER_OLDER], &older) &&
	       !interval_parse_time(reading_filters[KMEMTRACE_FILTER_YOUNGER], &younger) &&
	       older >= younger;
}

/* Return why the options can't be combined, or NULL. */
const char *reading_complaint(void)
{
	static char text[160];

	if (no_age_matches()) {
		snprintf(text, sizeof(text), "--older %.32s and --younger %.32s leave nothing: expected less for --older than for --younger",
			 reading_filters[KMEMTRACE_FILTER_OLDER],
			 reading_filters[KMEMTRACE_FILTER_YOUNGER]);
		return text;
	}
	if (nr_times > 1)
		return "--at or --between can be given once only";
	if (opt_filter_twice)
		return "--site, --module, --cache, --type, --cpu, --size, --task, --cgroup, --stack, --older and --younger can each be given once only";
	return NULL;
}

/* Return whether options choose allocations. */
bool reading_is_filtered(void)
{
	int i;

	for (i = 0; i < NR_FILTERS; i++)
		if (reading_filters[i])
			return true;
	return false;
}

/* Return whether options choose a part of the trace. */
bool reading_is_part(void)
{
	return reading_is_filtered() || nr_times;
}

/* Return whether options choose memory by its age. */
bool reading_is_aged(void)
{
	return reading_filters[KMEMTRACE_FILTER_OLDER] || reading_filters[KMEMTRACE_FILTER_YOUNGER];
}

/* Let records stay readable after reading_read(), those of the standard input, too. */
void reading_keep_records(void)
{
	keeps_records = true;
}

/* Return whether a directory contains the stream of a CPU, or counters. */
static bool holds_trace(const char *path)
{
	DIR *dir = opendir(path);
	bool found = false;
	struct dirent *de;
	unsigned int cpu;

	if (!dir)
		return false;
	while (!found && (de = readdir(dir)))
		found = name_is_stream(de->d_name, &cpu) ||
			!strcmp(de->d_name, COUNTERS_FILE);
	closedir(dir);
	return found;
}

/* Return the directory to read if none is given. */
const char *reading_default(void)
{
	return holds_trace(".") ? "." : DEFAULT_DIR;
}

/* Return whether @fd is a terminal that understands escape sequences. */
bool reading_is_terminal(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) && (!term || strcmp(term, "dumb"));
}

/* Open the trace in the directory @path, or the one on the standard input. */
static int open_operand(struct kmemtrace_trace **trace, const char *path)
{
	struct kmemtrace_options options = {
		.size = sizeof(options),
		.watch = watch_progress,
		.once = !keeps_records,
	};

	if (strcmp(path, STDIN_OPERAND))
		return kmemtrace_open(trace, path, &options);
	options.name = STDIN_NAME;
	return kmemtrace_open_stream(trace, stdin, &options);
}

/* Choose the part of the trace that the options name. */
static void choose_part(struct kmemtrace_trace *trace)
{
	int i;

	kmemtrace_set_threads(trace, opt_threads);
	kmemtrace_set_own(trace, opt_own);
	if (opt_interval.has_end)
		kmemtrace_set_end(trace, opt_interval.end);
	if (opt_interval.has_begin)
		kmemtrace_set_begin(trace, opt_interval.begin);
	for (i = 0; i < NR_FILTERS; i++)
		must_succeed(kmemtrace_set_filter(trace, i, reading_filters[i]));
}

/**
 * reading_open - open a trace, and choose the part that the options name
 * @trace: result; NULL after an error
 * @path: its directory, or "-" for the standard input
 *
 * Return: 0, or -errno after a message.
 */
int reading_open(struct kmemtrace_trace **trace, const char *path)
{
	int ret;

	watch_begin(!opt_quiet && reading_is_terminal(STDERR_FILENO));
	ret = open_operand(trace, path);
	if (ret)
		watch_end();
	else
		choose_part(*trace);
	return ret;
}

/* Read a trace that reading_open() opened. Return 0, or -errno after a message. */
int reading_read(struct kmemtrace_trace *trace)
{
	int ret = kmemtrace_read(trace);

	watch_end();
	return ret;
}

/* Refuse a trace that has counters, but no event. Return 0, or -EINVAL after a message. */
int reading_expect_events(const struct kmemtrace_trace *trace)
{
	if (kmemtrace_get_machine(trace)->nr_cpus)
		return 0;
	warnx("%s: has counters, but no event; kmemtrace-report shows all of them, as text and as JSON",
	      kmemtrace_get_machine(trace)->name);
	return -EINVAL;
}

/**
 * reading_status - return the exit status of the program
 * @trace: the trace; not used after an error
 * @error: what reading_open(), reading_read() and the work after it returned
 *
 * Return: the status; if a signal ended the reading, 128 plus its number.
 */
int reading_status(const struct kmemtrace_trace *trace, int error)
{
	if (error == -ENOMEM)
		warnx("out of memory");
	if (error == -EINTR)
		return EXIT_SIGNAL + watch_signal();
	if (error)
		return EXIT_UNUSABLE;
	return kmemtrace_get_summary(trace)->is_stopped ? EXIT_SIGNAL + watch_signal() :
							   EXIT_SUCCESS;
}

/* Let a report show a trace that was read. */
void reading_show(struct report *r, const struct kmemtrace_trace *trace)
{
	struct kmemtrace_relation *totals, *readings;
	int i;

	r->trace = trace;
	r->sum = kmemtrace_get_summary(trace);
	r->lost = r->sum->lost;
	r->unseen = unseen_bits(kmemtrace_metadata(trace, "unseen"));
	readings = relation_of(r, "readings");
	r->has_counters = kmemtrace_relation_rows(readings);
	kmemtrace_relation_close(readings);
	totals = relation_of(r, "totals", .columns = "is_used");
	for (i = 0; kmemtrace_relation_next(totals); i++)
		r->is_used[i] = i <= KMEMTRACE_SPACE_PAGES || cell_number(totals, "is_used");
	kmemtrace_relation_close(totals);
}
