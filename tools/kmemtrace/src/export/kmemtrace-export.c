// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-export: write a trace in a format of other programs.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/exit.h"
#include "export/export.h"
#include "report/reading.h"
#include "report/relations.h"
#include "report/view.h"
#include "report/watch.h"

static const struct format * const formats[] = {
	&format_books,
	&format_ctf,
	&format_parquet,
	&format_pprof,
	&format_speedscope,
};

#define NR_FORMATS	(sizeof(formats) / sizeof(*formats))

static const char *opt_path;
static struct source_files opt_sources;
static const char *opt_stacks;
static const char *opt_host, *opt_tables;

static int set_export_output(const char *value)
{
	opt_path = value;
	return *value ? 0 : -EINVAL;
}

static int set_export_vmlinux(const char *value)
{
	if (!source_take_modules(&opt_sources, value))
		opt_sources.vmlinux = value;
	return 0;
}

static int set_export_stacks(const char *value)
{
	opt_stacks = value;
	return strcmp(value, "calls") && strcmp(value, "source") ? -EINVAL : 0;
}

static int set_tables(const char *value)
{
	if (!strcmp(value, "list")) {
		relations_list(stdout);
		options_answered();
	}
	opt_tables = value;
	return tables_exist(value) ? 0 : -EINVAL;
}

static int set_host(const char *value)
{
	opt_host = value;
	return *value ? 0 : -EINVAL;
}

static const struct opt opts[] = {
	{ .help = "What to write" },
	{ 'o', "output", "PATH", "write to PATH; - is the standard output (default: kmemtrace.*)",
	  set_export_output },
	{ 'k', "vmlinux", "FILE",
	  "read file and line of call sites from FILE: a vmlinux, a module or a folder",
	  set_export_vmlinux },
	{ 0, "stacks", "KEY", "make stacks of: calls or source", set_export_stacks },
	{ 0, "tables", "NAMES", "write these tables, separated by commas; list: list the tables",
	  set_tables },
	{ 0, "host", "NAME", "let NAME be the name of the traced machine", set_host },
	{ 0 }
};

static const struct program prog = {
	.name = "kmemtrace-export",
	.operands = "FORMAT [DIR|-]",
	.purpose = "Write the trace in DIR (default: the current directory if it holds cpu<n>.out\n"
		   "files, else " DEFAULT_DIR "), or on the standard input, in a FORMAT of other\n"
		   "programs:\n"
		   "  books       what is live at the end, for the next trace of kmemtraced --rotate\n"
		   "  ctf         all records, for babeltrace2 and Trace Compass\n"
		   "  parquet     tables, for DuckDB, ClickHouse and others\n"
		   "  pprof       a profile, for go tool pprof, Pyroscope and Parca\n"
		   "  speedscope  profiles, for speedscope.app\n"
		   "Exit status: 0 written, 2 unusable input or not written, 128 + N: signal N\n"
		   "stopped the reading, and the output covers what was read, or the writing.",
	.opts = opts,
	.more = reading_opts,
};

/* Return the format with a name, or NULL. */
static const struct format *format_find(const char *name)
{
	size_t i;

	for (i = 0; i < NR_FORMATS; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

/* Return why a format can't be combined with the options, or NULL. */
static const char *export_complaint(const struct format *format)
{
	const struct {
		bool applies;
		const char *text;
	} complaints[] = {
		{ opt_stacks && !format->has_stacks, "this format has no stacks: --stacks" },
		{ (opt_tables || opt_host) && !format->has_tables,
		  "this format has no tables: --tables and --host" },
		{ opt_stacks && !strcmp(opt_stacks, "source") &&
		  !opt_sources.vmlinux && !opt_sources.nr_modules,
		  "--stacks source needs --vmlinux" },
		{ format->has_records && reading_is_filtered(),
		  "this format has all records: --site, --module, --cache, --type, --cpu, --size, --task, --cgroup and --stack don't apply" },
		{ format->is_folder && opt_path && !strcmp(opt_path, STDIN_OPERAND),
		  "this format is a folder: --output -" },
	};
	size_t i;

	for (i = 0; i < sizeof(complaints) / sizeof(*complaints); i++)
		if (complaints[i].applies)
			return complaints[i].text;
	return reading_complaint();
}

/* Say on the standard error what is missing. */
static void warn_of(const struct export *e)
{
	if (kmemtrace_doubt(e->r.trace, 0))
		print_verdict(&e->r, stderr);
	print_doubtful_part(&e->r, stderr);
}

static int read_and_write(struct export *e, struct kmemtrace_trace *trace,
			  const struct format *format)
{
	int ret = source_open_files(&e->r.source, &opt_sources, trace);

	if (!ret && format->begin)
		ret = format->begin(e);
	if (!ret)
		ret = reading_read(trace);
	if (ret)
		return ret;
	reading_show(&e->r, trace);
	warn_of(e);
	return format->end(e);
}

static int export_operand(const struct format *format, const char *operand)
{
	struct kmemtrace_trace *trace;
	struct export e = {
		.r = {
			.filters = reading_filters,
			.style = &style_plain,
		},
		.path = opt_path ? opt_path : format->path,
		.host = opt_host,
		.tables = opt_tables,
		.by_source = opt_stacks && !strcmp(opt_stacks, "source"),
	};
	int ret, status;

	opt_sources.is_needed = e.by_source;
	watch_signals(!strcmp(operand, STDIN_OPERAND));
	if (format->is_folder)
		watch_output();
	ret = reading_open(&trace, operand);
	if (!ret)
		ret = reading_expect_events(trace);
	e.r.trace = trace;
	if (!ret)
		ret = read_and_write(&e, trace, format);
	status = reading_status(trace, ret);
	if (format->free)
		format->free(&e);
	source_close(e.r.source);
	kmemtrace_close(trace);
	return status;
}

int main(int argc, char **argv)
{
	const struct format *format;
	const char *wrong;
	int i = options_parse(&prog, argc, argv);

	if (i < 0)
		return EXIT_UNUSABLE;
	if (i == argc || i + 2 < argc) {
		warnx("expected a FORMAT and at most one DIR; try '%s --help'", prog.name);
		return EXIT_UNUSABLE;
	}
	format = format_find(argv[i]);
	if (!format) {
		warnx("'%s' is no format; '%s --help' lists them", argv[i], prog.name);
		return EXIT_UNUSABLE;
	}
	wrong = export_complaint(format);
	if (wrong) {
		warnx("%s; try '%s --help'", wrong, prog.name);
		return EXIT_UNUSABLE;
	}
	return export_operand(format, i + 1 < argc ? argv[i + 1] : reading_default());
}
