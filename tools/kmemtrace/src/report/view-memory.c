// SPDX-License-Identifier: GPL-2.0
/*
 * View: where the memory is.
 */
#include "config.h"

#include <string.h>

#include "report/format.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

static bool is_all_of_ram(struct kmemtrace_relation *part)
{
	return !strcmp(cell_text(part, "part"), "MemTotal");
}

/* Say which counter the kernel or the trace lacks, or that the rest grew all the time. */
static void print_ram_note(struct kmemtrace_relation *part, FILE *out)
{
	if (has_cell(part, "missing")) {
		fputs("no ", out);
		print_cell(part, "missing", out);
		fputs(" in /proc/meminfo: in the rest", out);
	} else if (has_cell(part, "per_hour")) {
		fputs("a suspect: it grew all the time, an hour by ", out);
		print_cell(part, "per_hour", out);
	} else if (is_all_of_ram(part) && !has_cell(part, "fullest_bytes")) {
		fputs("fullest: kmemtraced --counters reads it all the time", out);
	}
}

/* The rest may be negative: counters are read one after the other. */
static void print_ram_cell(struct text_table *t, struct kmemtrace_relation *part,
			   const char *column, const char *heading)
{
	const int64_t bytes = cell_number(part, column);
	FILE *out = text_cell(t, 0, heading);

	if (has_cell(part, column))
		fprintf(out, "%s%s", bytes < 0 ? "-" : "", BYTES(bytes < 0 ? -bytes : bytes));
	else
		putc('-', out);
}

void memory_text(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *memory = relation_of(r, "memory");
	struct text_table t = { .r = r, .out = out, .is_titled = true };

	while (kmemtrace_relation_rows(memory) && text_table_next(&t, memory)) {
		print_cell(memory, "part", text_cell(&t, -19, "Where the memory is"));
		print_ram_cell(&t, memory, "begin_bytes", "begin");
		print_ram_cell(&t, memory, "fullest_bytes", "fullest");
		print_ram_cell(&t, memory, "end_bytes", "end");
		text_columns(&t, memory, "change_bytes");
		print_ram_note(memory, text_cell(&t, -1, ""));
		text_line_end(&t);
	}
	kmemtrace_relation_close(memory);
}
