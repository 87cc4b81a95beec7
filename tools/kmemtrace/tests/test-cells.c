// SPDX-License-Identifier: GPL-2.0
/*
 * Cells: the figures of each range of steps are those of a ledger that counts that range alone.
 */
#include "test.h"

#include <stdlib.h>

#include "api/api-lists.h"
#include "ledger-steps.h"
#include "test-files.h"

#define NR_STEPS	4000
#define NR_PLACES	64
#define BEGIN		5

static struct selection selection;
static const struct filter no_filter;

/* A number below @below; each test has the same ones. */
static unsigned int choose_below(unsigned int below)
{
	static uint64_t state = 1;

	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (state >> 33) % below;
}

/* Allocations and frees of objects and of blocks of pages, two microseconds apart. */
static void make_steps(struct step *steps)
{
	static const uint64_t sites[] = { SITE_A, SITE_B, SITE_C };
	uint64_t live[NR_PLACES] = { 0 };
	int i;

	for (i = 0; i < NR_STEPS; i++) {
		unsigned int at = choose_below(NR_PLACES), order = choose_below(3);
		uint64_t site = sites[choose_below(3)], ptr = 0x10000000 + at * 0x100000;
		int64_t time = BEGIN + 2000 * i;

		if (at % 2 && live[at])
			steps[i] = (struct step)FREE_PAGES(time, 0, site, ptr, live[at]);
		else if (at % 2)
			steps[i] = (struct step)ALLOC(time, 0, PAGES, site, ptr, PAGE << order,
						      PAGE << order);
		else if (live[at])
			steps[i] = (struct step)FREE(time, 0, KMALLOC, site, ptr);
		else
			steps[i] = (struct step)ALLOC(time, 0, KMALLOC, site, ptr, 50 + order,
						      64);
		live[at] = live[at] ? 0 : steps[i].alloc;
	}
}

/* The sums of one call site. */
struct figures {
	uint64_t allocs, live, live_req, frees;
};

/**
 * struct range - the cells of a call site in a range of steps
 * @l: the ledger that counted them
 * @space: the allocator
 * @addr: the call site
 * @a: first step of the range
 * @b: last step of the range
 * @sum: their sums
 */
struct range {
	const struct ledger *l;
	enum space space;
	uint64_t addr;
	unsigned int a, b;
	struct figures sum;
};

static int add_cell(void *arg, const struct kmemtrace_cell *cell)
{
	struct range *r = arg;
	const struct kmemtrace_kind kind = api_kind(r->l, cell->kind);

	if (kind.call_site != r->addr || kind.space != (int)r->space ||
	    cell->born < r->a || cell->born > r->b)
		return 0;
	if (cell->ended == KMEMTRACE_NEVER)
		r->sum.allocs += cell->calls;
	else if (cell->ended <= r->b)
		r->sum.frees += cell->calls;
	if (cell->ended > r->b) {
		r->sum.live += cell->nr;
		r->sum.live_req += cell->bytes_req;
	}
	return 0;
}

/* Add up the cells of memory that was allocated in the steps from @a to @b. */
static struct figures sum_of(const struct ledger *l, enum space space, uint64_t addr,
			     unsigned int a, unsigned int b)
{
	struct range r = { .l = l, .space = space, .addr = addr, .a = a, .b = b };

	assert_int_equal(kmemtrace_each_cell(trace_of(l), add_cell, &r), 0);
	return r.sum;
}

/* Return the length of a step. */
static int64_t length_of_step(const struct ledger *l)
{
	return kmemtrace_get_cells(trace_of(l))->step_ns;
}

static void assert_range(const struct ledger *all, const struct step *steps,
			 unsigned int a, unsigned int b)
{
	const int64_t width = length_of_step(all);
	struct ledger l;
	uint64_t addr;
	int space;

	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 1), 0);
	selection = (struct selection) {
		.ctx = &test_ctx,
		.sites.ctx = &test_ctx,
		.begin = BEGIN + a * width,
		.by_event = true,
		.filter = &no_filter,
	};
	ledger_select(&l, &selection);
	go_on_until(&l, steps, NR_STEPS, BEGIN + (b + 1) * width - 1);
	for (space = 0; space <= SPACE_PAGES; space++)
		for (addr = SITE_A; addr <= SITE_C; addr += SITE_B - SITE_A) {
			struct figures sum = sum_of(all, space, addr, a, b);

			assert_int_equal(sum.allocs, figure_at_site(&l, space, addr, "allocs"));
			assert_int_equal(sum.live, figure_at_site(&l, space, addr, "live"));
			assert_int_equal(sum.live_req,
					 figure_at_site(&l, space, addr, "live_bytes_req"));
			assert_int_equal(sum.frees, figure_at_site(&l, space, addr, "frees"));
		}
	ledger_free(&l);
}

static void test_ranges(void **state)
{
	static const unsigned int ranges[][2] = {
		{ 0, 0 }, { 0, 40 }, { 3, 3 }, { 17, 60 }, { 60, CELLS_STEPS - 1 },
		{ 0, CELLS_STEPS - 1 },
	};
	struct step *steps = calloc(NR_STEPS, sizeof(*steps));
	struct ledger l;
	size_t i;

	(void)state;
	assert_non_null(steps);
	make_steps(steps);
	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 2), 0);
	assert_int_equal(ledger_count_cells(&l, BEGIN), 0);
	go_on(&l, steps, NR_STEPS);
	/* 8 ms in at most 128 steps. */
	assert_int_equal(length_of_step(&l), 1 << 16);
	for (i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		assert_range(&l, steps, ranges[i][0], ranges[i][1]);
	ledger_free(&l);
	free(steps);
}

