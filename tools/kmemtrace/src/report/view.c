// SPDX-License-Identifier: GPL-2.0
/*
 * Names, titles and rows, for all views.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "common/memory.h"
#include "common/terminal.h"
#include "report/format.h"
#include "report/view.h"

const struct style style_plain = { "", "", "" };
const struct style style_coloured = { TERMINAL_BOLD, TERMINAL_RED, TERMINAL_PLAIN };

const struct space_info space_infos[NR_SPACES] = {
	[KMEMTRACE_SPACE_SLAB] = { "slab", "Slab", "objects", "" },
	[KMEMTRACE_SPACE_PAGES] = { "pages", "Pages", "pages", "" },
	[KMEMTRACE_SPACE_PERCPU] = { "percpu", "Percpu", "objects", "lie in pages" },
	[KMEMTRACE_SPACE_VMALLOC] = { "vmalloc", "Vmalloc", "areas", "lie in pages" },
};

const char * const filter_names[NR_FILTERS] = {
	[KMEMTRACE_FILTER_SITE] = "site",
	[KMEMTRACE_FILTER_MODULE] = "module",
	[KMEMTRACE_FILTER_CACHE] = "cache",
	[KMEMTRACE_FILTER_TYPE] = "type",
	[KMEMTRACE_FILTER_CPU] = "cpu",
	[KMEMTRACE_FILTER_SIZE] = "size",
	[KMEMTRACE_FILTER_TASK] = "task",
	[KMEMTRACE_FILTER_CGROUP] = "cgroup",
	[KMEMTRACE_FILTER_STACK] = "stack",
	[KMEMTRACE_FILTER_OLDER] = "older",
	[KMEMTRACE_FILTER_YOUNGER] = "younger",
};

/* Return whether the trace has the kernel's counters. */
bool has_counters(const struct report *r)
{
	return r->has_counters;
}

/* Return whether the newest events replaced older ones. */
bool overwrites(const struct report *r)
{
	const char *word = kmemtrace_metadata(r->trace, "overwrites");

	return word && !strcmp(word, "yes");
}

/* Return whether something was recorded with each event. */
bool has_with(const struct report *r, enum kmemtrace_with with)
{
	return kmemtrace_get_with(r->trace) & with;
}

/* Return what to say where has_with() is false. */
const char *lack_text(enum kmemtrace_with with)
{
	switch (with) {
	case KMEMTRACE_WITH_STACK:
		return "the trace has no call paths: record with kmemtraced --with stack";
	case KMEMTRACE_WITH_TASK:
		return "the trace has no tasks: record with kmemtraced --with task";
	case KMEMTRACE_WITH_REFS:
		return "the trace has no references: record with kmemtraced --with refs=KIND";
	case KMEMTRACE_WITH_CGROUP:
		break;
	}
	return "the trace has no cgroups: record with kmemtraced --with cgroup";
}

/* Return whether a CPU has events; counters alone have none. */
bool has_events(const struct report *r)
{
	return kmemtrace_get_machine(r->trace)->nr_cpus || !has_counters(r);
}

/* Print what precedes the title of a view. */
void print_title_begin(const struct report *r, FILE *out)
{
	fprintf(out, "\n%s", r->style->title);
}

/* Print the number of lost events behind the title of a view. */
void print_title_end(const struct report *r, FILE *out)
{
	fputs(r->style->end, out);
	if (r->lost)
		fprintf(out, " %s(%s lost)%s", r->style->bad,
			COUNT(r->lost, "event", "events"), r->style->end);
	putc('\n', out);
}

/* Print the title of a view. */
void print_title(const struct report *r, FILE *out, const char *fmt, ...)
{
	va_list ap;

	print_title_begin(r, out);
	va_start(ap, fmt);
	vfprintf(out, fmt, ap);
	va_end(ap);
	print_title_end(r, out);
}

/* End the program if a function of the library failed; only lack of memory makes it fail. */
void must_succeed(int ret)
{
	if (!ret)
		return;
	errno = -ret;
	err(EXIT_UNUSABLE, "cannot add up the trace");
}
