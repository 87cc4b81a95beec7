// SPDX-License-Identifier: GPL-2.0
/*
 * View: the phases of the boot, with the live memory of each.
 */
#include "config.h"

#include <string.h>

#include "linux/kmemtrace.h"
#include "report/format.h"
#include "report/relations.h"
#include "report/table.h"
#include "report/view.h"

/**
 * struct phase_name - the names of a phase
 * @name: in JSON
 * @title: what begins it
 * @brief: the same in the overview
 */
struct phase_name {
	const char *name, *title, *brief;
};

static const struct phase_name names[KMEMTRACE_PHASE_INIT + 1] = {
	[KMEMTRACE_PHASE_ARMED] = { "armed", "tracing armed", "armed" },
	[KMEMTRACE_PHASE_SMP] = { "smp_up", "CPUs up", "CPUs up" },
	[KMEMTRACE_PHASE_INITCALLS] = {
		"initcalls_done", "initcalls done", "initcalls done",
	},
	[KMEMTRACE_PHASE_FREED] = {
		"init_freed", "init memory freed", "init freed",
	},
	[KMEMTRACE_PHASE_INIT] = {
		"init_started", "init started", "init started",
	},
};

/* Go to a phase, of the first allocator. Return its number, enum kmemtrace_phase_id. */
static unsigned int go_to_phase(struct kmemtrace_relation *phases, size_t i)
{
	kmemtrace_relation_go(phases, i);
	return cell_number(phases, "phase");
}

static void print_phase(const struct report *r, struct kmemtrace_relation *phases, size_t phase,
			struct text_table *t)
{
	char heading[32];
	size_t i;

	fputs(names[go_to_phase(phases, phase)].title, text_cell(t, -1, ""));
	fprintf(text_cell(t, 0, "begins"), "%.6f s", (double)cell_number(phases, "begin_ns") / 1e9);
	for (i = 0; i < NR_SPACES; i++) {
		if (!r->is_used[i])
			continue;
		kmemtrace_relation_go(phases, i * rows_of_each(phases) + phase);
		snprintf(heading, sizeof(heading), "live_bytes=%s", space_infos[i].name);
		text_columns(t, phases, heading);
		text_columns(t, phases, "most_bytes=maximum");
	}
	text_line_end(t);
}

/* Print the phases whose record is missing although a later one has begun. */
static void print_lost(struct kmemtrace_relation *phases, FILE *out)
{
	unsigned int seen = 0, i;

	for (i = 0; i < rows_of_each(phases); i++)
		seen |= 1U << go_to_phase(phases, i);
	for (i = 1; i <= KMEMTRACE_PHASE_INIT; i++)
		if (seen >> i > 1 && !(seen >> i & 1))
			fprintf(out, "  %s  its record was lost: counted with the phase before it\n",
				names[i].title);
}

static void print_phases(const struct report *r, struct kmemtrace_relation *phases, FILE *out)
{
	struct text_table t = { .r = r, .out = out };
	size_t i;

	print_title(r, out, "Boot phases: live memory at the end of each, and the maximum in it");
	while (text_table_pass(&t))
		for (i = 0; i < rows_of_each(phases); i++)
			print_phase(r, phases, i, &t);
	print_lost(phases, out);
}

void phases_text(const struct report *r, FILE *out)
{
	struct kmemtrace_relation *phases = relation_of(r, "phases");

	if (rows_of_each(phases))
		print_phases(r, phases, out);
	else
		print_title(r, out, "Boot phases: none in the trace: it began later, or the kernel is older");
	kmemtrace_relation_close(phases);
}

/**
 * phases_marks - print the numbers of phases below the columns of a chart in which they begin
 * @phases: the relation, which has rows
 * @steps: the timeline, which the chart shows
 * @columns: of the chart
 * @out: where to
 */
void phases_marks(struct kmemtrace_relation *phases, struct kmemtrace_relation *steps,
		  unsigned int columns, FILE *out)
{
	const size_t nr = rows_of_each(phases);
	unsigned int column, id, next = 0;
	uint64_t begin, step;
	char marks[columns + 1];
	int64_t ns;
	size_t i;

	kmemtrace_relation_go(steps, 0);
	begin = cell_number(steps, "begin_ns");
	step = cell_number(steps, "step_ns");
	memset(marks, ' ', columns);
	marks[columns] = '\0';
	/* Phases that begin in one column are side by side. One may begin before the chart. */
	for (i = 0; i < nr; i++) {
		id = go_to_phase(phases, i);
		ns = cell_number(phases, "begin_ns") - begin;
		column = ns < 0 ? 0 : (uint64_t)ns / step * columns / rows_of_each(steps);
		if (column < next)
			column = next;
		if (column > columns - (nr - i))
			column = columns - (nr - i);
		marks[column] = '0' + id;
		next = column + 1;
	}
	fprintf(out, "|%s|", marks);
}

/* Print what the numbers of phases mean. */
void phases_legend(struct kmemtrace_relation *phases, FILE *out)
{
	unsigned int id;
	size_t i;

	for (i = 0; i < rows_of_each(phases); i++) {
		id = go_to_phase(phases, i);
		fprintf(out, "%s%u %s", i ? ", " : "  ", id, names[id].brief);
	}
	if (i)
		fputc('\n', out);
}

/* Return the titles of phases by their names in JSON. */
json_object *phase_titles_json(void)
{
	json_object *obj = json_object_new_object();
	int i;

	for (i = KMEMTRACE_PHASE_ARMED; i <= KMEMTRACE_PHASE_INIT; i++)
		add_str(obj, names[i].name, names[i].title);
	return obj;
}
