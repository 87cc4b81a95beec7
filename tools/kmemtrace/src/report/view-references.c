// SPDX-License-Identifier: GPL-2.0
/*
 * View: references, who keeps counted objects.
 */
#include "config.h"

#include "report/format.h"
#include "report/parts.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* Print the sums of each kind of objects. */
static void print_kinds(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *kinds = relation_of(r, "reference_kinds");
	struct text_table t = { .r = r, .out = out, .is_titled = true };

	while (text_table_next(&t, kinds)) {
		text_columns(&t, kinds, "kind=References,gets,puts,held");
		text_line_end(&t);
	}
	kmemtrace_relation_close(kinds);
}

/* Print who took references; of a call path, the first @most calls. */
static void print_holder(struct text_table *t, struct kmemtrace_relation *row, size_t most)
{
	if (has_cell(row, "path")) {
		text_calls(t, row, most);
	} else {
		print_cell(row, "site", text_below(t, CALLS_INDENT));
		text_line_end(t);
	}
}

/* Print rows with a call path; of its calls, the first @most. */
static void print_holders(const struct report *r, struct kmemtrace_relation *rows,
			  const char *columns, size_t most, FILE *out)
{
	struct text_table t = { .r = r, .out = out };

	while (text_table_next(&t, rows)) {
		text_columns(&t, rows, columns);
		text_line_end(&t);
		print_holder(&t, rows, most);
	}
	kmemtrace_relation_close(rows);
}

/* Print the call paths that hold references; of their calls, the first @most. */
static void print_references(const struct report *r, struct kmemtrace_relation *paths,
			     size_t most, FILE *out)
{
	const size_t nr = kmemtrace_relation_rows(paths);

	print_kinds(r, out);
	if (nr)
		print_title(r, out, "Holders: %zu of %zu call paths that took references which nothing dropped",
			    view_limit(r, nr), nr);
	print_holders(r, paths, "kind=,held,gets=of,held_objects=objects,since_ns=since", most, out);
}

void references_text(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *held = open_part(r, "held_references", NULL);
	const size_t nr = kmemtrace_relation_rows(held);

	print_references(r, open_part(r, "references", NULL), SIZE_MAX, out);
	if (nr)
		print_title(r, out, "Held: %zu of %zu objects and call paths, the oldest first",
			    view_limit(r, nr), nr);
	print_holders(r, held, "kind=,object,held,since_ns=since", SIZE_MAX, out);
}

/* Call paths in the overview, and their calls. */
#define BRIEF_HOLDERS	3
#define BRIEF_HOLDER_CALLS	6

void references_brief(const struct report *r, FILE *out)
{
	struct report brief = *r;

	brief.limit = brief_limit(r, SIZE_MAX, BRIEF_HOLDERS);
	print_references(&brief, relation_of(r, "references", .where = "held>0", .limit = brief.limit),
			 BRIEF_HOLDER_CALLS, out);
}
