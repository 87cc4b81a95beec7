// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-report: print a report on a trace.
 */
#include "config.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/interval.h"
#include "common/memory.h"
#include "common/names.h"
#include "common/options.h"
#include "html/page.h"
#include "report/diff.h"
#include "report/format.h"
#include "report/groups.h"
#include "report/view.h"
#include "report/views.h"
#include "report/watch.h"

#define DEFAULT_DIR	"kmemtrace.data"

/* Beside EXIT_SUCCESS and EXIT_UNUSABLE. */
#define EXIT_GREW	1
/* Plus the number of a signal, as in shells. */
#define EXIT_SIGNAL	128

static void print_report_json(const struct report *r, FILE *out)
{
	print_json(report_json(r), out);
}

static void print_diff_json(const struct diff *d, FILE *out)
{
	print_json(diff_json(d), out);
}

static void print_page(const struct report *r, FILE *out)
{
	page_print(r, NULL, out);
}

static void print_diff_page(const struct diff *d, FILE *out)
{
	page_print(d->after, d->before, out);
}

/**
 * struct output - an output format
 * @report: prints the report on a trace
 * @diff: prints the difference of two traces; NULL: this format has none
 * @has_cells: it needs the cells of the trace
 */
struct output {
	void (*report)(const struct report *r, FILE *out);
	void (*diff)(const struct diff *d, FILE *out);
	bool has_cells;
};

static const struct output text = { report_text, diff_text, false };
static const struct output json = { print_report_json, print_diff_json, false };
static const struct output folded = { report_folded, NULL, false };
static const struct output html = { print_page, print_diff_page, true };

static size_t opt_limit;
static unsigned int opt_threads;
static struct interval opt_interval;
static const char *opt_filters[NR_FILTERS];
static const struct sort_key *opt_sort = &sort_keys[0];
static const struct group_key *opt_group = &group_keys[0];
static uint64_t opt_views;
static const char *opt_vmlinux[2];
static size_t nr_vmlinux;
static bool opt_diff;
static bool opt_quiet;
static struct threshold threshold;
static const struct threshold *opt_threshold;
static const struct style *opt_style;
static const struct output *opt_output = &text;
static const char *opt_file;
static bool opt_two_outputs, opt_filter_twice;
static unsigned int nr_times;

/* Return a number from 1 to @max, or 0. */
static long parse_number(const char *value, long max)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(value, &end, 10);
	return errno || *end || end == value || n < 1 || n > max ? 0 : n;
}

static int set_limit(const char *value)
{
	opt_limit = parse_number(value, LONG_MAX);
	return opt_limit ? 0 : -EINVAL;
}

static int set_threads(const char *value)
{
	opt_threads = parse_number(value, KMEMTRACE_MAX_THREADS);
	return opt_threads ? 0 : -EINVAL;
}

static int set_at(const char *value)
{
	nr_times++;
	return *value ? interval_parse_end(&opt_interval, value) : -EINVAL;
}

static int set_between(const char *value)
{
	nr_times++;
	return interval_parse(&opt_interval, value);
}

static int set_sort(const char *value)
{
	opt_sort = sort_key_find(value);
	return opt_sort ? 0 : -EINVAL;
}

static int set_group(const char *value)
{
	opt_group = group_key_find(value);
	return opt_group ? 0 : -EINVAL;
}

static int set_filter(enum kmemtrace_filter filter, const char *value)
{
	opt_filter_twice |= !!opt_filters[filter];
	opt_filters[filter] = value;
	return kmemtrace_set_filter(NULL, filter, value);
}

static int set_site(const char *value)
{
	return set_filter(KMEMTRACE_FILTER_SITE, value);
}

static int set_module(const char *value)
{
	return set_filter(KMEMTRACE_FILTER_MODULE, value);
}

static int set_cache(const char *value)
{
	return set_filter(KMEMTRACE_FILTER_CACHE, value);
}

static int set_type(const char *value)
{
	return set_filter(KMEMTRACE_FILTER_TYPE, value);
}

static int set_cpu(const char *value)
{
	return set_filter(KMEMTRACE_FILTER_CPU, value);
}

static int set_size(const char *value)
{
	return set_filter(KMEMTRACE_FILTER_SIZE, value);
}

static int set_show(const char *value)
{
	if (!strcmp(value, "list")) {
		views_list(stdout);
		options_answered();
	}
	/* views_choose() printed a message. */
	if (views_choose(&opt_views, value))
		exit(EXIT_UNUSABLE);
	return 0;
}

