// SPDX-License-Identifier: GPL-2.0
/*
 * View: suspects, live memory that is unlike what was allocated in the same place and freed.
 */
#include "config.h"

#include "report/format.h"
#include "report/groups.h"
#include "report/parts.h"
#include "report/relations.h"
#include "report/site.h"
#include "report/table.h"
#include "report/view.h"

/* Blanks before what is said of a suspect. */
#define OTHERS_INDENT	4

/* From this part on, waste is worth a word. */
#define MUCH_WASTE	0.25

/* What is allocated over this part of the trace, and never freed, grows. */
#define MUCH_SPREAD	0.5

/* Print of how many call paths a suspect is, if it is of several. */
static void print_parts(struct text_table *t, struct kmemtrace_relation *row)
{
	FILE *out;

	if (!has_cell(row, "below"))
		return;
	out = text_below(t, OTHERS_INDENT);
	fprintf(out, "%s call paths, all below ", NUMBER(cell_number(row, "paths")));
	print_cell(row, "below", out);
	fputs(", allocate parts of the same objects: ", out);
	print_cell(row, "sites", out);
	text_line_end(t);
}

/* Print what identifies a row; of the calls of a path, at most @most behind helper functions. */
static void print_suspect(struct text_table *t, struct kmemtrace_relation *row, size_t most)
{
	if (has_cell(row, "path")) {
		text_calls(t, row, most);
	} else {
		print_key(row, text_below(t, CALLS_INDENT));
		text_line_end(t);
	}
}

/* Print what became of the others, and what is special. */
static void print_others(struct text_table *t, struct kmemtrace_relation *row)
{
	const uint64_t live = cell_number(row, "live_bytes"), wasted = cell_number(row, "live_wasted");
	const uint64_t exited = has_cell(row, "exited_bytes") ? cell_number(row, "exited_bytes") : 0;
	FILE *out = text_below(t, OTHERS_INDENT);

	if (cell_number(row, "is_at_once"))
		fprintf(out, "all within %s, ",
			TIME(cell_number(row, "newest_ns") - cell_number(row, "first_ns")));
	if (has_cell(row, "freed_site")) {
		fprintf(out, "%s of %s freed by ", NUMBER(cell_number(row, "freed_there")),
			NUMBER(cell_number(row, "freed")));
		print_site_of(row, "freed_", out);
	} else {
		fprintf(out, "none was freed%s", !cell_number(row, "is_suspect") ? "" :
			cell_real(row, "spread") < MUCH_SPREAD ? ": it leaks, or grows" :
			": it grows all the time");
	}
	if ((double)wasted >= MUCH_WASTE * (double)live)
		fprintf(out, "; %s of it is waste", PERCENT(wasted, live));
	if (exited)
		fprintf(out, "; %s is of tasks that have exited", PERCENT(exited, live));
	text_line_end(t);
}

static size_t nr_kept(struct kmemtrace_relation *rows, bool is_suspect)
{
	size_t nr = 0;

	while (kmemtrace_relation_next(rows))
		nr += cell_number(rows, "is_suspect") == is_suspect;
	kmemtrace_relation_rewind(rows);
	return nr;
}

/* Print the columns of a row. What was allocated at once has no rate. */
static void print_suspect_columns(struct text_table *t, struct kmemtrace_relation *row, bool is_suspect)
{
	text_columns(t, row, "allocator=,kept,kept_of=of,live_bytes");
	if (cell_number(row, "is_at_once"))
		fputs("at once", text_cell(t, 0, "a second"));
	else
		text_columns(t, row, "kept_per_second=a second");
	text_columns(t, row, "first_ns=since,usual_ns=freed in");
	if (!is_suspect)
		text_columns(t, row, "harmless");
}

/* Print suspects, or the others; at most @limit, and @most calls of a path. */
static void print_kept(const struct report *r, struct kmemtrace_relation *rows, bool is_suspect,
		       size_t limit, size_t most, FILE *out)
{
	struct text_table t = { .r = r, .out = out };
	size_t left = 0;
	int pass = 0;

	while (text_table_next(&t, rows)) {
		if (pass != t.pass)
			left = limit;
		pass = t.pass;
		if (cell_number(rows, "is_suspect") != is_suspect || !left)
			continue;
		left--;
		print_suspect_columns(&t, rows, is_suspect);
		text_line_end(&t);
		print_others(&t, rows);
		print_parts(&t, rows);
		print_suspect(&t, rows, most);
	}
}

/* Print the suspects, and what is kept, too, but is none: so many of both, and @most calls of a path. */
static void print_suspects(const struct report *r, struct kmemtrace_relation *suspects,
			   struct kmemtrace_relation *others, size_t limit_others, size_t most, FILE *out)
{
	const size_t nr = nr_kept(suspects, true), nr_others = nr_kept(others, false);

	print_title(r, out, nr ? "Suspects: %zu of %zu: live, and nothing seems to free it" :
				 "Suspects: none: nothing that is live looks forgotten",
		    view_limit(r, nr), nr);
	print_kept(r, suspects, true, r->limit, most, out);
	if (!nr_others || !limit_others)
		return;
	print_title(r, out, "Kept, but not suspected: %zu of %zu: few, at once, or on purpose",
		    limit_others < nr_others ? limit_others : nr_others, nr_others);
	print_kept(r, others, false, limit_others, most, out);
}

void suspects_text(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *suspects = open_part(r, "suspects", NULL);
	struct kmemtrace_relation *others = open_part(r, "kept", NULL);

	print_suspects(r, suspects, others, r->limit, SIZE_MAX, out);
	kmemtrace_relation_close(suspects);
	kmemtrace_relation_close(others);
}

/* Rows in the overview, and calls of a path. */
#define BRIEF_SUSPECTS	3
#define BRIEF_CALLS	3

void suspects_brief(const struct report *r, FILE *out)
{
	struct report brief = *r;
	struct kmemtrace_relation *rows;
	size_t nr;

	brief.limit = brief_limit(r, SIZE_MAX, BRIEF_SUSPECTS);
	rows = relation_of(r, "suspects", .where = KEPT,
			   .group_by = r->is_grouped ? r->group->name : NULL);
	nr = nr_kept(rows, true);
	print_suspects(&brief, rows, rows, nr < brief.limit ? brief.limit - nr : 0, BRIEF_CALLS, out);
	kmemtrace_relation_close(rows);
}
