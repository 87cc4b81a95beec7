// SPDX-License-Identifier: GPL-2.0
/*
 * View: events that contradict each other, by class, with the call sites of both events.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "report/format.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/**
 * struct class - the findings of one class and allocator, which follow each other
 * @class: identity of the class
 * @space: the allocator
 * @first: the first row
 * @rows: how many rows
 * @count: how many findings
 * @is_explained: they are no errors
 */
struct class {
	uint64_t class;
	enum kmemtrace_space space;
	size_t first, rows;
	uint64_t count;
	bool is_explained;
};

/* Find the class that begins at row @first. Return false: there is none. */
static bool find_class(struct class *c, struct kmemtrace_relation *findings, size_t first)
{
	*c = (struct class) { .first = first };
	for (; kmemtrace_relation_go(findings, first + c->rows); c->rows++) {
		const uint64_t class = cell_number(findings, "class");
		const enum kmemtrace_space space = cell_number(findings, "allocator");

		if (c->rows && (class != c->class || space != c->space))
			break;
		c->class = class;
		c->space = space;
		c->is_explained = cell_number(findings, "is_explained");
		c->count += cell_number(findings, "count");
	}
	return c->rows;
}

static void print_finding(struct kmemtrace_relation *f, FILE *out)
{
	fprintf(out, "  %11s  ", NUMBER(cell_number(f, "count")));
	if (has_cell(f, "first_site"))
		print_place(f, "first_", "", out);
	print_place(f, "", has_cell(f, "first_site") ? ", then " : "", out);
	fputc('\n', out);
	fputs("               first at ", out);
	print_cell(f, "time_ns", out);
	if (cell_number(f, "object"))
		fprintf(out, " s: --address %#" PRIx64 "\n", cell_number(f, "object"));
	else
		fputs(" s\n", out);
}

/* Print a class, in full or briefly. */
static void print_class(const struct report *r, struct kmemtrace_relation *findings,
			const struct class *c, bool brief, FILE *out)
{
	const size_t limit = !brief ? r->limit : c->is_explained ? 0 : brief_limit(r, c->rows, 1);
	size_t i;

	kmemtrace_relation_go(findings, c->first);
	fprintf(out, "%s  %s, ", c->is_explained ? "" : r->style->bad, space_infos[c->space].name);
	print_cell(findings, "description", out);
	fprintf(out, ": %s%s\n", NUMBER(c->count), c->is_explained ? "" : r->style->end);
	for (i = 0; i < c->rows && i < limit; i++) {
		kmemtrace_relation_go(findings, c->first + i);
		print_finding(findings, out);
	}
	if (limit && c->rows > limit)
		fprintf(out, "               and %s\n",
			COUNT(c->rows - limit, "more call site", "more call sites"));
}

/* The classes of all allocators, each class with those of all allocators together. */
static void print_findings(const struct report *r, bool brief, FILE *out)
{
	struct kmemtrace_relation *findings = relation_of(r, "findings");
	const uint64_t hidden = trace_figure(r, "hidden_findings");
	struct class c;
	size_t first;

	print_title(r, out, "Findings%s%s", title_suffix(r),
		    !kmemtrace_relation_rows(findings) ? ": none" :
		    !trace_figure(r, "unexplained") ? ", none of which is an error" :
		    kmemtrace_doubt(r->trace, 0) ?
		    " (the trace is incomplete: missing events may explain them)" : "");
	for (first = 0; find_class(&c, findings, first); first += c.rows)
		print_class(r, findings, &c, brief, out);
	if (hidden)
		fprintf(out, "  %s more of events that don't match\n", NUMBER(hidden));
	kmemtrace_relation_close(findings);
}

void findings_text(const struct report *r, FILE *out)
{
	print_findings(r, false, out);
}

/* In the overview, findings come first where they have errors. */
void errors_brief(const struct report *r, FILE *out)
{
	if (trace_figure(r, "unexplained"))
		print_findings(r, true, out);
}

/* Else they come last, without the call sites. */
void findings_brief(const struct report *r, FILE *out)
{
	if (!trace_figure(r, "unexplained"))
		print_findings(r, true, out);
}
