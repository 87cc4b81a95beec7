// SPDX-License-Identifier: GPL-2.0
/*
 * View: suspects, live memory that is unlike what was allocated in the same place and freed.
 */
#include "config.h"

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

/* Print what identifies a row: of a call path, the first @most calls. */
static void print_suspect(struct kmemtrace_relation *row, size_t most, FILE *out)
{
	const char *path = has_cell(row, "path") ? cell_text(row, "path") : NULL, *end = path;

	if (!path) {
		print_key(row, out);
		return;
	}
	while (end && most--)
		end = strstr(end == path ? path : end + strlen(ARROW), ARROW);
	fprintf(out, "%.*s", end ? (int)(end - path) : (int)strlen(path), path);
	if (has_cell(row, "file"))
		fprintf(out, " %s:%s", cell_text(row, "file"), NUMBER(cell_number(row, "line")));
}

/* Print where what was allocated in the same place was freed, in a line of its own. */
static void print_freed(struct text_table *t, struct kmemtrace_relation *row)
{
	FILE *out;

	if (!has_cell(row, "freed_site"))
		return;
	out = text_cell(t, -1, SUSPECT_HEADING);
	fprintf(out, "  %s of %s freed by %s", NUMBER(cell_number(row, "freed_there")),
		NUMBER(cell_number(row, "freed")), cell_text(row, "freed_site"));
	text_line_end(t);
}

/* Print the suspects; calls of a path, if not all, are @most. */
static void print_suspects(const struct report *r, struct kmemtrace_relation *suspects, size_t most,
			   FILE *out)
{
	const size_t nr = kmemtrace_relation_rows(suspects);
	struct text_table t = { .r = r, .out = out };
	size_t left = view_limit(r, nr);

	print_title(r, out, nr ? "Suspects: %zu of %zu: live, and unlike what was freed" :
				 "Suspects: none: nothing that is live is unlike what was freed",
		    left, nr);
	while (text_table_next(&t, suspects)) {
		text_columns(&t, suspects, "allocator=,kept,kept_of=of,live_bytes,first_ns=since,usual_ns=freed in");
		print_suspect(suspects, most, text_cell(&t, -1, SUSPECT_HEADING));
		text_line_end(&t);
		print_freed(&t, suspects);
	}
	kmemtrace_relation_close(suspects);
}

void suspects_text(const struct report *r, FILE *out)
{
	print_suspects(r, open_part(r, "suspects", NULL), SIZE_MAX, out);
}

/* Suspects in the overview, and calls of a path. */
#define BRIEF_SUSPECTS	3
#define BRIEF_CALLS	3

void suspects_brief(const struct report *r, FILE *out)
{
	struct report brief = *r;

	brief.limit = brief_limit(r, SIZE_MAX, BRIEF_SUSPECTS);
	print_suspects(&brief, relation_of(r, "suspects", .where = "is_suspect=true",
					   .group_by = r->is_grouped ? r->group->name : NULL,
					   .limit = brief.limit), BRIEF_CALLS, out);
}
