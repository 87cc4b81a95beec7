// SPDX-License-Identifier: GPL-2.0
/*
 * Events that are out of order, because the clocks of two CPUs differ.
 */
#include "test.h"

#include "ledger-steps.h"
#include "test-files.h"

/* CPU 0 allocates, CPU 1 frees; its clock is late. */
static void test_free_comes_early(void **state)
{
	static const struct step steps[] = {
		FREE(100, 1, KMALLOC, SITE_B, 0x1000),
		ALLOC(200, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "trace", "reordered"), 1);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "remote_frees"), 1);
	ledger_free(&l);
}

/* The same, but the next free shows that the first was of an older object. */
static void test_free_was_not_early(void **state)
{
	static const struct step steps[] = {
		FREE(100, 1, KMALLOC, SITE_B, 0x1000),
		ALLOC(200, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		FREE(LATER, 0, KMALLOC, SITE_C, 0x1000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_FREE_UNKNOWN, SPACE_SLAB, 0, SITE_B);
	assert_int_equal(value_in(&l, "trace", "reordered"), 0);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	ledger_free(&l);
}

/* Two short lives, each with its free before its allocation: the second explains itself, too. */
static void test_frees_come_early(void **state)
{
	static const struct step steps[] = {
		FREE(100, 1, KMALLOC, SITE_B, 0x1000),
		ALLOC(200, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		FREE(300, 1, KMALLOC, SITE_B, 0x1000),
		ALLOC(400, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "trace", "reordered"), 2);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	ledger_free(&l);
}

/* CPU 1 frees and CPU 0 allocates again; the clock of CPU 1 is early. */
static void test_alloc_comes_early(void **state)
{
	static const struct step steps[] = {
		ALLOC(100, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		ALLOC(LATER, 0, KMALLOC, SITE_B, 0x1000, 16, 16),
		FREE(LATER + 50, 1, KMALLOC, SITE_C, 0x1000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "trace", "reordered"), 1);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 16);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "live"), 0);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_B, "live"), 1);
	ledger_free(&l);
}

/* CPU 0 had the object first, but the allocation of CPU 1 has an earlier time. */
static void test_later_life_comes_early(void **state)
{
	static const struct step steps[] = {
		ALLOC(100, 1, KMALLOC, SITE_A, 0x1000, 8, 8),
		ALLOC(200, 0, KMALLOC, SITE_B, 0x1000, 16, 16),
		FREE(250, 0, KMALLOC, SITE_C, 0x1000),
		ALLOC(100, 1, PAGES, SITE_A, PAGE, PAGE, PAGE),
		ALLOC(200, 0, PAGES, SITE_B, PAGE, PAGE, PAGE),
		FREE_PAGES(250, 0, SITE_C, PAGE, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "trace", "reordered"), 2);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 8);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "live"), 1);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_B, "live"), 0);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_B, "frees"), 1);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "remote_frees"), 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), PAGE);
	assert_int_equal(figure_at_site(&l, SPACE_PAGES, SITE_A, "live"), 1);
	ledger_free(&l);
}

/* A pending event does not delay events of other objects in the same page. */
static void test_others_need_not_wait(void **state)
{
	static const struct step steps[] = {
		ALLOC(100, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		ALLOC(200, 1, KMALLOC, SITE_B, 0x1000, 16, 16),
		FREE(250, 1, KMALLOC, SITE_C, 0x1000),
		ALLOC(300, 1, KMALLOC, SITE_B, 0x1080, 16, 16),
		FREE(350, 1, KMALLOC, SITE_C, 0x1080),
		ALLOC(400, 0, KMALLOC, SITE_A, 0x1080, 8, 8),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "live"), 2);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_B, "frees"), 2);
	ledger_free(&l);
}

/* As test_later_life_comes_early(), with the free of the later object. */
static void test_later_end_comes_early(void **state)
{
	static const struct step steps[] = {
		ALLOC(50, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		FREE(LATER, 1, KMALLOC, SITE_C, 0x1000),
		FREE(LATER + 100, 0, KMALLOC, SITE_C, 0x1000),
		ALLOC(LATER + 150, 0, KMALLOC, SITE_B, 0x1000, 16, 16),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "trace", "reordered"), 1);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "frees"), 2);
	ledger_free(&l);
}

