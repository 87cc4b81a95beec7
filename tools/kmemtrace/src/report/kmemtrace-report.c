// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-report: what a trace says.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "books/pipeline.h"
#include "common/memory.h"
#include "common/options.h"
#include "read/files.h"
#include "read/spool.h"
#include "report/diff.h"
#include "report/groups.h"
#include "report/views.h"
#include "report/watch.h"

#define DEFAULT_DIR	"kmemtrace.data"

/* Beside EXIT_SUCCESS and EXIT_UNUSABLE. */
#define EXIT_GREW	1
/* And a signal's number, as shells have it. */
#define EXIT_SIGNAL	128

/* Print an object, and put it. */
static void put_json(json_object *obj, FILE *out)
{
	fprintf(out, "%s\n",
		json_object_to_json_string_ext(obj, JSON_C_TO_STRING_PRETTY |
					       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(obj);
}

static void print_json(const struct report *r, FILE *out)
{
	put_json(report_json(r), out);
}

static void print_diff_json(const struct diff *d, FILE *out)
{
	put_json(diff_json(d), out);
}

/**
 * struct output - a way to print
 * @report: one trace
 * @diff: what changed from one to another; NULL if there is no such way
 */
struct output {
	void (*report)(const struct report *r, FILE *out);
	void (*diff)(const struct diff *d, FILE *out);
};

static const struct output text = { report_text, diff_text };
static const struct output json = { print_json, print_diff_json };
static const struct output folded = { report_folded, NULL };

static size_t opt_limit;
static struct trace_options opt_trace;
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
static bool opt_two_outputs, opt_filter_twice;
static unsigned int nr_times;

/* Returns 0 for what isn't a number from 1 to @max. */
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
	opt_trace.threads = parse_number(value, PIPELINE_MAX_THREADS);
	return opt_trace.threads ? 0 : -EINVAL;
}

/* Seconds, with as many places as there are; sets @end to what is behind them. */
static int parse_time(const char *value, const char **end, uint64_t *ns)
{
	const char *behind = value + strspn(value, "0123456789.");
	double seconds;
	char *rest;

	errno = 0;
	seconds = strtod(value, &rest);
	if (errno || rest == value || rest != behind || seconds > 1e9)
		return -EINVAL;
	*ns = (uint64_t)(seconds * 1e9 + 0.5);
	*end = rest;
	return 0;
}

/* A time to be cut at, or nothing. */
static int parse_end(const char *value)
{
	opt_trace.is_cut = *value;
	if (!*value)
		return 0;
	return parse_time(value, &value, &opt_trace.at) || *value ? -EINVAL : 0;
}

static int set_at(const char *value)
{
	nr_times++;
	return *value ? parse_end(value) : -EINVAL;
}

/* "A,B", "A," or ",B" */
static int set_between(const char *value)
{
	nr_times++;
	opt_trace.is_late = *value != ',';
	if (opt_trace.is_late && parse_time(value, &value, &opt_trace.from))
		return -EINVAL;
	if (*value++ != ',' || parse_end(value))
		return -EINVAL;
	if (opt_trace.is_late && opt_trace.is_cut)
		return opt_trace.from > opt_trace.at ? -EINVAL : 0;
	return opt_trace.is_late || opt_trace.is_cut ? 0 : -EINVAL;
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

static int set_filter(enum filter_key key, const char *value)
{
	opt_filter_twice |= !!opt_trace.filter.texts[key];
	return filter_set(&opt_trace.filter, key, value);
}

static int set_site(const char *value)
{
	return set_filter(FILTER_SITE, value);
}

static int set_module(const char *value)
{
	return set_filter(FILTER_MODULE, value);
}

static int set_cache(const char *value)
{
	return set_filter(FILTER_CACHE, value);
}

static int set_type(const char *value)
{
	return set_filter(FILTER_TYPE, value);
}

static int set_cpu(const char *value)
{
	return set_filter(FILTER_CPU, value);
}

static int set_size(const char *value)
{
	return set_filter(FILTER_SIZE, value);
}

static int set_show(const char *value)
{
	if (!strcmp(value, "list")) {
		views_list(stdout);
		options_answered();
	}
	/* What is wrong has been said. */
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

/* Is it a terminal that understands more than text? */
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
	{ 'k', "vmlinux", "FILE", "file and line of call sites from FILE's debug information",
	  set_vmlinux },
	{ .help = "What to show" },
	{ 0, "show", "VIEWS", "these parts in full, separated by commas; list: says what there is",
	  set_show },
	{ 'd', "diff", NULL, "what changed from one DIR to another", set_diff },
	{ 't', "threshold", "SIZE", "exit status 1 if a namespace grew by more: N, NK, NM, NG or N%",
	  set_threshold },
	{ 'g', "group-by", "KEY", "call sites as one that share: site, line, function, file, dir or module",
	  set_group },
	{ .help = "Which part of it" },
	{ 0, "at", "TIME", "as if the trace had ended TIME seconds after its first event",
	  set_at },
	{ 0, "between", "A,B", "allocated from A on, and all as if the trace had ended at B",
	  set_between },
	{ 0, "site", "PATTERN", "allocated by functions whose name fits PATTERN",
	  set_site },
	{ 0, "module", "NAME", "allocated by the module NAME, or by the kernel",
	  set_module },
	{ 0, "cache", "PATTERN", "allocated from slab caches whose name fits PATTERN",
	  set_cache },
	{ 0, "type", "TYPES", "allocated by kmalloc, cache, pages, percpu or vmalloc, or several",
	  set_type },
	{ 0, "cpu", "CPUS", "allocated on these CPUs, such as 0,2-3", set_cpu },
	{ 0, "size", "SIZES", "of so many bytes asked for: 100, 64-1K, 4K- or -63",
	  set_size },
	{ .help = "How to show it" },
	{ 's', "sort", "KEY", "order of lists: live, peak, alloc, count, waste or remote",
	  set_sort },
	{ 'n', "number", "N", "rows of each list (default: 10, fewer in the overview)", set_limit },
	{ 'j', "json", NULL, "print JSON", set_json },
	{ 'F', "folded", NULL, "print call sites as flamegraph.pl reads them", set_folded },
	{ 0, "color", "WHEN", "colours: auto, always or never", set_color },
	{ .help = "How to read it" },
	{ 0, "threads", "N", "threads that share the work, 16 at most (default: a processor each, up to 4)",
	  set_threads },
	{ 'q', "quiet", NULL, "don't show on a terminal how far it has come", set_quiet },
	{ 0 }
};

static const struct program prog = {
	.name = "kmemtrace-report",
	.operands = "[DIR|-]\n  or:  kmemtrace-report --diff [OPTION]... DIR DIR",
	.purpose = "Report what the trace in DIR says (default: the current directory if it holds\n"
		   "cpu<n>.out files, else " DEFAULT_DIR "); - is what kmemtraced -o - writes,\n"
		   "from the standard input.\n"
		   "Exit status: 0 reported, 1 grew by more than --threshold, 2 unusable input,\n"
		   "128 and a signal's number: that ended the reading; what was read is reported.",
	.opts = opts,
};

/**
 * struct opened - a trace, and what to show of it
 * @trace: the trace
 * @report: as the options have it
 */
struct opened {
	struct trace trace;
	struct report report;
};

static int open_vmlinux(struct opened *o, const char *vmlinux)
{
	int ret;

	if (!vmlinux)
		return 0;
	ret = source_open(&o->report.source, vmlinux,
			  tracedir_meta(&o->trace.dir, "build_id"),
			  &o->trace.symbols);
	/* A stripped one has been complained of: symbols do without. */
	return ret == -ENODATA && !opt_group->needs_source ? 0 : ret;
}

static bool is_watched(void)
{
	return !opt_quiet && is_terminal(STDERR_FILENO);
}

/* To be close_trace()d also after an error. @input: its files; NULL: those in @path */
static int open_trace(struct opened *o, const char *path, struct files *input,
		      const char *vmlinux)
{
	int ret;

	*o = (struct opened) {
		.report = {
			.trace = &o->trace,
			.sort = opt_sort,
			.group = opt_group,
			.views = opt_views,
			.limit = opt_limit ? opt_limit : DEFAULT_LIMIT,
			.is_limited = opt_limit,
			.style = opt_style,
		},
	};
	watch_begin(is_watched());
	opt_trace.look = watch_streams;
	ret = input ? trace_open_files(&o->trace, input) :
		      trace_open(&o->trace, path, path);
	if (!ret)
		ret = trace_read(&o->trace, &opt_trace);
	watch_end();
	o->report.lost = o->trace.lost_events;
	return ret ? ret : open_vmlinux(o, vmlinux);
}

static void close_source(struct opened *o)
{
	source_close(o->report.source);
	o->report.source = NULL;
}

static void close_trace(struct opened *o)
{
	close_source(o);
	trace_free(&o->trace);
}

/* What was read, when not all of it was, isn't a success. */
static int status_of(const struct trace *t)
{
	return t->is_interrupted || t->options.cut_input ?
	       EXIT_SIGNAL + watch_signal() : EXIT_SUCCESS;
}

static int report(const char *path, struct files *input)
{
	struct opened o;
	int ret, status;

	ret = open_trace(&o, path, input, opt_vmlinux[0]);
	if (!ret)
		opt_output->report(&o.report, stdout);
	status = ret ? EXIT_UNUSABLE : status_of(&o.trace);
	close_trace(&o);
	return status;
}

static bool look_at_stdin(void *arg, uint64_t bytes)
{
	(void)arg;
	if (!watch_input(bytes))
		return false;
	opt_trace.cut_input = bytes;
	return true;
}

static int report_stdin(void)
{
	const struct spool_watch watch = { .look = look_at_stdin };
	struct context ctx = { .say = NULL };
	int status = EXIT_UNUSABLE;
	struct files *files;

	watch_begin(is_watched());
	if (!files_open_stream(&files, &ctx, stdin, STDIN_NAME, &watch)) {
		opt_trace.is_input_cut = files_stream(files)->is_cut;
		status = report(NULL, files);
	}
	files_put(files);
	return status;
}

static int report_operand(const char *operand)
{
	bool is_stdin = !strcmp(operand, STDIN_OPERAND);

	watch_signals(is_stdin);
	return is_stdin ? report_stdin() : report(operand, NULL);
}

/* Print what changed, and tell whether that is too much. */
static int compare(struct opened *before, struct opened *after)
{
	int space, status = EXIT_SUCCESS;
	struct diff d;

	/* With lines on one side only, no two names would be the same. */
	if (!before->report.source || !after->report.source) {
		close_source(before);
		close_source(after);
	}
	before->report.lost += after->report.lost;
	diff_init(&d, &before->report, &after->report, opt_threshold);
	opt_output->diff(&d, stdout);
	for (space = 0; space < NR_SPACES; space++)
		if (diff_exceeds(&d, space))
			status = EXIT_GREW;
	diff_free(&d);
	return status;
}

static int report_diff(char **paths)
{
	const char *vmlinux = opt_vmlinux[nr_vmlinux == 2];
	struct opened before, after = { .report.source = NULL };
	int ret;

	ret = open_trace(&before, paths[0], NULL, opt_vmlinux[0]);
	if (!ret)
		ret = open_trace(&after, paths[1], NULL, vmlinux);
	ret = ret ? EXIT_UNUSABLE : compare(&before, &after);
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

/* Why options and @nr operands can't go together, or NULL. */
static const char *complaint(int nr, char **operands)
{
	const struct {
		bool applies;
		const char *text;
	} complaints[] = {
		{ !opt_diff && nr > 1, "more than one DIR, without --diff" },
		{ !opt_diff && nr_vmlinux > 1, "more than one --vmlinux, without --diff" },
		{ !opt_diff && opt_threshold, "--threshold, without --diff" },
		{ opt_two_outputs, "--json or --folded, not both" },
		{ nr_times > 1, "--at or --between, and once" },
		{ opt_filter_twice, "--site, --module, --cache, --type, --cpu and --size, each of them once" },
		{ opt_diff && nr != 2, "--diff needs two DIRs" },
		{ opt_diff && has_stdin(operands), "--diff can't read the standard input: save that trace in a DIR" },
		{ opt_diff && !opt_output->diff, "--diff can't be --folded" },
		{ opt_views && opt_diff, "--show chooses parts of a report, and --diff is none" },
		{ opt_views && opt_output == &folded, "--show chooses parts of a report, and --folded is none" },
		{ opt_group->needs_source && !nr_vmlinux, "files and directories are not known without --vmlinux" },
	};
	size_t i;

	for (i = 0; i < sizeof(complaints) / sizeof(*complaints); i++)
		if (complaints[i].applies)
			return complaints[i].text;
	return NULL;
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
		status = report_operand(tracedir_holds_trace(".") ? "." : DEFAULT_DIR);
	if (fflush(stdout) || ferror(stdout)) {
		warn("standard output");
		return EXIT_UNUSABLE;
	}
	return status;
}