static int set_vmlinux(const char *value)
{
	if (nr_vmlinux == 2)
		return -EINVAL;
	opt_vmlinux[nr_vmlinux++] = value;
	return 0;
}

static int set_diff(const char *value)
{
	(void)value;
	opt_diff = true;
	return 0;
}

static int set_threshold(const char *value)
{
	opt_threshold = &threshold;
	return threshold_parse(&threshold, value);
}

static int set_quiet(const char *value)
{
	(void)value;
	opt_quiet = true;
	return 0;
}

static int set_output(const struct output *output)
{
	opt_two_outputs |= opt_output != &text && opt_output != output;
	opt_output = output;
	return 0;
}

static int set_json(const char *value)
{
	(void)value;
	return set_output(&json);
}

static int set_folded(const char *value)
{
	(void)value;
	return set_output(&folded);
}

static int set_html(const char *value)
{
	if (page_missing()) {
		warnx("--html: this program was built without d3; install the package %s and build it again",
		      page_missing());
		exit(EXIT_UNUSABLE);
	}
	opt_file = value;
	return *value ? set_output(&html) : -EINVAL;
}

/* Return whether @fd is a terminal that understands escape sequences. */
static bool is_terminal(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) && (!term || strcmp(term, "dumb"));
}

/* See no-color.org. */
static bool terminal_has_colours(void)
{
	const char *no_color = getenv("NO_COLOR");

	return is_terminal(STDOUT_FILENO) && (!no_color || !*no_color);
}

static const struct when {
	const char *name;
	const struct style *style;
} whens[] = {
	{ "auto", NULL },
	{ "always", &style_coloured },
	{ "never", &style_plain },
	{ NULL, NULL }
};

static int set_color(const char *value)
{
	const struct when *w;

	for (w = whens; w->name; w++) {
		if (strcmp(w->name, value))
			continue;
		opt_style = w->style;
		return 0;
	}
	return -EINVAL;
}

static const struct opt opts[] = {
	{ .help = "Which trace" },
	{ 'k', "vmlinux", "FILE", "read file and line of call sites from FILE's debug information",
	  set_vmlinux },
	{ .help = "What to show" },
	{ 0, "show", "VIEWS", "show these parts in full, separated by commas; list: list them",
	  set_show },
	{ 'd', "diff", NULL, "show the difference of two DIRs", set_diff },
	{ 't', "threshold", "SIZE", "exit status 1 if an allocator grew by more: N, NK, NM, NG or N%",
	  set_threshold },
	{ 'g', "group-by", "KEY", "group call sites by: site, line, function, file, dir or module",
	  set_group },
	{ .help = "Which part of it" },
	{ 0, "at", "TIME", "end the trace TIME seconds after its first event",
	  set_at },
	{ 0, "between", "A,B", "count allocations from A on, and end the trace at B",
	  set_between },
	{ 0, "site", "PATTERN", "count allocations by functions whose name matches PATTERN",
	  set_site },
	{ 0, "module", "NAME", "count allocations by the module NAME, or by the kernel",
	  set_module },
	{ 0, "cache", "PATTERN", "count allocations from slab caches whose name matches PATTERN",
	  set_cache },
	{ 0, "type", "TYPES", "count allocations by kmalloc, cache, pages, percpu or vmalloc",
	  set_type },
	{ 0, "cpu", "CPUS", "count allocations on these CPUs, such as 0,2-3", set_cpu },
	{ 0, "size", "SIZES", "count allocations of this requested size: 100, 64-1K, 4K- or -63",
	  set_size },
	{ .help = "How to show it" },
	{ 's', "sort", "KEY", "sort lists by: live, peak, alloc, count, waste or remote",
	  set_sort },
	{ 'n', "number", "N", "rows of each list (default: 10, fewer in the overview)", set_limit },
	{ 'j', "json", NULL, "print JSON", set_json },
	{ 'F', "folded", NULL, "print call sites for flamegraph.pl", set_folded },
	{ 0, "html", "FILE", "write a page for browsers to FILE", set_html },
	{ 0, "color", "WHEN", "colours: auto, always or never", set_color },
	{ .help = "How to read it" },
	{ 0, "threads", "N", "use N threads, up to 16 (default: one a processor, up to 4)",
	  set_threads },
	{ 'q', "quiet", NULL, "don't show the progress on a terminal", set_quiet },
	{ 0 }
};

