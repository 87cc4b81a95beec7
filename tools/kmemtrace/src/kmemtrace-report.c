// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-report: what a trace says.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "groups.h"
#include "memory.h"
#include "options.h"
#include "unpack.h"
#include "views.h"

#define DEFAULT_DIR	"kmemtrace.data"

static void print_json(const struct report *r, FILE *out)
{
	json_object *obj = report_json(r);

	fprintf(out, "%s\n",
		json_object_to_json_string_ext(obj, JSON_C_TO_STRING_PRETTY |
					       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(obj);
}

static size_t opt_limit = 10;
static const struct sort_key *opt_sort = &sort_keys[0];
static const struct group_key *opt_group = &group_keys[0];
static struct filter opt_only;
static const char *opt_vmlinux;
static const struct style *opt_style;
static void (*opt_print)(const struct report *r, FILE *out) = report_text;

static int set_limit(const char *value)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(value, &end, 10);
	if (errno || *end || end == value || n < 1)
		return -EINVAL;
	opt_limit = n;
	return 0;
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

static int set_site(const char *value)
{
	opt_only.site = value;
	return 0;
}

static int set_module(const char *value)
{
	opt_only.module = value;
	return 0;
}

static int set_vmlinux(const char *value)
{
	opt_vmlinux = value;
	return 0;
}

static int set_json(const char *value)
{
	(void)value;
	opt_print = print_json;
	return 0;
}

static int set_folded(const char *value)
{
	(void)value;
	opt_print = report_folded;
	return 0;
}

/* See no-color.org. */
static bool terminal_has_colours(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && (!no_color || !*no_color) &&
	       (!term || strcmp(term, "dumb"));
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
	{ 'g', "group-by", "KEY", "call sites as one that share: site, line, function, file, dir or module",
	  set_group },
	{ .help = "Which part of it" },
	{ 0, "site", "PATTERN", "only call sites in functions whose name fits PATTERN",
	  set_site },
	{ 0, "module", "NAME", "only call sites in the module NAME, or in the kernel",
	  set_module },
	{ .help = "How to show it" },
	{ 's', "sort", "KEY", "order of lists: live, alloc, count, waste or remote",
	  set_sort },
	{ 'n', "number", "N", "rows of each list (default: 10)", set_limit },
	{ 'j', "json", NULL, "print JSON", set_json },
	{ 'F', "folded", NULL, "print call sites as flamegraph.pl reads them", set_folded },
	{ 0, "color", "WHEN", "colours: auto, always or never", set_color },
	{ 0 }
};

static const struct program prog = {
	.name = "kmemtrace-report",
	.operands = "[DIR|-]",
	.purpose = "Report what the trace in DIR says (default: the current directory if it holds\n"
		   "cpu<n>.out files, else " DEFAULT_DIR "); - is what kmemtraced -o - writes,\n"
		   "from the standard input.\n"
		   "Exit status: 0 reported, 2 unusable input.",
	.opts = opts,
};

static int open_vmlinux(struct source **source, const struct trace *trace)
{
	int ret;

	if (!opt_vmlinux)
		return 0;
	ret = source_open(source, opt_vmlinux,
			  tracedir_meta(&trace->dir, "build_id"),
			  &trace->symbols);
	/* A stripped one has been complained of: symbols do without. */
	return ret == -ENODATA && !opt_group->needs_source ? 0 : ret;
}

static int report(const char *path, const char *name)
{
	struct report r = {
		.sort = opt_sort,
		.group = opt_group,
		.only = opt_only,
		.limit = opt_limit,
		.style = opt_style,
	};
	struct trace trace;
	int ret;

	ret = trace_load(&trace, path, name);
	if (!ret)
		ret = open_vmlinux(&r.source, &trace);
	if (!ret) {
		r.trace = &trace;
		opt_print(&r, stdout);
	}
	source_close(r.source);
	trace_free(&trace);
	if (fflush(stdout) || ferror(stdout)) {
		warn("standard output");
		return -EIO;
	}
	return ret;
}

static int report_operand(const char *operand)
{
	const char *path = operand;
	bool cut;

	if (strcmp(operand, STDIN_OPERAND))
		return report(path, path);
	path = unpack_stdin(&cut);
	return path ? report(path, STDIN_NAME) : -EINVAL;
}

int main(int argc, char **argv)
{
	int i;

	i = options_parse(&prog, argc, argv);
	if (i < 0)
		return EXIT_UNUSABLE;
	if (!opt_style)
		opt_style = terminal_has_colours() ? &style_coloured : &style_plain;
	if (opt_group->needs_source && !opt_vmlinux) {
		warnx("--group-by %s: needs the --vmlinux that was traced, with debug information",
		      opt_group->name);
		return EXIT_UNUSABLE;
	}
	if (argc - i > 1) {
		warnx("more than one DIR; try '%s --help'", prog.name);
		return EXIT_UNUSABLE;
	}
	if (i < argc)
		i = report_operand(argv[i]);
	else
		i = report_operand(tracedir_holds_trace(".") ? "." : DEFAULT_DIR);
	return i ? EXIT_UNUSABLE : EXIT_SUCCESS;
}
