// SPDX-License-Identifier: GPL-2.0
/*
 * View: suspects, live memory that is unlike what was allocated in the same place and freed.
 */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "report/format.h"
#include "report/groups.h"
#include "report/parts.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* What separates the calls of a path. */
#define ARROW	" <- "

#define SUSPECT_HEADING	"call path"

/* Print a call path: helper functions, then @most calls from the one that wanted the memory on. */
static void print_calls(struct kmemtrace_relation *row, size_t most, FILE *out)
{
	const char *call = cell_text(row, "path"), *end;
	const char *caller = has_cell(row, "caller") ? cell_text(row, "caller") : NULL;
	bool is_beyond = !caller;
	size_t len;

	while (most) {
		end = strstr(call, ARROW);
		len = end ? (size_t)(end - call) : strlen(call);
		fwrite(call, 1, len, out);
		if (!is_beyond && strlen(caller) == len && !memcmp(call, caller, len)) {
			is_beyond = true;
			if (has_cell(row, "caller_file"))
				fprintf(out, " %s:%" PRIu64, cell_text(row, "caller_file"),
					cell_number(row, "caller_line"));
			if (has_cell(row, "caller_inlined"))
				fprintf(out, " < %s", cell_text(row, "caller_inlined"));
		}
		most -= is_beyond;
		if (!end)
			break;
		call = end + strlen(ARROW);
		if (most)
			fputs(ARROW, out);
	}
}

/* Print what identifies a row; calls of a path, if not all, are @most. */
static void print_suspect(struct kmemtrace_relation *row, size_t most, FILE *out)
{
	if (has_cell(row, "path"))
		print_calls(row, most, out);
	else
		print_key(row, out);
}

/* Print what became of the others, in a line of its own. */
static void print_others(struct text_table *t, struct kmemtrace_relation *row)
{
	FILE *out = text_cell(t, -1, SUSPECT_HEADING);

	if (has_cell(row, "freed_site"))
		fprintf(out, "  %s of %s freed by %s", NUMBER(cell_number(row, "freed_there")),
			NUMBER(cell_number(row, "freed")), cell_text(row, "freed_site"));
	else
		fputs("  none was freed", out);
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

#define SUSPECT_COLUMNS	"allocator=,kept,kept_of=of,live_bytes,kept_per_second=a second,first_ns=since,usual_ns=freed in"

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
		text_columns(&t, rows, is_suspect ? SUSPECT_COLUMNS : SUSPECT_COLUMNS ",harmless=may be");
		print_suspect(rows, most, text_cell(&t, -1, SUSPECT_HEADING));
		text_line_end(&t);
		print_others(&t, rows);
	}
}

/* Print the suspects, and what is kept, too, but is none: so many of both, and @most calls of a path. */
static void print_suspects(const struct report *r, struct kmemtrace_relation *suspects,
			   struct kmemtrace_relation *others, size_t limit_others, size_t most, FILE *out)
{
	const size_t nr = nr_kept(suspects, true), nr_others = nr_kept(others, false);

	print_title(r, out, nr ? "Suspects: %zu of %zu: live, and unlike what was freed" :
				 "Suspects: none: nothing that is live is unlike what was freed",
		    view_limit(r, nr), nr);
	print_kept(r, suspects, true, r->limit, most, out);
	if (!nr_others || !limit_others)
		return;
	print_title(r, out, "Kept, but not suspected: %zu of %zu",
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