static const struct program prog = {
	.name = "kmemtrace-report",
	.operands = "[DIR|-]\n  or:  kmemtrace-report --diff [OPTION]... DIR DIR",
	.purpose = "Print a report on the trace in DIR (default: the current directory if it holds\n"
		   "cpu<n>.out files, else " DEFAULT_DIR "); - is what kmemtraced -o - writes,\n"
		   "from the standard input.\n"
		   "Exit status: 0 reported, 1 grew by more than --threshold, 2 unusable input,\n"
		   "128 + N: signal N stopped the reading; the report covers what was read.",
	.opts = opts,
};

/**
 * struct opened - a trace, and how to show it
 * @trace: the trace
 * @report: the report that the options ask for
 */
struct opened {
	struct kmemtrace_trace *trace;
	struct report report;
};

static int open_vmlinux(struct opened *o, const char *vmlinux)
{
	int ret;

	if (!vmlinux)
		return 0;
	ret = source_open(&o->report.source, vmlinux,
			  kmemtrace_metadata(o->trace, "build_id"), o->trace);
	/* source_open() printed a message. Most groups need symbols only. */
	return ret == -ENODATA && !opt_group->needs_source ? 0 : ret;
}

static bool is_watched(void)
{
	return !opt_quiet && is_terminal(STDERR_FILENO);
}

/* Open the trace in the directory @path, or the one on the standard input. */
static int open_operand(struct opened *o, const char *path)
{
	struct kmemtrace_options options = {
		.size = sizeof(options),
		.watch = watch_progress,
	};

	if (strcmp(path, STDIN_OPERAND))
		return kmemtrace_open(&o->trace, path, &options);
	options.name = STDIN_NAME;
	return kmemtrace_open_stream(&o->trace, stdin, &options);
}

/* Read the part of the trace that the options choose. */
static int read_part(struct kmemtrace_trace *trace)
{
	int i;

	kmemtrace_set_threads(trace, opt_threads);
	if (opt_interval.has_end)
		kmemtrace_set_end(trace, opt_interval.end);
	if (opt_interval.has_begin)
		kmemtrace_set_begin(trace, opt_interval.begin);
	for (i = 0; i < NR_FILTERS; i++)
		must_succeed(kmemtrace_set_filter(trace, i, opt_filters[i]));
	must_succeed(kmemtrace_set_cells(trace, opt_output->has_cells));
	return kmemtrace_read(trace);
}

/* Open and read a trace. Call close_trace() also after an error. */
static int open_trace(struct opened *o, const char *path, const char *vmlinux)
{
	int ret;

	*o = (struct opened) {
		.report = {
			.filters = opt_filters,
			.sort = opt_sort,
			.group = opt_group,
			.views = opt_views,
			.limit = opt_limit ? opt_limit : DEFAULT_LIMIT,
			.is_limited = opt_limit,
			.style = opt_style,
		},
	};
	watch_begin(is_watched());
	ret = open_operand(o, path);
	if (!ret)
		ret = read_part(o->trace);
	watch_end();
	if (ret)
		return ret;
	o->report.trace = o->trace;
	o->report.sum = kmemtrace_get_summary(o->trace);
	o->report.lost = o->report.sum->lost;
	return open_vmlinux(o, vmlinux);
}

static void close_source(struct opened *o)
{
	source_close(o->report.source);
	o->report.source = NULL;
}

static void close_trace(struct opened *o)
{
	close_source(o);
	kmemtrace_close(o->trace);
}

/* Return the exit status after an error. */
static int status_of(int error)
{
	if (error == -ENOMEM)
		warnx("out of memory");
	return error == -EINTR ? EXIT_SIGNAL + watch_signal() : EXIT_UNUSABLE;
}

/* Open the file that the options name, or the standard output. Returns NULL after a message. */
static FILE *open_output(void)
{
	FILE *out = opt_file ? fopen(opt_file, "w") : stdout;

	if (!out)
		warn("%s", opt_file);
	return out;
}

/* Returns false after a message. */
static bool close_output(FILE *out)
{
	bool failed = ferror(out);

	if (!opt_file)
		return true;
	if (!fclose(out) && !failed)
		return true;
	warn("%s", opt_file);
	return false;
}

