// SPDX-License-Identifier: GPL-2.0
/*
 * View: the traced machine, and whether the trace is complete.
 */
#include "config.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/text.h"
#include "common/unseen.h"
#include "kmemtrace-records.h"
#include "report/format.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* What may be recorded with each event: its bit, its name in JSON, and in text. */
static const struct {
	unsigned int bit;
	const char *name, *title;
} withs[] = {
	{ KMEMTRACE_WITH_STACK, "stack", "call paths" },
	{ KMEMTRACE_WITH_TASK, "task", "tasks" },
	{ KMEMTRACE_WITH_CGROUP, "cgroup", "cgroups" },
	{ KMEMTRACE_WITH_REFS, "refs", "references" },
};

/* Print the events of each CPU if there are at most this many. */
#define MAX_CPUS_SHOWN	16

static void print_machine(const struct report *r, FILE *out)
{
	const struct kmemtrace_machine *m = kmemtrace_get_machine(r->trace);
	const char *release = kmemtrace_metadata(r->trace, "kernel_release");
	const char *machine = kmemtrace_metadata(r->trace, "machine");
	const char *source = kmemtrace_metadata(r->trace, "source");

	fprintf(out, "  kernel   ");
	text_print(release ? release : "unknown", out);
	if (machine) {
		putc(' ', out);
		text_print(machine, out);
	}
	fprintf(out, ", %s-endian", m->byte_order);
	if (m->word_bits)
		fprintf(out, ", %u bits", m->word_bits);
	fprintf(out, ", pages of %s%s\n", BYTES(m->page_size),
		kmemtrace_metadata(r->trace, "page_size") ? "" : " (assumed)");
	if (source) {
		fprintf(out, "  source   ");
		text_print(source, out);
		putc('\n', out);
	}
	if (overwrites(r))
		fprintf(out, "  newest   the events that the buffers held at the end, from where all CPUs have theirs\n");
}

/* Print when and where the trace was recorded, and of which command. */
static void print_occasion(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *trace = relation_of(r, "trace", .columns = "recorded,host,ram_bytes,command");
	static const char * const parts[][2] = {
		{ "recorded", " " }, { "host", " on " }, { "ram_bytes", ", RAM of " },
	};
	bool is_known = false;
	size_t i;

	kmemtrace_relation_next(trace);
	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (!has_cell(trace, parts[i][0]))
			continue;
		fprintf(out, "%s%s", is_known ? "" : "  recorded", parts[i][1]);
		print_cell(trace, parts[i][0], out);
		is_known = true;
	}
	if (is_known)
		putc('\n', out);
	if (has_cell(trace, "command")) {
		fputs("  command  ", out);
		print_cell(trace, "command", out);
		putc('\n', out);
	}
	kmemtrace_relation_close(trace);
}

static void print_cpu(struct kmemtrace_relation *cpu, size_t shown, FILE *out)
{
	fprintf(out, "%s cpu%" PRIu64 " %s", !shown ? "" : shown % 4 ? "," : ",\n          ",
		cell_number(cpu, "cpu"), NUMBER(cell_number(cpu, "events")));
	if (cell_number(cpu, "lost_events"))
		fprintf(out, " (%s lost)", NUMBER(cell_number(cpu, "lost_events")));
}

/* Print the events of each CPU; on a large machine, only of CPUs that lost events. */
static void print_cpus(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *cpus = relation_of(r, "cpus");
	const size_t nr = kmemtrace_relation_rows(cpus);
	size_t shown = 0;

	fprintf(out, "  per CPU ");
	while (kmemtrace_relation_next(cpus))
		if (nr <= MAX_CPUS_SHOWN || cell_number(cpus, "lost_events"))
			print_cpu(cpus, shown++, out);
	kmemtrace_relation_close(cpus);
	if (shown < nr)
		fprintf(out, "%s %s%s", shown ? ", and" : "", COUNT(nr - shown, "CPU", "CPUs"),
			r->sum->is_lost_known ? " without losses" : "");
	fputc('\n', out);
}

static void print_clock(const struct report *r, FILE *out)
{
	const struct kmemtrace_summary *s = r->sum;

	if (s->cycle_ns)
		fprintf(out, "  clock    cycles of %.6f ns, CLOCK_MONOTONIC once a sub-buffer to within %s ns\n",
			s->cycle_ns, NUMBER(s->cycle_error));
	if (s->local_error)
		fprintf(out, "  clock    %slocal_clock, CLOCK_MONOTONIC once a sub-buffer to within %s ns\n",
			s->cycle_ns ? "later " : "", NUMBER(s->local_error));
	if (s->uncertainty)
		fprintf(out, "  clock    times of two CPUs may be in the wrong order by up to %s ns\n",
			NUMBER(s->uncertainty));
	if (s->reordered)
		fprintf(out, "  clock    %s reordered behind later events of another CPU\n",
			COUNT(s->reordered, "event", "events"));
}

