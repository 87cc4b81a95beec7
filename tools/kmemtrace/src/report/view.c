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
	[KMEMTRACE_SPACE_PERCPU] = { "percpu", "Percpu", "objects", "  lie in pages" },
	[KMEMTRACE_SPACE_VMALLOC] = { "vmalloc", "Vmalloc", "areas", "  lie in pages" },
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

/* Print the title of a view, and the number of lost events. */
void print_title(const struct report *r, FILE *out, const char *fmt, ...)
{
	va_list ap;

	fprintf(out, "\n%s", r->style->title);
	va_start(ap, fmt);
	vfprintf(out, fmt, ap);
	va_end(ap);
	fprintf(out, "%s", r->style->end);
	if (r->lost)
		fprintf(out, " %s(%s events lost)%s", r->style->bad,
			NUMBER(r->lost), r->style->end);
	fputc('\n', out);
}

/* ---- rows ---- */

/* End the program if a function of the library failed; only lack of memory makes it fail. */
void must_succeed(int ret)
{
	if (!ret)
		return;
	errno = -ret;
	err(EXIT_UNUSABLE, "cannot add up the trace");
}

/* Print the standard error of an estimate, or blanks; nothing if the trace is no sample. */
void error_text(const struct report *r, uint64_t value, uint64_t error, FILE *out)
{
	const char *text = ERROR(value, error);

	if (!is_sample(r))
		return;
	/* The first character is two bytes. */
	fprintf(out, " %-*s", ERROR_COLUMNS - 1 + !!*text, text);
}
