// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-report: print a report on a trace.
 */
#include "config.h"

#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "common/memory.h"
#include "common/newfile.h"
#include "common/options.h"
#include "common/terminal.h"
#include "html/page.h"
#include "kmemtrace-records.h"
#include "report/diff.h"
#include "report/document.h"
#include "report/fetch.h"
#include "report/format.h"
#include "report/groups.h"
#include "report/growth.h"
#include "report/parts.h"
#include "report/reading.h"
#include "report/relations.h"
#include "report/view.h"
#include "report/views.h"
#include "report/watch.h"

/* Beside EXIT_SUCCESS and EXIT_UNUSABLE. */
#define EXIT_GREW	1

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
 * @growth: prints what grew over several traces; NULL: this format has no such thing
 * @has_cells: it needs the cells of the trace
 * @has_counters: it shows the kernel's counters
 */
struct output {
	void (*report)(const struct report *r, FILE *out);
	void (*diff)(const struct diff *d, FILE *out);
	void (*growth)(const struct growth *g, FILE *out);
	bool has_cells;
	bool has_counters;
};

static const struct output text = { report_text, diff_text, grown_text, false, true };
static const struct output json = {
	report_print_json, diff_print_json, grown_print_json, false, true
};

static void print_csv(const struct report *r, FILE *out);
static void print_diff_csv(const struct diff *d, FILE *out);
static void print_growth_csv(const struct growth *g, FILE *out);

static const struct output csv = { print_csv, print_diff_csv, print_growth_csv, false, true };
static const struct output folded = { report_folded, NULL, NULL, false, false };
static const struct output html = { print_page, print_diff_page, NULL, true, false };

static size_t opt_limit;
static const char *opt_relation, *opt_where, *opt_columns, *opt_sort_column, *opt_keys;
static const struct kmemtrace_relation_info *opt_info;
static const struct kmemtrace_column *opt_sort;
static const struct group_key *opt_group = &group_keys[0];
static uint64_t opt_views;
static bool opt_bottom_up, opt_way;
static const char *opt_vmlinux[2];
static size_t nr_vmlinux;
static bool opt_fetches;
static struct source_files opt_sources;
static bool opt_diff, opt_growth, opt_all;
static struct threshold threshold;
static const struct threshold *opt_threshold;
static const struct style *opt_style;
static const struct output *opt_output = &text;
static const char *opt_file;
static uint64_t opt_address;
static const char *opt_address_text;
static bool opt_two_outputs;

static int set_limit(const char *value)
{
	opt_limit = reading_number(value, LONG_MAX);
	return opt_limit ? 0 : options_expected("a number of rows, 1 or more");
}

static int set_sort(const char *value)
{
	opt_sort_column = value;
	opt_sort = figure_find(value);
	return 0;
}