/**
 * struct sites - call sites
 * @r: the report
 * @list: their addresses, by allocator
 * @nr: entries of each list
 */
struct sites {
	const struct report *r;
	uint64_t *list[NR_SPACES];
	size_t nr[NR_SPACES];
};

static int append_site(void *arg, const struct kmemtrace_kind *kind)
{
	struct sites *s = arg;
	size_t *nr = &s->nr[kind->space];

	if (kmemtrace_site_note(s->r->trace, kind->call_site))
		return 0;
	s->list[kind->space] = must_grow_list(s->list[kind->space], *nr,
					      sizeof(**s->list));
	s->list[kind->space][(*nr)++] = kind->call_site;
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Return how many call sites have no name, and add how many there are to @nr. */
static uint64_t count_nameless(const struct report *r, uint64_t *list, size_t len,
			       uint64_t *nr)
{
	uint64_t nameless = 0;
	size_t i;

	if (len)
		qsort(list, len, sizeof(*list), by_address);
	for (i = 0; i < len; i++) {
		if (i && list[i] == list[i - 1])
			continue;
		++*nr;
		nameless += !kmemtrace_symbol(r->trace, list[i], NULL, NULL);
	}
	return nameless;
}

/* Count call sites that match no filter, too: a missing name may be the reason. */
static void print_symbols_note(const struct report *r, FILE *out)
{
	struct sites sites = { .r = r };
	uint64_t nr = 0, nameless = 0;
	int i;

	must_succeed(kmemtrace_each_kind(r->trace, append_site, &sites));
	for (i = 0; i < NR_SPACES; i++) {
		nameless += count_nameless(r, sites.list[i], sites.nr[i], &nr);
		free(sites.list[i]);
	}
	if (r->sum->is_hidden)
		fprintf(out, "  symbols  none: all addresses in kallsyms are zero (kptr_restrict)\n");
	else if (!r->sum->symbols)
		fprintf(out, "  symbols  none: there is no kallsyms file\n");
	else if (nameless && nameless == nr)
		fprintf(out, "  symbols  none of %s has a name: kallsyms is of another kernel or another boot\n",
			COUNT(nr, "call site", "call sites"));
	else if (nameless)
		fprintf(out, "  symbols  %s of %s have no name\n",
			NUMBER(nameless), COUNT(nr, "call site", "call sites"));
}

/* A reason may contain text of the metadata. */
static void print_reason(const char *reason, FILE *out)
{
	fprintf(out, "  because  ");
	text_print(reason, out);
	putc('\n', out);
}

/* Print whether the trace is complete, and if not, why. */
void print_verdict(const struct report *r, FILE *out)
{
	const struct style *style = r->style;
	bool complete = !kmemtrace_doubt(r->trace, 0);
	const char *reason;
	size_t i;

	fprintf(out, "%s%s: %s%s%s%s\n", style->title,
		kmemtrace_get_machine(r->trace)->name,
		style->end, complete ? style->title : style->bad,
		complete ? "COMPLETE" : "INCOMPLETE", style->end);
	for (i = 0; (reason = kmemtrace_doubt(r->trace, i)); i++)
		print_reason(reason, out);
}

/* Print how many errors the findings are, if there are any. */
static void print_errors(const struct report *r, FILE *out)
{
	const uint64_t errors = has_events(r) ? trace_figure(r, "unexplained") : 0;

	if (errors)
		fprintf(out, "  errors   %s%s%s%s: see Findings\n", r->style->bad, NUMBER(errors),
			r->style->end, kmemtrace_doubt(r->trace, 0) ?
			", unless missing events explain them" : "");
}

/* Print the options of those filters whose bits are set. */
static void print_options(const struct report *r, unsigned int bits, FILE *out)
{
	char *text;
	int i;

	for (i = 0; i < NR_FILTERS; i++) {
		if (!r->filters[i] || !(bits >> i & 1))
			continue;
		fprintf(out, " --%s ", filter_names[i]);
		text = strdup(r->filters[i]);
		if (!text)
			out_of_memory();
		text_parse(text);
		text_print(text, out);
		free(text);
	}
}

static bool has_filters(const struct report *r)
{
	int i;

	for (i = 0; i < NR_FILTERS; i++)
		if (r->filters[i])
			return true;
	return false;
}

/* Say that the trace doesn't have what a filter needs. */
static void print_trace_lack(const struct report *r, enum kmemtrace_filter filter,
			     enum kmemtrace_with with, FILE *out)
{
	if (r->filters[filter] && !has_with(r, with))
		fprintf(out, "           %s\n", lack_text(with));
}

/* A filter that no event matches is likely to be a mistake. */
static void print_filter(const struct report *r, FILE *out)
{
	fprintf(out, "  only    ");
	print_options(r, UINT_MAX, out);
	if (!r->sum->is_empty) {
		fprintf(out, "; all sums count matching allocations only\n");
		return;
	}
	fprintf(out, "; %snothing matches%s", r->style->bad, r->style->end);
	if (r->sum->unmatched) {
		fprintf(out, ": no event matches");
		print_options(r, r->sum->unmatched, out);
	}
	fputc('\n', out);
	print_trace_lack(r, KMEMTRACE_FILTER_STACK, KMEMTRACE_WITH_STACK, out);
	print_trace_lack(r, KMEMTRACE_FILTER_TASK, KMEMTRACE_WITH_TASK, out);
	print_trace_lack(r, KMEMTRACE_FILTER_CGROUP, KMEMTRACE_WITH_CGROUP, out);
}

/* Return whether a time is after the end of the trace, which a --at before it makes the last time. */
static bool is_after_end(const struct report *r, uint64_t time)
{
	return time > since(r, r->sum->last);
}

/* Print a time, and what it means, unless it is after the end. */
static void print_limit(const struct report *r, const char *title, uint64_t time, const char *meaning,
			FILE *out)
{
	fprintf(out, "  %-8s %.9f s", title, (double)time / 1e9);
	if (is_after_end(r, time))
		fprintf(out, ", after the end of the trace at %.9f s",
			(double)since(r, r->sum->last) / 1e9);
	else
		fprintf(out, "; %s", meaning);
}

/* Print which part of the trace is shown, if it is a part. */
void print_part(const struct report *r, FILE *out)
{
	if (r->sum->is_late) {
		print_limit(r, "from", r->sum->begin,
			    "memory that was allocated before is not counted", out);
		fprintf(out, "%s\n", has_filters(r) || !r->sum->is_empty ? "" : "; nothing matches");
	}
	if (r->sum->is_cut) {
		print_limit(r, "at", r->sum->end, "later events are not counted", out);
		putc('\n', out);
	}
	if (has_filters(r))
		print_filter(r, out);
}

/* Print the same if it is likely to be a mistake: nothing matches, or a time is after the end. */
void print_doubtful_part(const struct report *r, FILE *out)
{
	if ((is_filtered(r) && r->sum->is_empty) ||
	    (r->sum->is_late && is_after_end(r, r->sum->begin)) ||
	    (r->sum->is_cut && is_after_end(r, r->sum->end)))
		print_part(r, out);
}

/* Print which objects a sample has. */
static void print_sample(const struct report *r, FILE *out)
{
	const struct kmemtrace_machine *m = kmemtrace_get_machine(r->trace);

	if (is_sample(r))
		fprintf(out, "  sample   one of %u slab objects below %s; figures of slab objects are estimates, ± is their standard error\n",
			m->sample, BYTES(m->page_size));
}

/* Print what was recorded with each event. */
static void print_with(const struct report *r, FILE *out)
{
	const unsigned int with = kmemtrace_get_with(r->trace);
	const char *separator = "";
	size_t i;

	if (with)
		fprintf(out, "  with     ");
	for (i = 0; i < sizeof(withs) / sizeof(*withs); i++) {
		if (!(with & withs[i].bit))
			continue;
		fprintf(out, "%s%s", separator, withs[i].title);
		separator = ", ";
	}
	if (with)
		putc('\n', out);
}

/* Print the verdict, the machine and the events. */
void print_trace_head(const struct report *r, FILE *out)
{
	print_verdict(r, out);
	print_machine(r, out);
	print_occasion(r, out);
	if (has_events(r))
		fprintf(out, "  events   %s in %.6f s, %s lost\n", NUMBER(r->sum->events),
			(double)since(r, r->sum->last) / 1e9,
			r->sum->is_lost_known ? NUMBER(r->sum->lost) : "unknown number");
	print_errors(r, out);
	print_sample(r, out);
	print_with(r, out);
	print_readings(r, out);
	print_part(r, out);
}

void trace_text(const struct report *r, FILE *out)
{
	print_trace_head(r, out);
	if (!has_events(r))
		return;
	print_cpus(r, out);
	print_clock(r, out);
	print_symbols_note(r, out);
}

/* The overview omits the CPUs: the verdict has their losses. */
void trace_brief(const struct report *r, FILE *out)
{
	print_trace_head(r, out);
	if (has_events(r))
		print_symbols_note(r, out);
}
