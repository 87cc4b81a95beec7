// SPDX-License-Identifier: GPL-2.0
/*
 * View: the timeline.
 */
#include "config.h"

#include "report/format.h"
#include "report/table.h"
#include "report/view.h"

/* Columns of a chart. */
#define COLUMNS		64
#define BRIEF_COLUMNS	46

/* Each returns a number of a step. */
typedef uint64_t step_value(const struct kmemtrace_step *step, enum kmemtrace_space space);

static uint64_t step_most(const struct kmemtrace_step *step, enum kmemtrace_space space)
{
	return step->most[space];
}

static uint64_t step_allocs(const struct kmemtrace_step *step, enum kmemtrace_space space)
{
	return step->allocs[space];
}

/* Return the largest value of the steps from @i to before @end, and of step @i at least. */
static uint64_t most_of(const struct report *r, size_t i, size_t end, step_value *value,
			enum kmemtrace_space space)
{
	uint64_t most = 0, n;

	do {
		n = value(kmemtrace_get_step(r->trace, i), space);
		if (n > most)
			most = n;
	} while (++i < end);
	return most;
}

static size_t nr_steps(const struct report *r)
{
	return kmemtrace_get_timeline(r->trace)->nr_steps;
}

/* Return the length of the timeline in seconds. */
static double length(const struct report *r)
{
	const struct kmemtrace_timeline *t = kmemtrace_get_timeline(r->trace);

	return (double)(t->nr_steps * t->step_ns) / 1e9;
}

static void print_chart(const struct report *r, step_value *value,
			enum kmemtrace_space space, uint64_t most, unsigned int columns,
			FILE *out)
{
	size_t i, nr = nr_steps(r);

	putc('|', out);
	for (i = 0; i < columns; i++)
		putc(format_level(most_of(r, i * nr / columns, (i + 1) * nr / columns, value,
				   space), most), out);
	putc('|', out);
}

/* Return @allocs of one step as allocations a second. */
static uint64_t rate(const struct report *r, uint64_t allocs)
{
	return (double)allocs * 1e9 / (double)kmemtrace_get_timeline(r->trace)->step_ns;
}

static void print_timeline(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	uint64_t live = most_of(r, 0, nr_steps(r), step_most, space);
	uint64_t allocs = most_of(r, 0, nr_steps(r), step_allocs, space);

	fprintf(out, "  %-7s live %9s   ", space_infos[space].name, BYTES(live));
	print_chart(r, step_most, space, live, COLUMNS, out);
	fprintf(out, "\n  %-7s rate %11s/s ", "", NUMBER(rate(r, allocs)));
	print_chart(r, step_allocs, space, allocs, COLUMNS, out);
	fputc('\n', out);
}

void timeline_text(const struct report *r, FILE *out)
{
	int i;

	if (!nr_steps(r))
		return;
	print_title(r, out, "Timeline: %.6f s from left to right, from zero to the number before the line",
		    length(r));
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			print_timeline(r, i, out);
}

/* Print the chart of live memory, and the peak. */
static void print_brief_timeline(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	uint64_t peak = total_figure(r, space, "peak_bytes");

	fprintf(out, "  %-7s ", space_infos[space].name);
	print_chart(r, step_most, space, most_of(r, 0, nr_steps(r), step_most, space),
		    BRIEF_COLUMNS, out);
	fprintf(out, " %5s", BYTES(peak));
	if (peak)
		fprintf(out, " %15.9f",
			(double)since(r, kmemtrace_get_space(r->trace, space)->peak_time) / 1e9);
	fputc('\n', out);
}

void timeline_brief(const struct report *r, FILE *out)
{
	char title[80];
	int i;

	if (!nr_steps(r))
		return;
	snprintf(title, sizeof(title), "Timeline: %.6f s, from zero to the peak",
		 length(r));
	print_title(r, out, "%-*s  peak           at, s", BRIEF_COLUMNS + 12, title);
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			print_brief_timeline(r, i, out);
	phases_marks(r, BRIEF_COLUMNS, out);
}