/* A move keeps the time of the allocation. Memory that is older than the trace has a cell. */
static void test_moved_and_older(void **state)
{
	static const struct step steps[] = {
		FRAMES(0, LIVE, 0x300000, 2 * PAGE),
		END(1, 0),
		ALLOC(10, 0, PAGES, SITE_A, 0x100000, PAGE, PAGE),
		ALLOC(2048, 0, PAGES, SITE_B, 0x9000, PAGE, PAGE),
		MOVE(2050, 0, 0x9000, 0x100000, PAGE),
		FREE_PAGES(2060, 0, SITE_C, 0x100000, PAGE),
		FREE_PAGES(4096, 0, SITE_C, 0x9000, PAGE),
		FREE_PAGES(5000, 0, SITE_C, 0x300000, PAGE),
	};
	struct figures sum;
	struct ledger l;

	(void)state;
	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 2), 0);
	assert_int_equal(ledger_count_cells(&l, 0), 0);
	go_on(&l, steps, sizeof(steps) / sizeof(*steps));
	assert_int_equal(length_of_step(&l), 1 << 10);
	sum = sum_of(&l, SPACE_PAGES, SITE_A, 0, 3);
	assert_int_equal(sum.live, 1);
	assert_int_equal(sum.frees, 0);
	sum = sum_of(&l, SPACE_PAGES, SITE_A, 0, 4);
	assert_int_equal(sum.live, 0);
	assert_int_equal(sum.frees, 1);
	sum = sum_of(&l, SPACE_PAGES, SITE_B, 2, 2);
	assert_int_equal(sum.allocs, 1);
	assert_int_equal(sum.live, 0);
	sum = sum_of(&l, SPACE_PAGES, SITE_SNAPSHOT, 0, 0);
	assert_int_equal(sum.allocs, 0);
	assert_int_equal(sum.live, 2);
	sum = sum_of(&l, SPACE_PAGES, SITE_SNAPSHOT, 0, 4);
	assert_int_equal(sum.live, 1);
	ledger_free(&l);
}

static void count(struct cells *c, uint32_t kind, int64_t born, int64_t ended)
{
	cells_count(c, &(struct cell_count) {
		.kind = kind,
		.born = born,
		.ended = ended,
		.cell = { .nr = 1, .req = 10, .calls = 1 },
	});
}

/* Few cells: their steps get longer, and no count is lost. */
static void test_limit(void **state)
{
	uint64_t nr = 0, calls = 0;
	struct cells c;
	unsigned int i;

	(void)state;
	assert_int_equal(cells_init(&c, &test_ctx, -7, 50), 0);
	for (i = 0; i < 1000; i++) {
		count(&c, i % 5, -7 + i * 1024, CELLS_LIVE);
		count(&c, i % 5, -7 + i * 1024, i * 2048);
	}
	assert_int_equal(cells_end(&c), 0);
	assert_in_range(c.nr, 10, 70);
	for (i = 0; i < c.nr; i++) {
		calls += c.list[i].calls;
		nr += c.list[i].nr;
		if (i)
			assert_true(c.list[i - 1].key < c.list[i].key);
	}
	assert_int_equal(calls, 2000);
	assert_int_equal(nr, 1000);
	cells_free(&c);
}

/* Cells that are listed while counting goes on are those that an end there would leave. */
static void test_list(void **state)
{
	struct cells c, ended;
	struct cell *list;
	unsigned int i, j;
	size_t nr;

	(void)state;
	assert_int_equal(cells_init(&c, &test_ctx, 0, 50), 0);
	for (i = 0; i < 1000; i++) {
		count(&c, i % 5, i * 1024, CELLS_LIVE);
		if (i % 3)
			count(&c, i % 5, i * 1024, i * 2048);
		if (i % 100)
			continue;
		assert_int_equal(cells_init(&ended, &test_ctx, 0, 50), 0);
		for (j = 0; j <= i; j++) {
			count(&ended, j % 5, j * 1024, CELLS_LIVE);
			if (j % 3)
				count(&ended, j % 5, j * 1024, j * 2048);
		}
		assert_int_equal(cells_end(&ended), 0);
		assert_int_equal(cells_list(&c, &list, &nr), 0);
		assert_int_equal(nr, ended.nr);
		assert_memory_equal(list, ended.list, nr * sizeof(*list));
		free(list);
		cells_free(&ended);
	}
	cells_free(&c);
}

/* The latest time, and times before the begin, have a step. */
static void test_extremes(void **state)
{
	struct cells c;

	(void)state;
	assert_int_equal(cells_init(&c, &test_ctx, INT64_MIN, 100), 0);
	count(&c, 0, INT64_MIN, CELLS_LIVE);
	count(&c, 0, INT64_MIN, INT64_MAX - 1);
	assert_int_equal(cells_end(&c), 0);
	assert_int_equal(c.nr, 2);
	assert_int_equal(cell_ended(&c.list[0]), CELLS_STEPS - 1);
	assert_int_equal(c.list[1].nr, 0);
	cells_free(&c);
	assert_int_equal(cells_init(&c, &test_ctx, 1000, 100), 0);
	count(&c, 3, 10, CELLS_LIVE);
	assert_int_equal(cells_end(&c), 0);
	assert_int_equal(c.nr, 1);
	assert_int_equal(c.list[0].key, cell_key(3, 0, CELLS_NEVER));
	cells_free(&c);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_moved_and_older),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_extremes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
