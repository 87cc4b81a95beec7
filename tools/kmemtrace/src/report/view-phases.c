// SPDX-License-Identifier: GPL-2.0
/*
 * View: the parts of the boot, and what lived in each.
 */
#include "config.h"

#include <string.h>

#include "report/format.h"
#include "report/view.h"

/**
 * struct phase_name - how a phase is called
 * @name: in JSON
 * @title: for people: what begins it
 * @brief: for people who have little room
 */
struct phase_name {
	const char *name, *title, *brief;
};

static const struct phase_name names[HISTORY_PHASES + 1] = {
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

static void print_phase(const struct report *r, const struct phase *phase,
			FILE *out)
{
	uint64_t since = (uint64_t)phase->begin - (uint64_t)r->trace->first;
	int i;

	fprintf(out, "  %-18s%10.6f s", names[phase->id].title,
		(double)since / 1e9);
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			fprintf(out, " %9s %9s", BYTES(phase->live[i]),
				BYTES(phase->most[i]));
	fputc('\n', out);
}

/* Those of which a later one has begun. */
static void print_lost(const struct history *h, FILE *out)
{
	unsigned int seen = 0, i;

	for (i = 0; i < h->nr_phases; i++)
		seen |= 1U << h->phases[i].id;
	for (i = 1; i <= HISTORY_PHASES; i++)
		if (seen >> i > 1 && !(seen >> i & 1))
			fprintf(out, "  %-18s its begin was lost: counted with the one before it\n",
				names[i].title);
}

void phases_text(const struct report *r, FILE *out)
{
	const struct history *h = &r->trace->ledger.history;
	unsigned int i;

	if (!h->nr_phases) {
		print_title(r, out, "Boot phases: the trace tells of none: it began later, or is of an older kernel");
		return;
	}
	print_title(r, out, "Boot phases, what lived at the end of each, and at most in it");
	fprintf(out, "  %-18s%12s", "", "begins");
	for (i = 0; i < NR_SPACES; i++)
		if (space_is_used(r, i))
			fprintf(out, " %9s %9s", space_infos[i].name, "at most");
	fputc('\n', out);
	for (i = 0; i < h->nr_phases; i++)
		print_phase(r, &h->phases[i], out);
	print_lost(h, out);
}

/* The column of a chart of the timeline in which a phase begins; it may be before that. */
static unsigned int column_of(const struct history *h, const struct phase *phase,
			      unsigned int columns)
{
	uint64_t since = (uint64_t)phase->begin - (uint64_t)h->begin;

	return phase->begin < h->begin ? 0 :
	       since / h->width * columns / h->nr_steps;
}

/**
 * phases_marks - print where the phases of a boot begin, below a chart of the timeline
 * @r: the report; nothing is printed if there are none
 * @columns: of the chart
 * @out: where to
 */
void phases_marks(const struct report *r, unsigned int columns, FILE *out)
{
	const struct history *h = &r->trace->ledger.history;
	char marks[columns + 1];
	unsigned int i;

	if (!h->nr_phases)
		return;
	memset(marks, ' ', columns);
	marks[columns] = '\0';
	for (i = 0; i < h->nr_phases; i++)
		marks[column_of(h, &h->phases[i], columns)] =
			'0' + h->phases[i].id;
	fprintf(out, "  %-7s |%s|\n         ", "phases", marks);
	for (i = 0; i < h->nr_phases; i++)
		fprintf(out, "%s%u %s", i ? ", " : " ", h->phases[i].id,
			names[h->phases[i].id].brief);
	fputc('\n', out);
}

static json_object *phase_json(const struct phase *phase)
{
	json_object *obj = json_object_new_object();
	int i;

	add_str(obj, "name", names[phase->id].name);
	json_object_object_add(obj, "begin_ns",
			       json_object_new_int64(phase->begin));
	for (i = 0; i < NR_SPACES; i++) {
		json_object *space = json_object_new_object();

		add_u64(space, "live_bytes_alloc", phase->live[i]);
		add_u64(space, "most_bytes_alloc", phase->most[i]);
		json_object_object_add(obj, space_infos[i].name, space);
	}
	return obj;
}

json_object *phases_json(const struct report *r)
{
	const struct history *h = &r->trace->ledger.history;
	json_object *list = json_object_new_array();
	unsigned int i;

	for (i = 0; i < h->nr_phases; i++)
		json_object_array_add(list, phase_json(&h->phases[i]));
	return list;
}
