// SPDX-License-Identifier: GPL-2.0
/*
 * Peaks, the timeline and its phases.
 */
#include "test.h"

#include "ledger-steps.h"
#include "test-files.h"

static uint64_t owned(struct ledger *l, enum space space, uint64_t addr)
{
	return site(l, space, addr)->peak;
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
	const struct history *h;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	h = &l.history;
	assert_int_equal(h->peaks[SPACE_SLAB].bytes, 192);
	assert_int_equal(h->peaks[SPACE_SLAB].time, 2000);
	assert_int_equal(owned(&l, SPACE_SLAB, SITE_A), 128);
	assert_int_equal(owned(&l, SPACE_SLAB, SITE_B), 64);
	assert_int_equal(owned(&l, SPACE_SLAB, SITE_C), 0);
	assert_int_equal(h->peaks[SPACE_PAGES].bytes, 0);
	assert_int_equal(h->begin, 1000);
	assert_int_equal(h->steps[0].allocs[SPACE_SLAB], 3);
	assert_int_equal(h->steps[0].bytes[SPACE_SLAB], 320);
	assert_int_equal(h->steps[0].most[SPACE_SLAB], 192);
	assert_int_equal(h->steps[h->nr_steps - 1].live[SPACE_SLAB], 0);
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
	const struct history *h;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	h = &l.history;
	assert_int_equal(h->peaks[SPACE_PAGES].bytes, bytes + PAGE);
	assert_int_equal(h->peaks[SPACE_PAGES].time, 20);
	assert_int_equal(owned(&l, SPACE_PAGES, SITE_A), bytes);
	assert_int_equal(owned(&l, SPACE_PAGES, SITE_B), PAGE);
	assert_int_equal(h->peaks[SPACE_SLAB].bytes, 64);
	assert_int_equal(h->steps[h->nr_steps - 1].live[SPACE_PAGES],
			 5 * PAGE);
	/* The object ended with its pages. */
	assert_int_equal(h->steps[h->nr_steps - 1].live[SPACE_SLAB], 0);
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
	assert_int_equal(l.history.peaks[SPACE_SLAB].bytes, 192);
	assert_int_equal(l.history.peaks[SPACE_SLAB].time, 10);
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
	uint64_t allocs = 0;
	const struct history *h;
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
	h = &l.history;
	assert_in_range(h->nr_steps, HISTORY_STEPS / 2, HISTORY_STEPS);
	assert_in_range(h->nr_steps * h->width, INT64_C(1000000) * (NR - 1),
			INT64_C(1000000) * NR + h->width);
	for (i = 0; i < h->nr_steps; i++) {
		allocs += h->steps[i].allocs[SPACE_SLAB];
		assert_int_equal(h->steps[i].live[SPACE_SLAB], 64 * allocs);
		assert_int_equal(h->steps[i].most[SPACE_SLAB], 64 * allocs);
	}
	assert_int_equal(allocs, NR);
	ledger_free(&l);
}

static void assert_phase(const struct ledger *l, unsigned int i,
			 unsigned int id, int64_t begin, int64_t most,
			 int64_t live)
{
	const struct phase *phase = &l->history.phases[i];

	assert_in_range(i, 0, l->history.nr_phases - 1);
	assert_int_equal(phase->id, id);
	assert_int_equal(phase->begin, begin);
	assert_int_equal(phase->most[SPACE_SLAB], most);
	assert_int_equal(phase->live[SPACE_SLAB], live);
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
	const struct history *h;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	h = &l.history;
	assert_int_equal(h->nr_phases, 4);
	assert_phase(&l, 0, KMEMTRACE_PHASE_ARMED, 1010, 520, 8);
	assert_phase(&l, 1, KMEMTRACE_PHASE_SMP, 1040, 72, 40);
	assert_phase(&l, 2, KMEMTRACE_PHASE_INITCALLS, 1080, 136, 136);
	assert_phase(&l, 3, KMEMTRACE_PHASE_INIT, 3 * LATER, 136, 136);
	assert_int_equal(h->steps[0].most[SPACE_SLAB], 520);
	assert_int_equal(h->peaks[SPACE_SLAB].bytes, 520);
	assert_int_equal(l.stats.by_class[FINDING_IMPOSSIBLE], 0);
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
		assert_int_equal(l.history.peaks[SPACE_SLAB].bytes, 64 * (NR - 5));
		assert_int_equal(l.history.steps[l.history.nr_steps - 1].most[SPACE_SLAB],
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
	assert_int_equal(l.history.nr_phases, 3);
	assert_phase(&l, 1, KMEMTRACE_PHASE_FREED, 1030, 64, 64);
	assert_phase(&l, 2, KMEMTRACE_PHASE_INITCALLS, 1060, 64, 64);
	assert_int_equal(l.stats.by_class[FINDING_IMPOSSIBLE], 2);
	assert_int_equal(l.stats.unknown_ids, 1);
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
	assert_int_equal(l.stats.totals[SPACE_SLAB].allocs, 2);
	assert_int_equal(l.stats.totals[SPACE_SLAB].frees, 1);
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
