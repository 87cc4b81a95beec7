// SPDX-License-Identifier: GPL-2.0
/*
 * Pages whose contents the kernel moved: their owners are swapped.
 */
#include "test.h"

#include "ledger-steps.h"

/* Assert how often a site's pages were allocated and how many bytes are live. */
static void assert_pages(const struct ledger *l, uint64_t addr, uint64_t allocs, uint64_t live)
{
	assert_int_equal(figure_at_site(l, SPACE_PAGES, addr, "allocs"), allocs);
	assert_int_equal(figure_at_site(l, SPACE_PAGES, addr, "live_bytes"), live);
}

/* Pages whose contents are moved stay those of the code that allocated them. */
static void test_move(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_A, 0x100000, 2 * PAGE, 2 * PAGE),
		ALLOC(20, 1, PAGES, SITE_B, 0x9000, 2 * PAGE, 2 * PAGE),
		MOVE(30, 1, 0x9000, 0x100000, 2 * PAGE),
		FREE_PAGES(40, 1, SITE_C, 0x100000, 2 * PAGE),
		/* Of two pages of one block, one moves back. */
		ALLOC(50, 1, PAGES, SITE_B, 0x100000, PAGE, PAGE),
		MOVE(60, 1, 0x100000, 0xa000, PAGE),
		FREE_PAGES(70, 1, SITE_C, 0xa000, PAGE),
		/* The code that allocated them frees one of them. */
		FREE_PAGES(80, 0, SITE_A, 0x9000, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_pages(&l, SITE_A, 1, PAGE);
	assert_pages(&l, SITE_B, 2, 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), PAGE);
	assert_peak(&l, SPACE_PAGES, 20, 4 * PAGE);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "frees"), 3);
	assert_int_equal(count_rows(trace_of(&l), "reasons", NULL), 0);
	ledger_free(&l);
}

/* A huge page, in many shards, takes another one's place; a part of it moves on. */
static void test_move_huge(void **state)
{
	const uint64_t bytes = UINT64_C(2) << 20, a = bytes, b = 7 * bytes, c = 9 * bytes;
	const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_A, a, bytes, bytes),
		ALLOC(20, 1, PAGES, SITE_B, b, bytes, bytes),
		MOVE(30, 1, b, a, bytes),
		FREE_PAGES(40, 1, SITE_B, a, bytes),
		ALLOC(50, 0, PAGES, SITE_C, c, bytes, bytes),
		MOVE(60, 0, c + bytes / 2, b, bytes / 2),
		FREE_PAGES(70, 0, SITE_C, b, bytes / 2),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_pages(&l, SITE_A, 1, bytes);
	assert_pages(&l, SITE_B, 1, 0);
	assert_pages(&l, SITE_C, 1, bytes / 2);
	ledger_free(&l);
}

/* Pages that are older than the trace stay that, and reserved ones stay where they are. */
static void test_move_older(void **state)
{
	static const struct step steps[] = {
		FRAMES(10, LIVE, 0x4000, PAGE),
		FRAMES(20, RESERVED, 0x8000, PAGE),
		END(30, 0),
		ALLOC(40, 1, PAGES, SITE_B, 0x20000, PAGE, PAGE),
		MOVE(50, 1, 0x20000, 0x4000, PAGE),
		FREE_PAGES(60, 1, SITE_C, 0x4000, PAGE),
		ALLOC(70, 1, PAGES, SITE_B, 0x30000, PAGE, PAGE),
		MOVE(80, 1, 0x30000, 0x8000, PAGE),
		/* Nothing is known of one of the two. */
		MOVE(90, 1, 0x30000, 0x50000, PAGE),
		MOVE(100, 1, 0x50000, 0x30000, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_pages(&l, SITE_SNAPSHOT, 0, PAGE);
	assert_pages(&l, SITE_B, 2, PAGE);
	assert_int_equal(value_in(&l, "baseline", "reserved"), 1);
	ledger_free(&l);
}

/* Moves that no kernel records. */
static void test_move_impossible(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_A, 0x4000, 2 * PAGE, 2 * PAGE),
		MOVE(20, 0, 0, 0x4000, PAGE),
		MOVE(20, 0, 0x8000, 0, PAGE),
		MOVE(20, 0, 0x8001, 0x4000, PAGE),
		MOVE(20, 0, 0x8000, 0x4001, PAGE),
		MOVE(20, 0, 0x8000, 0x4000, 0),
		MOVE(20, 0, 0x8000, 0x4000, PAGE + 1),
		MOVE(20, 0, 0x5000, 0x4000, 2 * PAGE),
		MOVE(20, 0, 0x4000, 0x4000, PAGE),
		MOVE(20, 0, 0x8000000, 0x4000, (KMEMTRACE_MOVE_MAX_PAGES + 1) * PAGE),
		MOVE(20, 0, -PAGE, 0x4000, 2 * PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=impossible"),
			 sizeof(steps) / sizeof(*steps) - 1);
	assert_pages(&l, SITE_A, 1, 2 * PAGE);
	ledger_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_move),
		cmocka_unit_test(test_move_huge),
		cmocka_unit_test(test_move_older),
		cmocka_unit_test(test_move_impossible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