static int set_group(const char *value)
{
	opt_keys = value;
	opt_group = group_key_find(value) ?: &group_keys[0];
	return 0;
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

static int set_stacks(const char *value)
{
	opt_way = value;
	opt_bottom_up = value && !strcmp(value, "bottom-up");
	if (value && !opt_bottom_up && strcmp(value, "top-down"))
		return options_expected("top-down or bottom-up");
	return views_choose(&opt_views, "stacks");
}

static int set_tasks(const char *value)
{
	(void)value;
	return views_choose(&opt_views, "tasks");
}

static int set_processes(const char *value)
{
	(void)value;
	return views_choose(&opt_views, "processes");
}

static int set_cgroups(const char *value)
{
	(void)value;
	return views_choose(&opt_views, "cgroups");
}

static int set_vmlinux(const char *value)
{
	if (source_take_modules(&opt_sources, value))
		return 0;
	if (nr_vmlinux == 2)
		return options_expected("one vmlinux, or two with --diff");
	opt_vmlinux[nr_vmlinux++] = value;
	return 0;
}

static int set_debuginfod(const char *value)
{
	(void)value;
	opt_fetches = true;
	return 0;
}

static int set_diff(const char *value)
{
	(void)value;
	opt_diff = true;
	return 0;
}

static int set_growth(const char *value)
{
	(void)value;
	opt_growth = true;
	return 0;
}

static int set_older(const char *value)
{
	return reading_set_filter(KMEMTRACE_FILTER_OLDER, value);
}

static int set_younger(const char *value)
{
	return reading_set_filter(KMEMTRACE_FILTER_YOUNGER, value);
}

/* Addresses come from crash, drgn and messages of the kernel, with and without 0x. */
static int set_address(const char *value)
{
	char *end;

	errno = 0;
	opt_address = strtoull(value, &end, 16);
	if (errno || *end || !isxdigit((unsigned char)*value))
		return options_expected("a number in base 16, such as ffff888003c41a00");
	opt_address_text = value;
	reading_keep_records();
	return 0;
}

static int set_all(const char *value)
{
	(void)value;
	opt_all = true;
	return 0;
}

static int set_threshold(const char *value)
{
	opt_threshold = &threshold;
	return threshold_parse(&threshold, value) ?
	       options_expected("bytes, such as 4096, 64K or 1M, or a part, such as 5%") : 0;
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

static int set_csv(const char *value)
{
	if (!strcmp(value, "list")) {
		relations_list(stdout);
		options_answered();
	}
	opt_relation = value;
	opt_info = relation_info(value);
	return set_output(&csv);
}

static int set_where(const char *value)
{
	opt_where = value;
	return *value ? 0 : -EINVAL;
}

static int set_columns(const char *value)
{
	opt_columns = value;
	return *value ? 0 : -EINVAL;
}

static bool wants_column_list(void)
{
	return opt_relation && opt_columns && !strcmp(opt_columns, "list");
}

static int set_schema(const char *value)
{
	(void)value;
	print_json(report_schema(), stdout);
	options_answered();
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

/* See no-color.org. */
static bool terminal_has_colours(void)
{
	const char *no_color = getenv("NO_COLOR");

	return reading_is_terminal(STDOUT_FILENO) && (!no_color || !*no_color);
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
	return options_expected("auto, always or never");
}

/* Texts with the names of figures and groups, see write_lists(). */
static char sort_help[320], sort_complaint[320], group_help[160], group_complaint[160];
static char growth_complaint[160], diff_complaint[160];

static const char *figure_name(size_t i)
{
	const struct kmemtrace_column *list;
	size_t nr;

	list = figures_list(&nr);
	return i < nr ? list[i].name : NULL;
}

static const char *group_key_name(size_t i)
{
	return group_keys[i].name;
}

static const char *grown_table_name(size_t i)
{
	return grown_tables[i].member;
}

static const char *diff_table_name(size_t i)
{
	return diff_tables()[i].member;
}

#define WRITE_NAMES(buf, ...)	write_names(buf, sizeof(buf), __VA_ARGS__)

static void write_lists(void)
{
	WRITE_NAMES(sort_help, "sort lists by: ", figure_name, "");
	WRITE_NAMES(sort_complaint, "--sort takes ", figure_name, ", and with --csv any column");
	WRITE_NAMES(growth_complaint, "--growth --csv takes ", grown_table_name, "");
	WRITE_NAMES(diff_complaint, "--diff --csv takes ", diff_table_name, "");
	WRITE_NAMES(group_help, "group by: ", group_key_name, "");
	WRITE_NAMES(group_complaint, "--group-by takes ", group_key_name,
		    ", and with --csv any property");
}

static const struct opt opts[] = {
	{ .help = "Which trace" },
	{ 'k', "vmlinux", "FILE", "read file and line of call sites from FILE's debug information: a vmlinux, a module, or a folder of modules",
	  set_vmlinux },
	{ 0, "debuginfod", NULL, "get the debug information of the kernel from the servers in $DEBUGINFOD_URLS",
	  set_debuginfod },
	{ .help = "What to show" },
	{ 0, "show", "VIEWS", "show these parts in full, separated by commas; list: list them",
	  set_show },
	{ 0, "stacks", "[WAY]", "show call paths; WAY: top-down, the default, or bottom-up", set_stacks },
	{ 0, "tasks", NULL, "show tasks", set_tasks },
	{ 0, "processes", NULL, "show processes", set_processes },
	{ 0, "cgroups", NULL, "show memory cgroups, and what keeps removed ones", set_cgroups },
	{ 'd', "diff", NULL, "show the difference of two DIRs", set_diff },
	{ 't', "threshold", "SIZE", "exit status 1 if an allocator grew by more: N, NK, NM, NG or N%",
	  set_threshold },
	{ 0, "growth", NULL, "show what grew over the traces in two DIRs or more, and never shrank",
	  set_growth },
	{ 0, "all", NULL, "show also what grew over these traces, but shrank at times", set_all },
	{ 'g', "group-by", "KEY", group_help,
	  set_group },
	{ 0, "address", "ADDR", "show what is at the address ADDR, and all events of that memory", set_address },
	{ 0, "older", "TIME", "count only what was allocated more than TIME seconds before the end, and is live then",
	  set_older },
	{ 0, "younger", "TIME", "count only what was allocated less than TIME seconds before the end, and is live then",
	  set_younger },
	{ .help = "How to show it" },
	{ 's', "sort", "KEY", sort_help,
	  set_sort },
	{ 'n', "number", "N", "rows of each list (default: 10, fewer in the overview)", set_limit },
	{ 'j', "json", NULL, "print JSON", set_json },
	{ 0, "json-schema", NULL, "print the schema of that JSON", set_schema },
	{ 0, "csv", "RELATION", "print a table as comma-separated values; list: list the tables",
	  set_csv },
	{ 0, "where", "CONDS", "rows of that table, such as allocator=slab,live>0",
	  set_where },
	{ 0, "columns", "NAMES", "columns of that table, separated by commas; list: list them",
	  set_columns },
	{ 'F', "folded", NULL, "print call sites for flamegraph.pl", set_folded },
	{ 0, "html", "FILE", "write a page for browsers to FILE", set_html },
	{ 0, "color", "WHEN", "colours: auto, always or never", set_color },
	{ 0 }
};

static const struct program prog = {
	.name = "kmemtrace-report",
	.operands = "[DIR|-]\n  or:  kmemtrace-report --diff [OPTION]... DIR DIR\n"
		    "  or:  kmemtrace-report --growth [OPTION]... DIR DIR...",
	.purpose = "Print a report on the trace in DIR (default: the current directory if it holds\n"
		   "cpu<n>.out files, else " DEFAULT_DIR "); - is what kmemtraced -o - writes,\n"
		   "from the standard input.\n"
		   "Exit status: 0 reported, 1 grew by more than --threshold, 2 unusable input,\n"
		   "128 + N: signal N stopped the reading; the report covers what was read.",
	.opts = opts,
	.more = reading_opts,
};

/* Return which rows of one relation the options want. */
static struct kmemtrace_query wanted_rows(void)
{
	return (struct kmemtrace_query) {
		.size = sizeof(struct kmemtrace_query),
		.relation = opt_relation,
		.group_by = opt_keys,
		.where = opt_where,
		.sort = opt_sort_column,
		.limit = opt_limit,
		.columns = opt_columns,
	};
}

static bool is_followed(void)
{
	return opt_info && opt_info->is_followed;
}

/* Print the rows of one relation, unless the reading did. */
static void print_csv(const struct report *r, FILE *out)
{
	const struct kmemtrace_query query = wanted_rows();
	struct kmemtrace_relation *relation;

	if (is_followed())
		return;
	relation = relation_open(r->trace, &query);
	relation_print_csv(relation, out);
	kmemtrace_relation_close(relation);
}

static void print_diff_csv(const struct diff *d, FILE *out)
{
	tables_print_csv(diff_tables(), opt_relation, d, out);
}

static void print_growth_csv(const struct growth *g, FILE *out)
{
	tables_print_csv(grown_tables, opt_relation, g, out);
}

/* Return whether the options ask for a relation of one trace. */
static bool wants_relation(void)
{
	return opt_output == &csv && !opt_diff && !opt_growth;
}

/* Return how the options want a trace to be shown. */
static struct report wanted_report(void)
{
	uint64_t views = opt_views;

	if (opt_address_text && !views)
		views_choose(&views, "address");
	return (struct report) {
		.filters = reading_filters,
		.sort = opt_sort ? opt_sort : figure_find(USUAL_SORT),
		.group = opt_group,
		.is_grouped = opt_keys,
		.is_bottom_up = opt_bottom_up,
		.views = views,
		.address = opt_address_text,
		.limit = opt_limit ? opt_limit : opt_output == &csv ? SIZE_MAX : DEFAULT_LIMIT,
		.is_limited = opt_limit,
		.style = opt_style,
	};
}

/* Return the options that choose what views show, bits of USES_*. */
static unsigned int given_options(void)
{
	return (opt_limit ? USES_NUMBER : 0) | (opt_sort_column ? USES_SORT : 0) |
	       (!opt_keys ? 0 : opt_group->with ? USES_OWNER : USES_PLACE) |
	       (opt_way ? USES_WAY : 0) | (reading_is_aged() ? USES_AGE : 0) |
	       (opt_address_text ? USES_ADDRESS : 0);
}

/* Return why options make no sense with the views of a report, or NULL. */
static const char *complaint_about_views(const struct report *r)
{
	if (opt_diff || opt_growth || (opt_output != &text && opt_output != &json))
		return NULL;
	return views_complaint(r, given_options(), opt_output == &text);
}

/**
 * struct opened - a trace, and how to show it
 * @trace: the trace
 * @report: the report that the options ask for
 * @followed: the relation whose rows the reading prints, or NULL
 */
struct opened {
	struct kmemtrace_trace *trace;
	struct report report;
	struct kmemtrace_relation *followed;
};

/* Open the debug information of a trace. Return 0, or -errno after a message. */
static int open_debug_files(struct source **source, struct kmemtrace_trace *trace, const char *vmlinux)
{
	struct source_files files = opt_sources;
	char *fetched = NULL;
	int ret = opt_fetches ? fetch_vmlinux(kmemtrace_metadata(trace, "build_id"), &fetched) : 0;

	files.vmlinux = fetched ?: vmlinux;
	files.is_needed = opt_group->needs_source;
	if (!ret)
		ret = source_open_files(source, &files, trace);
	free(fetched);
	return ret;
}

/* Open and read a trace. Call close_trace() also after an error. */
static int open_trace(struct opened *o, const char *path, const char *vmlinux)
{
	const struct kmemtrace_query query = wanted_rows();
	char *wrong;
	int ret;

	*o = (struct opened) { .report = wanted_report() };
	ret = reading_open(&o->trace, path);
	if (!ret && (opt_diff || !opt_output->has_counters || reading_is_part()))
		ret = reading_expect_events(o->trace);
	if (ret)
		return ret;
	must_succeed(kmemtrace_set_cells(o->trace, opt_output->has_cells ||
					 (opt_info && opt_info->needs_cells)));
	if (opt_address_text)
		kmemtrace_set_address(o->trace, opt_address);
	if (is_followed())
		o->followed = relation_follow_csv(o->trace, &query, stdout);
	ret = reading_read(o->trace);
	if (ret)
		return ret;
	reading_show(&o->report, o->trace);
	if (opt_output == &folded && opt_keys && !has_with(&o->report, KMEMTRACE_WITH_STACK)) {
		warnx("--folded --group-by %s: %s", opt_keys, lack_text(KMEMTRACE_WITH_STACK));
		return -ENODATA;
	}
	wrong = group_lack(opt_group, o->trace);
	if (wrong) {
		warnx("%s", wrong);
		free(wrong);
		return -ENODATA;
	}
	return open_debug_files(&o->report.source, o->trace, vmlinux);
}

/* Say on the standard error what the text says in its head. */
static void warn_of_part(const struct report *r)
{
	if (opt_output != &text)
		print_doubtful_part(r, stderr);
}

static void close_source(struct opened *o)
{
	source_close(o->report.source);
	o->report.source = NULL;
}

static void close_trace(struct opened *o)
{
	close_source(o);
	kmemtrace_relation_close(o->followed);
	kmemtrace_close(o->trace);
}

/* The file that the options name. */
static struct newfile new_file = { .fd = -1 };

static void say_no_output(int error)
{
	warnx("%s: %s%s", opt_file, strerror(-error), error == -EEXIST ?
	      ", and is no page of this program; remove it, or name another" : "");
}

/*
 * Open the file that the options name, or the standard output. Nobody who waits for a long trace
 * should learn at its end that the page has no place. Returns NULL after a message.
 */
static FILE *open_output(void)
{
	FILE *out = stdout;
	int fd;

	if (!opt_file)
		return out;
	fd = newfile_create(&new_file, opt_file, page_begin());
	out = fd < 0 ? NULL : file_stream(fd);
	if (!out)
		say_no_output(fd < 0 ? fd : newfile_end(&new_file, -errno));
	return out;
}

/* Close the output; after an @error, there is no file. Return @error, or -errno after a message. */
static int close_output(FILE *out, int error)
{
	int ret = out == stdout ? error : newfile_end(&new_file, file_finish(out, error));

	if (ret && !error)
		say_no_output(ret);
	return ret;
}

static int report_operand(const char *operand)
{
	FILE *out = open_output();
	const char *wrong;
	struct opened o;
	int ret, status;

	if (!out)
		return EXIT_UNUSABLE;
	watch_signals(!strcmp(operand, STDIN_OPERAND));
	ret = open_trace(&o, operand, opt_vmlinux[0]);
	wrong = ret ? NULL : complaint_about_views(&o.report);
	if (wrong) {
		warnx("%s: %s", kmemtrace_get_machine(o.trace)->name, wrong);
		ret = -EINVAL;
	}
	if (!ret) {
		warn_of_part(&o.report);
		opt_output->report(&o.report, out);
	}
	ret = close_output(out, ret);
	status = reading_status(o.trace, ret);
	close_trace(&o);
	return status;
}

/* Print the difference. Return the exit status. */
static int compare(struct opened *before, struct opened *after, FILE *out)
{
	int space, status = EXIT_SUCCESS;
	struct diff d;

	/* If only one trace had lines, no two names would be the same. */
	if (!before->report.source || !after->report.source) {
		close_source(before);
		close_source(after);
	}
	must_succeed(kmemtrace_match_functions(before->trace, after->trace));
	before->report.lost += after->report.lost;
	warn_of_part(&before->report);
	warn_of_part(&after->report);
	diff_init(&d, &before->report, &after->report, opt_threshold);
	opt_output->diff(&d, out);
	for (space = 0; space < NR_SPACES; space++)
		if (diff_exceeds(&d, space))
			status = EXIT_GREW;
	diff_free(&d);
	return status;
}

static int report_diff(char **paths)
{
	const char *vmlinux = opt_vmlinux[nr_vmlinux == 2];
	struct opened before, after = { .trace = NULL };
	int ret, status = EXIT_SUCCESS;
	FILE *out = open_output();

	if (!out)
		return EXIT_UNUSABLE;
	ret = open_trace(&before, paths[0], opt_vmlinux[0]);
	if (!ret)
		ret = open_trace(&after, paths[1], vmlinux);
	if (!ret)
		status = compare(&before, &after, out);
	ret = close_output(out, ret);
	close_trace(&after);
	close_trace(&before);
	return ret ? reading_status(NULL, ret) : status;
}

static int open_grown_source(struct source **source, struct kmemtrace_trace *trace)
{
	return open_debug_files(source, trace, opt_vmlinux[0]);
}

/* Print what grew. Return the exit status. */
static int report_growth(char **paths)
{
	const struct report how = wanted_report();
	struct growth g;
	int ret = growth_read(&g, &how, paths, opt_all, open_grown_source);
	int status = ret ? reading_status(NULL, ret) : EXIT_SUCCESS;

	if (!ret)
		opt_output->growth(&g, stdout);
	/* The others are shown. */
	if (!ret && g.chain.failed)
		status = EXIT_UNUSABLE;
	growth_free(&g);
	return status;
}

static bool has_stdin(char **operands)
{
	for (; *operands; operands++)
		if (!strcmp(*operands, STDIN_OPERAND))
			return true;
	return false;
}

/**
 * struct complaint - why options and operands can't be combined
 * @applies: they are given
 * @text: the message
 */
struct complaint {
	bool applies;
	const char *text;
};

static const char *first_complaint(const struct complaint *list, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (list[i].applies)
			return list[i].text;
	return NULL;
}

/* Return why --growth can't be combined with other options and @nr operands, or NULL. */
static const char *complaint_about_growth(int nr, char **operands)
{
	const struct complaint complaints[] = {
		{ opt_all && !opt_growth, "--all, without --growth" },
		{ opt_growth && opt_diff, "--growth and --diff can't be combined" },
		{ opt_growth && nr < 2, "--growth needs two DIRs or more" },
		{ opt_growth && has_stdin(operands), "--growth can't read the standard input: save that trace in a DIR" },
		{ opt_growth && !opt_output->growth, "--growth and --folded or --html can't be combined" },
		{ opt_growth && opt_output == &csv && !tables_find(grown_tables, opt_relation), growth_complaint },
		{ opt_growth && opt_views, "--show and --growth can't be combined" },
		{ opt_growth && opt_group->with, "--group-by stack, task, task_name, process and cgroup can't be combined with --growth" },
		{ opt_growth && opt_sort_column, "--sort and --growth can't be combined" },
		{ opt_growth && reading_is_part(), "--growth needs whole traces: it can't be combined with options that choose a part" },
	};

	return first_complaint(complaints, sizeof(complaints) / sizeof(*complaints));
}

static bool has_servers(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return urls && *urls;
}

/* Return why options and @nr operands can't be combined, or NULL. */
static const char *complaint(int nr, char **operands)
{
	const struct complaint complaints[] = {
		{ !opt_diff && !opt_growth && nr > 1, "more than one DIR, without --diff or --growth" },
		{ !opt_diff && nr_vmlinux > 1, "more than one --vmlinux, without --diff" },
		{ !opt_diff && opt_threshold, "--threshold, without --diff" },
		{ opt_two_outputs, "--json, --csv, --folded and --html can't be combined" },
		{ (opt_where || opt_columns) && !wants_relation(), "--where and --columns, without --csv, or with --diff or --growth" },
		{ !wants_relation() && opt_sort_column && !opt_sort, sort_complaint },
		{ !wants_relation() && opt_keys && !group_key_find(opt_keys), group_complaint },
		{ opt_output != &text && opt_style == &style_coloured, "--color always is for text: it can't be combined with --json, --csv, --folded and --html" },
		{ wants_column_list() && (nr || opt_keys || opt_where || opt_sort_column || opt_limit || nr_vmlinux || opt_sources.nr_modules || opt_fetches || reading_is_part()), "--columns list shows the columns of a table: only --csv can be combined with it" },
		{ opt_views && opt_output == &csv, "--show and --csv can't be combined" },
		{ opt_diff && opt_output == &csv && !tables_find(diff_tables(), opt_relation), diff_complaint },
		{ opt_output == &folded && opt_limit, "--folded has all call sites: it can't be combined with --number" },
		{ opt_output == &folded && opt_group->with, "--folded has call paths, or call sites: --group-by stack, task, task_name, process and cgroup don't apply" },
		{ opt_output == &html && (opt_limit || opt_sort_column || opt_keys), "the page is sorted and grouped in the browser: --html can't be combined with --group-by, --sort and --number" },
		{ opt_diff && nr != 2, "--diff needs two DIRs" },
		{ opt_diff && has_stdin(operands), "--diff can't read the standard input: save that trace in a DIR" },
		{ opt_diff && !opt_output->diff, "--diff and --folded can't be combined" },
		{ opt_output == &html && reading_is_aged(), "the page shows memory over time: --html can't be combined with --older and --younger" },
		{ wants_relation() && reading_is_aged() && opt_info && !opt_info->is_aged, "--older and --younger have no effect on the table of --csv" },
		{ opt_address_text && (opt_diff || opt_growth || opt_output == &folded || opt_output == &html), "--address is for one trace as text, JSON or CSV: it can't be combined with --diff, --growth, --folded and --html" },
		{ opt_address_text && wants_relation() && strcmp(opt_relation, "events_at") && strcmp(opt_relation, "objects_at"), "--address --csv takes events_at and objects_at" },
		{ opt_address_text && reading_is_filtered(), "--address shows all events of the memory: only --at and --between can be combined with it" },
		{ opt_fetches && nr_vmlinux, "--debuginfod gets the vmlinux: it can't be combined with that of --vmlinux" },
		{ opt_fetches && !has_servers(), "--debuginfod needs the addresses of servers in $DEBUGINFOD_URLS" },
		{ opt_views && opt_diff, "--show and --diff can't be combined" },
		{ opt_views && opt_output == &folded, "--show and --folded can't be combined" },
		{ opt_views && opt_output == &html, "--show and --html can't be combined" },
		{ opt_group->needs_source && !nr_vmlinux && !opt_sources.nr_modules && !opt_fetches, GROUP_NEEDS_VMLINUX },
	};
	const struct report r = wanted_report();
	const char *wrong = complaint_about_growth(nr, operands);

	if (!wrong)
		wrong = first_complaint(complaints, sizeof(complaints) / sizeof(*complaints));
	if (!wrong)
		wrong = reading_complaint();
	return wrong ? wrong : complaint_about_views(&r);
}

int main(int argc, char **argv)
{
	const char *wrong;
	int i, status;

	write_lists();
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
	if (opt_style == &style_coloured)
		terminal_use_colours();
	if (wants_column_list())
		status = columns_list(opt_relation, stdout) ? EXIT_SUCCESS : EXIT_UNUSABLE;
	else if (opt_diff)
		status = report_diff(argv + i);
	else if (opt_growth)
		status = report_growth(argv + i);
	else
		status = report_operand(i < argc ? argv[i] : reading_default());
	return terminal_end() ? EXIT_UNUSABLE : status;
}