/* Events of one CPU are never reordered, nor events that are far apart. */
static void test_not_settled(void **state)
{
	static const struct step same_cpu[] = {
		FREE(100, 0, KMALLOC, SITE_B, 0x1000),
		ALLOC(200, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
	};
	static const struct step too_late[] = {
		ALLOC(100, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		ALLOC(200, 0, KMALLOC, SITE_B, 0x1000, 8, 8),
		FREE(LATER, 1, KMALLOC, SITE_C, 0x1000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, same_cpu);
	assert_finding(&l, FINDING_FREE_UNKNOWN, SPACE_SLAB, 0, SITE_B);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 8);
	ledger_free(&l);
	RUN(&l, too_late);
	assert_finding(&l, FINDING_ALLOC_TWICE, SPACE_SLAB, SITE_A, SITE_B);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	ledger_free(&l);
}

static void test_pages_settled(void **state)
{
	static const struct step steps[] = {
		FREE_PAGES(100, 1, SITE_B, 0x10000, 2 * PAGE),
		ALLOC(200, 0, PAGES, SITE_A, 0x10000, 2 * PAGE, 2 * PAGE),
		ALLOC(LATER, 1, PAGES, SITE_C, 0x10000, 2 * PAGE, 2 * PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "trace", "reordered"), 1);
	assert_int_equal(figure_at_site(&l, SPACE_PAGES, SITE_C, "live"), 2);
	assert_int_equal(figure_at_site(&l, SPACE_PAGES, SITE_A, "live"), 0);
	ledger_free(&l);
}

/* Test the largest difference of clocks that is allowed, and a larger one. */
static void test_window(void **state)
{
	static const struct step in_time[] = {
		FREE(10, 1, KMALLOC, SITE_B, 0x1000),
		ALLOC(10 + MERGE_WINDOW_NS, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
	};
	static const struct step late[] = {
		FREE(10, 1, KMALLOC, SITE_B, 0x1000),
		ALLOC(11 + MERGE_WINDOW_NS, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
	};
	struct ledger l;

	(void)state;
	RUN(&l, in_time);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "trace", "reordered"), 1);
	ledger_free(&l);
	RUN(&l, late);
	assert_finding(&l, FINDING_FREE_UNKNOWN, SPACE_SLAB, 0, SITE_B);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 8);
	ledger_free(&l);
}

/* A pending event delays later events of its CPU with the same object. */
static void test_order_of_one_cpu(void **state)
{
	static const struct step steps[] = {
		FREE(100, 1, KMALLOC, SITE_B, 0x1000),
		ALLOC(110, 1, KMALLOC, SITE_C, 0x1000, 16, 16),
		ALLOC(120, 1, KMALLOC, SITE_C, 0x80000, 16, 16),
		ALLOC(200, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "trace", "reordered"), 1);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "frees"), 1);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_C, "live"), 2);
	ledger_free(&l);
}

/* Five events of one object on two CPUs, whose clocks differ. */
static void test_chain(void **state)
{
	static const struct step steps[] = {
		ALLOC(100, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		ALLOC(200, 0, KMALLOC, SITE_B, 0x1000, 16, 16),
		ALLOC(300, 0, KMALLOC, SITE_C, 0x1000, 32, 32),
		FREE(400, 1, KMALLOC, SITE_C, 0x1000),
		FREE(500, 1, KMALLOC, SITE_C, 0x1000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "trace", "reordered"), 2);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 32);
	ledger_free(&l);
}

/* The free of the object has a time after that of its page. */
static void test_pages_freed_early(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_C, 0x10000, PAGE, PAGE),
		ALLOC(20, 0, KMALLOC, SITE_A, 0x10008, 8, 8),
		FREE_PAGES(LATER, 0, SITE_B, 0x10000, PAGE),
		FREE(LATER + 50, 1, KMALLOC, SITE_C, 0x10008),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "trace", "reordered"), 1);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 0);
	ledger_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_free_comes_early),
		cmocka_unit_test(test_free_was_not_early),
		cmocka_unit_test(test_frees_come_early),
		cmocka_unit_test(test_alloc_comes_early),
		cmocka_unit_test(test_later_life_comes_early),
		cmocka_unit_test(test_others_need_not_wait),
		cmocka_unit_test(test_later_end_comes_early),
		cmocka_unit_test(test_not_settled),
		cmocka_unit_test(test_pages_settled),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_order_of_one_cpu),
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_pages_freed_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
