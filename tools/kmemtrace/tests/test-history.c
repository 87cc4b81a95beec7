// SPDX-License-Identifier: GPL-2.0
/*
 * Peaks, the timeline and its phases.
 */
#include "test.h"

#include "ledger-steps.h"
#include "test-files.h"

static uint64_t owned(const struct ledger *l, enum space space, uint64_t addr)
{
	return figure_at_site(l, space, addr, "peak_bytes");
}

#define LAST_STEP	SIZE_MAX

/* Return a number of a step of the timeline. */
static uint64_t in_step(const struct ledger *l, enum space space, size_t i, const char *column)
{
	struct kmemtrace_relation *steps = open_rows(trace_of(l), "timeline", where_of(space));
	uint64_t number;

	if (i == LAST_STEP)
		i = kmemtrace_relation_rows(steps) - 1;
	do
		assert_true(kmemtrace_relation_next(steps));
	while (i--);
	number = number_in(steps, column);
	kmemtrace_relation_close(steps);
	return number;
}

/* The peak is in the middle of a batch, and comes twice: the first one counts. */
static void test_peak(void **state)
{
	static const struct step steps[] = {
		ALLOC(1000, 0, KMALLOC, SITE_A, 0x1000, 100, 128),
		ALLOC(2000, 1, KMALLOC, SITE_B, 0x80000, 60, 64),
		FREE(3000, 0, KMALLOC, SITE_C, 0x1000),
		ALLOC(4000, 0, KMALLOC, SITE_C, 0x2000, 128, 128),
		FREE(LATER, 1, KMALLOC, SITE_C, 0x80000),
		FREE(LATER, 0, KMALLOC, SITE_C, 0x2000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_peak(&l, SPACE_SLAB, 2000, 192);
	assert_int_equal(owned(&l, SPACE_SLAB, SITE_A), 128);
	assert_int_equal(owned(&l, SPACE_SLAB, SITE_B), 64);
	assert_int_equal(owned(&l, SPACE_SLAB, SITE_C), 0);
	assert_peak(&l, SPACE_PAGES, 0, 0);
	assert_int_equal(in_step(&l, SPACE_SLAB, 0, "begin_ns"), 1000);
	assert_int_equal(in_step(&l, SPACE_SLAB, 0, "allocs"), 3);
	assert_int_equal(in_step(&l, SPACE_SLAB, 0, "bytes"), 320);
	assert_int_equal(in_step(&l, SPACE_SLAB, 0, "most_bytes"), 192);
	assert_int_equal(in_step(&l, SPACE_SLAB, LAST_STEP, "live_bytes"), 0);
	ledger_free(&l);
}

/* A block is freed in parts, with a live object in one of them. */
static void test_peak_of_parts(void **state)
{
	const uint64_t bytes = 128 * PAGE;
	const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_A, 0x200000, bytes, bytes),
		ALLOC(20, 0, PAGES, SITE_B, 0x400000, PAGE, PAGE),
		ALLOC(30, 0, KMALLOC, SITE_C, 0x200040, 64, 64),
		FREE_PAGES(LATER, 0, SITE_C, 0x200000, bytes),
		ALLOC(3 * LATER, 0, PAGES, SITE_B, 0x200000, 4 * PAGE, 4 * PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_peak(&l, SPACE_PAGES, 20, bytes + PAGE);
	assert_int_equal(owned(&l, SPACE_PAGES, SITE_A), bytes);
	assert_int_equal(owned(&l, SPACE_PAGES, SITE_B), PAGE);
	assert_peak(&l, SPACE_SLAB, 30, 64);
	assert_int_equal(in_step(&l, SPACE_PAGES, LAST_STEP, "live_bytes"), 5 * PAGE);
	/* The object ended with its pages. */
	assert_int_equal(in_step(&l, SPACE_SLAB, LAST_STEP, "live_bytes"), 0);
	ledger_free(&l);
}

/* Memory of the snapshot counts from the time of its record on. */
static void test_peak_of_older(void **state)
{
	static const struct step steps[] = {
		SLAB(10, 0xcafe, 0x1000, 64, 3, 7),
		FRAMES(20, LIVE, 0x100000, 100 * PAGE),
		END(30, 0),
		FREE(LATER, 0, KMALLOC, SITE_A, 0x1000),
		ALLOC(2 * LATER, 0, KMALLOC, SITE_B, 0x2000, 32, 32),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_peak(&l, SPACE_SLAB, 10, 192);
	assert_int_equal(owned(&l, SPACE_SLAB, SITE_SNAPSHOT), 192);
	assert_int_equal(owned(&l, SPACE_PAGES, SITE_SNAPSHOT), 100 * PAGE);
	assert_int_equal(owned(&l, SPACE_SLAB, SITE_B), 0);
	ledger_free(&l);
}

/* The steps of the timeline get longer, and keep all counts. */
static void test_steps(void **state)
{
	enum { NR = 3000 };
	struct step *steps = calloc(NR, sizeof(*steps));
	struct kmemtrace_relation *timeline;
	uint64_t allocs = 0, nr, width;
	struct ledger l;
	unsigned int i;

	(void)state;
	assert_non_null(steps);
	for (i = 0; i < NR; i++)
		steps[i] = (struct step)
			ALLOC(INT64_C(1000000) * i, 0, KMALLOC, SITE_A,
			      0x1000 + 64 * i, 64, 64);
	run(&l, steps, NR);
	free(steps);
	nr = count_rows(trace_of(&l), "timeline", where_of(SPACE_SLAB));
	width = in_step(&l, SPACE_SLAB, 0, "step_ns");
	assert_in_range(nr, HISTORY_STEPS / 2, HISTORY_STEPS);
	assert_in_range(nr * width, INT64_C(1000000) * (NR - 1), INT64_C(1000000) * NR + width);
	timeline = open_rows(trace_of(&l), "timeline", where_of(SPACE_SLAB));
	while (kmemtrace_relation_next(timeline)) {
		allocs += number_in(timeline, "allocs");
		assert_int_equal(number_in(timeline, "step_ns"), width);
		assert_int_equal(number_in(timeline, "live_bytes"), 64 * allocs);
		assert_int_equal(number_in(timeline, "most_bytes"), 64 * allocs);
	}
	kmemtrace_relation_close(timeline);
	assert_int_equal(allocs, NR);
	ledger_free(&l);
}

static void assert_phase(const struct ledger *l, unsigned int i,
			 unsigned int id, int64_t begin, int64_t most,
			 int64_t live)
{
	struct kmemtrace_relation *phases = open_rows(trace_of(l), "phases",
						      where_of(SPACE_SLAB));

	do
		assert_true(kmemtrace_relation_next(phases));
	while (i--);
	assert_int_equal(identity_in(phases, "phase"), id);
	assert_int_equal(number_in(phases, "begin_ns"), begin);
	assert_int_equal(number_in(phases, "most_bytes"), most);
	assert_int_equal(number_in(phases, "live_bytes"), live);
	kmemtrace_relation_close(phases);
}

/* Many phases fall into one step: it has the maximum of all, which the first one reached. */
static void test_phases(void **state)
{
	static const struct step steps[] = {
		ALLOC(1000, 0, KMALLOC, SITE_A, 0x800, 8, 8),
		PHASE(1010, 0, ARMED),
		ALLOC(1020, 0, KMALLOC, SITE_A, 0x1000, 512, 512),
		FREE(1030, 0, KMALLOC, SITE_A, 0x1000),
		PHASE(1040, 0, SMP),
		ALLOC(1050, 1, KMALLOC, SITE_B, 0x2000, 64, 64),
		FREE(1060, 1, KMALLOC, SITE_B, 0x2000),
		ALLOC(1070, 1, KMALLOC, SITE_B, 0x3000, 32, 32),
		PHASE(1080, 1, INITCALLS),
		FREE(1090, 1, KMALLOC, SITE_B, 0x3000),
		ALLOC(3 * LATER, 0, KMALLOC, SITE_B, 0x4000, 128, 128),
		PHASE(3 * LATER, 0, INIT),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(count_rows(trace_of(&l), "phases", where_of(SPACE_SLAB)), 4);
	assert_phase(&l, 0, KMEMTRACE_PHASE_ARMED, 1010, 520, 8);
	assert_phase(&l, 1, KMEMTRACE_PHASE_SMP, 1040, 72, 40);
	assert_phase(&l, 2, KMEMTRACE_PHASE_INITCALLS, 1080, 136, 136);
	assert_phase(&l, 3, KMEMTRACE_PHASE_INIT, 3 * LATER, 136, 136);
	assert_int_equal(in_step(&l, SPACE_SLAB, 0, "most_bytes"), 520);
	assert_peak(&l, SPACE_SLAB, 1020, 520);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=impossible"), 0);
	ledger_free(&l);
}

/* Test steps that are longer than a phase, and steps that are shorter. */
static void test_phases_of_many(void **state)
{
	enum { NR = 2000 };
	struct step *steps = calloc(NR, sizeof(*steps));
	const int64_t tick[] = { 10, 1000000 };
	struct ledger l;
	unsigned int i, j;

	(void)state;
	assert_non_null(steps);
	for (j = 0; j < 2; j++) {
		for (i = 0; i < NR; i++)
			steps[i] = (struct step)
				ALLOC(tick[j] * i, i % 2, KMALLOC, SITE_A,
				      0x1000 + 64 * i, 64, 64);
		steps[0] = (struct step)PHASE(0, 0, ARMED);
		steps[700] = (struct step)PHASE(tick[j] * 700, 0, SMP);
		steps[703] = (struct step)FREE(tick[j] * 703, 0, KMALLOC, SITE_A,
					       0x1000 + 64 * 701);
		steps[704] = (struct step)PHASE(tick[j] * 704, 0, INIT);
		run(&l, steps, NR);
		assert_phase(&l, 0, KMEMTRACE_PHASE_ARMED, 0, 64 * 699, 64 * 699);
		assert_phase(&l, 1, KMEMTRACE_PHASE_SMP, tick[j] * 700,
			     64 * 701, 64 * 700);
		assert_phase(&l, 2, KMEMTRACE_PHASE_INIT, tick[j] * 704,
			     64 * (NR - 5), 64 * (NR - 5));
		assert_peak(&l, SPACE_SLAB, tick[j] * (NR - 1), 64 * (NR - 5));
		assert_int_equal(in_step(&l, SPACE_SLAB, LAST_STEP, "most_bytes"),
				 64 * (NR - 5));
		ledger_free(&l);
	}
	free(steps);
}

/* A phase begins twice, or its number is unknown. */
static void test_phases_impossible(void **state)
{
	static const struct step steps[] = {
		PHASE(1000, 0, ARMED),
		PHASE(1010, 0, INIT + 1),
		PHASE(1020, 0, ARMED - 1),
		PHASE(1030, 0, FREED),
		ALLOC(1040, 0, KMALLOC, SITE_A, 0x1000, 64, 64),
		PHASE(1050, 1, FREED),
		/* The clock of this CPU is a little late. */
		PHASE(1060, 1, INITCALLS),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(count_rows(trace_of(&l), "phases", where_of(SPACE_SLAB)), 3);
	assert_phase(&l, 1, KMEMTRACE_PHASE_FREED, 1030, 64, 64);
	assert_phase(&l, 2, KMEMTRACE_PHASE_INITCALLS, 1060, 64, 64);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=impossible"), 2);
	assert_int_equal(count_rows(trace_of(&l), "reasons",
				    "reason=1 record of unknown types skipped"), 1);
	ledger_free(&l);
}

/* Stop at a time: later events do not count, and no event waits for them. */
static void test_until(void **state)
{
	static const struct step steps[] = {
		ALLOC(1000, 0, KMALLOC, SITE_A, 0x1000, 64, 64),
		ALLOC(2000, 0, KMALLOC, SITE_A, 0x2000, 64, 64),
		FREE(2000, 1, KMALLOC, SITE_B, 0x3000),
		ALLOC(2001, 0, KMALLOC, SITE_A, 0x3000, 64, 64),
		FREE(LATER, 0, KMALLOC, SITE_A, 0x1000),
	};
	struct ledger l;

	(void)state;
	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 2), 0);
	go_on_until(&l, steps, 5, 2000);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 128);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "allocs"), 2);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "free_calls"), 1);
	assert_finding(&l, FINDING_FREE_UNKNOWN, SPACE_SLAB, 0, SITE_B);
	ledger_free(&l);
	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 2), 0);
	go_on_until(&l, steps, 5, LATER);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 64);
	assert_int_equal(nr_findings(&l), 0);
	ledger_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_peak),
		cmocka_unit_test(test_peak_of_parts),
		cmocka_unit_test(test_peak_of_older),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_phases),
		cmocka_unit_test(test_phases_of_many),
		cmocka_unit_test(test_phases_impossible),
		cmocka_unit_test(test_until),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
