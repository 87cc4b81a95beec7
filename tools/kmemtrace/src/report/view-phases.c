// SPDX-License-Identifier: GPL-2.0
/*
 * View: the phases of the boot, with the live memory of each.
 */
#include "config.h"

#include <string.h>

#include "linux/kmemtrace.h"
#include "report/format.h"
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

static void print_phase(const struct report *r, const struct kmemtrace_boot_phase *phase,
			FILE *out)
{
	int i;

	fprintf(out, "  %-18s%10.6f s", names[phase->id].title,
		(double)since(r, phase->begin) / 1e9);
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			fprintf(out, " %9s %9s", BYTES(phase->live[i]),
				BYTES(phase->most[i]));
	fputc('\n', out);
}

/* Print the phases whose record is missing although a later one has begun. */
static void print_lost(const struct report *r, FILE *out)
{
	const struct kmemtrace_boot_phase *phase;
	unsigned int seen = 0, i;

	for (i = 0; (phase = kmemtrace_get_phase(r->trace, i)); i++)
		seen |= 1U << phase->id;
	for (i = 1; i <= KMEMTRACE_PHASE_INIT; i++)
		if (seen >> i > 1 && !(seen >> i & 1))
			fprintf(out, "  %-18s its record was lost: counted with the phase before it\n",
				names[i].title);
}

void phases_text(const struct report *r, FILE *out)
{
	const struct kmemtrace_boot_phase *phase;
	size_t i;

	if (!kmemtrace_get_phase(r->trace, 0)) {
		print_title(r, out, "Boot phases: none in the trace: it began later, or the kernel is older");
		return;
	}
	print_title(r, out, "Boot phases: live memory at the end of each, and the maximum in it");
	fprintf(out, "  %-18s%12s", "", "begins");
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			fprintf(out, " %9s %9s", space_infos[i].name, "maximum");
	fputc('\n', out);
	for (i = 0; (phase = kmemtrace_get_phase(r->trace, i)); i++)
		print_phase(r, phase, out);
	print_lost(r, out);
}

/* Return the column of a chart in which a phase begins. It may begin before the chart. */
static unsigned int column_of(const struct report *r,
			      const struct kmemtrace_boot_phase *phase,
			      unsigned int columns)
{
	const struct kmemtrace_timeline *t = kmemtrace_get_timeline(r->trace);
	uint64_t ns = (uint64_t)phase->begin - (uint64_t)t->begin;

	return phase->begin < t->begin ? 0 : ns / t->step_ns * columns / t->nr_steps;
}

/**
 * phases_marks - print where the phases of a boot begin, below a chart of the timeline
 * @r: the report; nothing is printed if there are none
 * @columns: of the chart
 * @out: where to
 */
void phases_marks(const struct report *r, unsigned int columns, FILE *out)
{
	const struct kmemtrace_boot_phase *phase;
	unsigned int column, next = 0;
	char marks[columns + 1];
	size_t i, nr = 0;

	while (kmemtrace_get_phase(r->trace, nr))
		nr++;
	if (!nr)
		return;
	memset(marks, ' ', columns);
	marks[columns] = '\0';
	/* Phases that begin in one column are side by side. */
	for (i = 0; (phase = kmemtrace_get_phase(r->trace, i)); i++) {
		column = column_of(r, phase, columns);
		if (column < next)
			column = next;
		if (column > columns - (nr - i))
			column = columns - (nr - i);
		marks[column] = '0' + phase->id;
		next = column + 1;
	}
	fprintf(out, "  %-7s |%s|\n         ", "phases", marks);
	for (i = 0; (phase = kmemtrace_get_phase(r->trace, i)); i++)
		fprintf(out, "%s%u %s", i ? ", " : " ", phase->id,
			names[phase->id].brief);
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
