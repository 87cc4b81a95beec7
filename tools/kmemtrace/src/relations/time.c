// SPDX-License-Identifier: GPL-2.0
/*
 * time.c - relations of time: the timeline, and the phases of the boot
 */
#include "config.h"

#include "common/number.h"
#include "relations/columns.h"

/**
 * struct time_row - an allocator in a step of the timeline, or in a phase of the boot
 * @space: the allocator
 * @phase: enum kmemtrace_phase_id
 * @begin: when the step or the phase begins
 * @length: nanoseconds of a step
 * @most: most bytes that were live
 * @live: bytes that were live at its end
 * @allocs: allocations
 * @bytes: bytes of them
 */
struct time_row {
	int space;
	unsigned int phase;
	int64_t begin;
	uint64_t length, most, live, allocs, bytes;
};

/* Return the history. Of a trace that is being recorded, the last step and phase end now. */
static struct history history_of(const struct kmemtrace_relation *r)
{
	struct history h = r->trace->t.ledger.history;

	if (r->trace->t.is_growing)
		history_end(&h);
	return h;
}

static int fill_timeline(struct kmemtrace_relation *r)
{
	const struct history h = history_of(r);
	unsigned int i;
	int s, ret = 0;

	for (s = 0; s < NR_SPACES; s++)
		for (i = 0; !ret && i < h.nr_steps; i++)
			ret = relation_add(r, &(struct time_row) {
				.space = s,
				.begin = (int64_t)((uint64_t)h.begin + i * h.width),
				.length = h.width,
				.most = h.steps[i].most[s],
				.live = h.steps[i].live[s],
				.allocs = h.steps[i].allocs[s],
				.bytes = h.steps[i].bytes[s],
			});
	return ret;
}

static const struct column timeline_columns[] = {
	ALLOCATOR(struct time_row),
	COLUMN("begin_ns", "begin", SIGNED, TIME, TIME_AT(struct time_row, begin),
	       "when the step begins", KEY),
	COLUMN("step_ns", "length", NUMBER, NS, MEMBER(struct time_row, length),
	       "length of the step"),
	COLUMN("most_bytes", "most", NUMBER, BYTES, MEMBER(struct time_row, most),
	       "most bytes that were live in it"),
	COLUMN("live_bytes", "live bytes", NUMBER, BYTES, MEMBER(struct time_row, live),
	       "bytes that were live at its end"),
	COLUMN("allocs", "allocations", NUMBER, COUNT, MEMBER(struct time_row, allocs),
	       "allocations in it"),
	COLUMN("bytes", "allocated", NUMBER, BYTES, MEMBER(struct time_row, bytes),
	       "bytes that the allocations got"),
};

static int fill_phases(struct kmemtrace_relation *r)
{
	const struct history h = history_of(r);
	unsigned int i;
	int s, ret = 0;

	for (s = 0; s < NR_SPACES; s++)
		for (i = 0; !ret && i < h.nr_phases; i++)
			ret = relation_add(r, &(struct time_row) {
				.space = s, .phase = h.phases[i].id, .begin = h.phases[i].begin,
				.most = h.phases[i].most[s], .live = h.phases[i].live[s],
			});
	return ret;
}

static WRITE_NAMES(write_phase,
	[KMEMTRACE_PHASE_ARMED] = "armed",
	[KMEMTRACE_PHASE_SMP] = "smp_up",
	[KMEMTRACE_PHASE_INITCALLS] = "initcalls_done",
	[KMEMTRACE_PHASE_FREED] = "init_freed",
	[KMEMTRACE_PHASE_INIT] = "init_started",
)

static const struct column phase_columns[] = {
	ALLOCATOR(struct time_row),
	COLUMN("phase", "phase", TEXT, NO_UNIT, MEMBER(struct time_row, phase),
	       "armed, smp_up, initcalls_done, init_freed or init_started", KEY,
	       .print = write_phase),
	COLUMN("begin_ns", "begin", SIGNED, TIME, TIME_AT(struct time_row, begin),
	       "when it begins; it ends where the next one begins"),
	COLUMN("live_bytes", "live bytes", NUMBER, BYTES, MEMBER(struct time_row, live),
	       "bytes that were live at its end"),
	COLUMN("most_bytes", "most", NUMBER, BYTES, MEMBER(struct time_row, most),
	       "most bytes that were live in it"),
};

/* By the time at which they begin. */
static int compare_times(const void *a, const void *b)
{
	const struct time_row *x = a, *y = b;

	return x->space - y->space ?: (x->begin > y->begin) - (x->begin < y->begin) ?:
	       compare_u64(x->phase, y->phase);
}

/* ---- the relations ---- */

static const struct relation list[] = {
	LIST(INFO("timeline", "Live memory and allocations by step of time."),
	     timeline_columns, struct time_row, fill_timeline, compare_times),
	LIST(INFO("phases", "Live memory by phase of the boot."),
	     phase_columns, struct time_row, fill_phases, compare_times),
};

RELATIONS(time_relations, list);