static int report_operand(const char *operand)
{
	FILE *out = NULL;
	struct opened o;
	int ret, status;

	watch_signals(!strcmp(operand, STDIN_OPERAND));
	ret = open_trace(&o, operand, opt_vmlinux[0]);
	if (!ret)
		out = open_output();
	if (out)
		opt_output->report(&o.report, out);
	if (!ret && (!out || !close_output(out)))
		status = EXIT_UNUSABLE;
	else if (!ret)
		status = o.report.sum->is_stopped ? EXIT_SIGNAL + watch_signal() :
						    EXIT_SUCCESS;
	else
		status = status_of(ret);
	close_trace(&o);
	return status;
}

/* Print the difference. Return the exit status. */
static int compare(struct opened *before, struct opened *after)
{
	int space, status = EXIT_SUCCESS;
	FILE *out = open_output();
	struct diff d;

	if (!out)
		return EXIT_UNUSABLE;
	/* If only one trace had lines, no two names would be the same. */
	if (!before->report.source || !after->report.source) {
		close_source(before);
		close_source(after);
	}
	before->report.lost += after->report.lost;
	diff_init(&d, &before->report, &after->report, opt_threshold);
	opt_output->diff(&d, out);
	for (space = 0; space < NR_SPACES; space++)
		if (diff_exceeds(&d, space))
			status = EXIT_GREW;
	diff_free(&d);
	return close_output(out) ? status : EXIT_UNUSABLE;
}

static int report_diff(char **paths)
{
	const char *vmlinux = opt_vmlinux[nr_vmlinux == 2];
	struct opened before, after = { .trace = NULL };
	int ret;

	ret = open_trace(&before, paths[0], opt_vmlinux[0]);
	if (!ret)
		ret = open_trace(&after, paths[1], vmlinux);
	ret = ret ? status_of(ret) : compare(&before, &after);
	close_trace(&after);
	close_trace(&before);
	return ret;
}

static bool has_stdin(char **operands)
{
	for (; *operands; operands++)
		if (!strcmp(*operands, STDIN_OPERAND))
			return true;
	return false;
}

/* Return why options and @nr operands can't be combined, or NULL. */
static const char *complaint(int nr, char **operands)
{
	const struct {
		bool applies;
		const char *text;
	} complaints[] = {
		{ !opt_diff && nr > 1, "more than one DIR, without --diff" },
		{ !opt_diff && nr_vmlinux > 1, "more than one --vmlinux, without --diff" },
		{ !opt_diff && opt_threshold, "--threshold, without --diff" },
		{ opt_two_outputs, "--json, --folded and --html can't be combined" },
		{ nr_times > 1, "--at or --between can be given once only" },
		{ opt_filter_twice, "--site, --module, --cache, --type, --cpu and --size can each be given once only" },
		{ opt_diff && nr != 2, "--diff needs two DIRs" },
		{ opt_diff && has_stdin(operands), "--diff can't read the standard input: save that trace in a DIR" },
		{ opt_diff && !opt_output->diff, "--diff and --folded can't be combined" },
		{ opt_views && opt_diff, "--show and --diff can't be combined" },
		{ opt_views && opt_output == &folded, "--show and --folded can't be combined" },
		{ opt_views && opt_output == &html, "--show and --html can't be combined" },
		{ opt_group->needs_source && !nr_vmlinux, "--group-by file and dir need --vmlinux" },
	};
	size_t i;

	for (i = 0; i < sizeof(complaints) / sizeof(*complaints); i++)
		if (complaints[i].applies)
			return complaints[i].text;
	return NULL;
}

/* Return whether a directory contains the stream of a CPU. */
static bool holds_trace(const char *path)
{
	DIR *dir = opendir(path);
	bool found = false;
	struct dirent *de;
	unsigned int cpu;

	if (!dir)
		return false;
	while (!found && (de = readdir(dir)))
		found = name_is_stream(de->d_name, &cpu);
	closedir(dir);
	return found;
}

int main(int argc, char **argv)
{
	const char *wrong;
	int i, status;

	i = options_parse(&prog, argc, argv);
	if (i < 0)
		return EXIT_UNUSABLE;
	wrong = complaint(argc - i, argv + i);
	if (wrong) {
		warnx("%s; try '%s --help'", wrong, prog.name);
		return EXIT_UNUSABLE;
	}
	if (!opt_style)
		opt_style = terminal_has_colours() ? &style_coloured : &style_plain;
	if (opt_diff)
		status = report_diff(argv + i);
	else if (i < argc)
		status = report_operand(argv[i]);
	else
		status = report_operand(holds_trace(".") ? "." : DEFAULT_DIR);
	if (fflush(stdout) || ferror(stdout)) {
		warn("standard output");
		return EXIT_UNUSABLE;
	}
	return status;
}
