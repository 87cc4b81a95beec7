// SPDX-License-Identifier: GPL-2.0
/*
 * View: the timeline.
 */
#include "config.h"

#include "report/format.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/* Columns of a chart. */
#define COLUMNS		64
#define BRIEF_COLUMNS	46

/* Return the largest value of the steps from @i to before @end, and of step @i at least. */
static uint64_t most_of(struct kmemtrace_relation *steps, enum kmemtrace_space space,
			const char *column, size_t i, size_t end)
{
	uint64_t most = 0, n;

	do {
		kmemtrace_relation_go(steps, space * rows_of_each(steps) + i);
		n = cell_number(steps, column);
		if (n > most)
			most = n;
	} while (++i < end);
	return most;
}

static uint64_t step_ns(struct kmemtrace_relation *steps)
{
	kmemtrace_relation_go(steps, 0);
	return cell_number(steps, "step_ns");
}

/* Return the length of the timeline in seconds. */
static double length(struct kmemtrace_relation *steps)
{
	return (double)(rows_of_each(steps) * step_ns(steps)) / 1e9;
}

static void print_chart(struct kmemtrace_relation *steps, enum kmemtrace_space space,
			const char *column, uint64_t most, unsigned int columns, FILE *out)
{
	size_t i, nr = rows_of_each(steps);

	putc('|', out);
	for (i = 0; i < columns; i++)
		putc(format_level(most_of(steps, space, column, i * nr / columns,
					  (i + 1) * nr / columns), most), out);
	putc('|', out);
}

static void print_timeline(struct kmemtrace_relation *steps, enum kmemtrace_space space, FILE *out)
{
	uint64_t live = most_of(steps, space, "most_bytes", 0, rows_of_each(steps));
	uint64_t allocs = most_of(steps, space, "allocs", 0, rows_of_each(steps));
	uint64_t rate = (double)allocs * 1e9 / (double)step_ns(steps);

	fprintf(out, "  %-7s live %9s   ", space_infos[space].name, BYTES(live));
	print_chart(steps, space, "most_bytes", live, COLUMNS, out);
	fprintf(out, "\n  %-7s rate %11s/s ", "", NUMBER(rate));
	print_chart(steps, space, "allocs", allocs, COLUMNS, out);
	fputc('\n', out);
}

void timeline_text(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *steps = relation_of(r, "timeline");
	int i;

	if (rows_of_each(steps))
		print_title(r, out, "Timeline: %.6f s from left to right, from zero to the number before the line",
			    length(steps));
	for (i = 0; rows_of_each(steps) && i < NR_SPACES; i++)
		if (r->is_used[i])
			print_timeline(steps, i, out);
	kmemtrace_relation_close(steps);
}

/* Print the chart of live memory of each allocator, and the peak; then when phases begin. */
static void print_brief_timeline(const struct report *r, struct kmemtrace_relation *steps,
				 FILE *out)
{
	struct kmemtrace_relation *totals = relation_of(r, "totals");
	struct kmemtrace_relation *phases = relation_of(r, "phases");
	struct text_table t = { .r = r, .out = out, .is_titled = true };
	enum kmemtrace_space space;
	char title[80];

	snprintf(title, sizeof(title), "Timeline: %.6f s, from zero to the peak", length(steps));
	while (text_table_pass(&t)) {
		kmemtrace_relation_rewind(totals);
		while (kmemtrace_relation_next(totals)) {
			space = cell_number(totals, "allocator");
			if (!r->is_used[space])
				continue;
			fputs(space_infos[space].name, text_cell(&t, -7, title));
			print_chart(steps, space, "most_bytes",
				    most_of(steps, space, "most_bytes", 0, rows_of_each(steps)),
				    BRIEF_COLUMNS, text_cell(&t, -1, ""));
			print_cell(totals, "peak_bytes", text_cell(&t, 5, "peak"));
			print_cell(totals, "peak_ns", text_cell(&t, 0, "at, s"));
			text_line_end(&t);
		}
		if (!rows_of_each(phases))
			continue;
		fputs("phases", text_cell(&t, -7, title));
		phases_marks(phases, steps, BRIEF_COLUMNS, text_cell(&t, -1, ""));
		text_line_end(&t);
	}
	phases_legend(phases, out);
	kmemtrace_relation_close(phases);
	kmemtrace_relation_close(totals);
}

void timeline_brief(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *steps = relation_of(r, "timeline");

	if (rows_of_each(steps))
		print_brief_timeline(r, steps, out);
	kmemtrace_relation_close(steps);
}
