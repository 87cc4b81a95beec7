// SPDX-License-Identifier: GPL-2.0
/*
 * View: the memory at an address.
 */
#include "config.h"

#include <string.h>

#include "report/format.h"
#include "report/parts.h"
#include "report/table.h"
#include "report/view.h"

/* Print the call site of the row, its line, and the callers. */
static void print_callers(struct kmemtrace_relation *row, FILE *out)
{
	const char *callers = has_cell(row, "path") ? strstr(cell_text(row, "path"), " <- ") : NULL;

	print_site_of(row, "", out);
	fputs(callers ? callers : "", out);
}

static void print_rows(const struct report *r, struct kmemtrace_relation *rows, const char *columns,
		       FILE *out)
{
	struct text_table t = { .r = r, .out = out };

	while (text_table_next(&t, rows)) {
		text_columns(&t, rows, columns);
		if (has_with(r, KMEMTRACE_WITH_TASK))
			text_columns(&t, rows, "task");
		if (has_with(r, KMEMTRACE_WITH_CGROUP))
			text_columns(&t, rows, "cgroup");
		print_callers(rows, text_cell(&t, -1, "call site"));
		text_line_end(&t);
	}
}

void address_text(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *there = open_part(r, "objects_at", NULL);
	struct kmemtrace_relation *events = open_part(r, "events_at", NULL);

	print_title(r, out, "Live at %s at the end%s", r->address,
		    kmemtrace_relation_rows(there) ? "" : ": nothing");
	print_rows(r, there, "allocator=,object,bytes_req#=requested,bytes#=allocated,cache,born_ns", out);
	print_title(r, out, "Events of this memory: %s", kmemtrace_relation_rows(events) ?
		    NUMBER(kmemtrace_relation_rows(events)) : "none");
	print_rows(r, events, "time_ns,cpu,event=,allocator=,object,offset#,bytes_req#=requested,bytes#,cache", out);
	kmemtrace_relation_close(events);
	kmemtrace_relation_close(there);
}
