// SPDX-License-Identifier: GPL-2.0
/*
 * Lifetimes, by the call sites of the allocation and of the free; steps of sizes and of
 * times.
 */
#include "test.h"

#include <inttypes.h>

#include "ledger-steps.h"
#include "test-files.h"

/* A size belongs to the one step that ends at or after it. */
static void test_request_steps(void **state)
{
	uint64_t bytes;
	int shift;

	(void)state;
	for (bytes = 1; bytes <= CLASS_MAX_SIZE; bytes += 1 + bytes / 1000) {
		unsigned int step = request_step(bytes);

		assert_true(request_step_max(step) >= bytes);
		assert_true(request_step_max(step - 1) < bytes);
	}
	/* Each power of two ends a step; the next one is eight steps away. */
	for (shift = 4; shift < CLASS_SIZE_BITS; shift++) {
		bytes = UINT64_C(1) << shift;
		assert_int_equal(request_step_max(request_step(bytes)), bytes);
		assert_int_equal(request_step(bytes),
				 request_step(bytes / 2) + 8);
	}
	assert_true(request_step(CLASS_MAX_SIZE) <= KIND_STEP_MASK);
}

/* Each step ends before a power of ten. */
static void test_lifetime_steps(void **state)
{
	uint64_t ns = 1000;
	unsigned int step;
	int bit;

	(void)state;
	assert_int_equal(lifetime_step(0), 0);
	assert_int_equal(lifetime_step(UINT64_MAX), LIFETIME_STEPS - 1);
	for (step = 0; step + 1 < LIFETIME_STEPS; step++, ns *= 10) {
		assert_int_equal(lifetime_step(ns - 1), step);
		assert_int_equal(lifetime_step(ns), step + 1);
	}
	for (bit = 0; bit < 64; bit++) {
		ns = UINT64_C(1) << bit;
		step = lifetime_step(ns);
		assert_true(ns <= lifetime_longest[step]);
		assert_true(!step || ns > lifetime_longest[step - 1]);
	}
}

/* The sum may have more than 64 bits. */
static void test_lifetime_sum(void **state)
{
	struct lifetime l = { 0 }, sum = { 0 };
	int i;

	(void)state;
	for (i = 0; i < 3; i++)
		lifetime_count(&l, INT64_MAX);
	lifetime_add(&sum, &l);
	lifetime_add(&sum, &l);
	assert_int_equal(sum.carry, 2);
	assert_int_equal(sum.ns, UINT64_MAX - 5);
	for (i = 0; i < 6; i++)
		lifetime_count(&sum, i & 1 ? 2000 : -2000);
	assert_int_equal(sum.carry, 3);
	assert_int_equal(sum.ns, 6000 - 6);
	assert_int_equal(lifetime_ended(&sum, LIFETIME_STEPS), 12);
	assert_int_equal(lifetime_ended(&sum, 1), 3);
}

/* Return a number of the lifetimes of memory that @begun allocated and @ended freed. */
static uint64_t lives(const struct ledger *l, enum space space, uint64_t begun, uint64_t ended,
		      const char *column)
{
	return sum_where(trace_of(l), "churn", column,
			 "%s,address=%" PRIu64 ",freed_address=%" PRIu64, where_of(space), begun,
			 ended);
}

/* Two call sites free objects of one kind; other objects are older than the trace. */
static void test_lifetimes(void **state)
{
	static const struct step steps[] = {
		SLAB(10, 0xcafe, 0x80000, 64, 2, 3),
		END(30, 0),
		ALLOC(1000, 0, KMALLOC, SITE_A, 0x1000, 60, 64),
		ALLOC(1000, 0, KMALLOC, SITE_A, 0x2000, 60, 64),
		ALLOC(1000, 0, KMALLOC, SITE_A, 0x3000, 60, 64),
		ALLOC(1000, 0, VMALLOC, SITE_A, 0x3000, PAGE, PAGE),
		FREE(1100, 0, KMALLOC, SITE_B, 0x1000),
		FREE(2500, 0, KMALLOC, SITE_C, 0x2000),
		FREE(1300, 1, KMALLOC, SITE_B, 0x3000),
		FREE(LATER, 1, VMALLOC, SITE_B, 0x3000),
		FREE(LATER, 0, KMALLOC, SITE_B, 0x80000),
		/* The clock of CPU 1 is early. */
		FREE(2 * LATER - 50, 1, KMALLOC, SITE_C, 0x4000),
		ALLOC(2 * LATER, 0, KMALLOC, SITE_A, 0x4000, 60, 64),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(lives(&l, SPACE_SLAB, SITE_A, SITE_B, "ended"), 2);
	assert_int_equal(lives(&l, SPACE_SLAB, SITE_A, SITE_B, "ended_in_1us"), 2);
	assert_int_equal(lives(&l, SPACE_SLAB, SITE_A, SITE_B, "mean_ns"), 400 / 2);
	assert_int_equal(lives(&l, SPACE_SLAB, SITE_A, SITE_B, "freed_bytes"), 128);
	/* One of them ends before its allocation. */
	assert_int_equal(lives(&l, SPACE_SLAB, SITE_A, SITE_C, "ended"), 2);
	assert_int_equal(lives(&l, SPACE_SLAB, SITE_A, SITE_C, "ended_in_1us"), 1);
	assert_int_equal(lives(&l, SPACE_SLAB, SITE_A, SITE_C, "ended_in_10us"), 2);
	assert_int_equal(lives(&l, SPACE_SLAB, SITE_A, SITE_C, "mean_ns"), 1500 / 2);
	assert_int_equal(lives(&l, SPACE_VMALLOC, SITE_A, SITE_B, "ended"), 1);
	assert_int_equal(lives(&l, SPACE_VMALLOC, SITE_A, SITE_B, "mean_ns"), LATER - 1000);
	assert_int_equal(lives(&l, SPACE_VMALLOC, SITE_A, SITE_B, "freed_bytes"), PAGE);
	assert_int_equal(lives(&l, SPACE_SLAB, SITE_SNAPSHOT, SITE_B, "ended"), 0);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "frees"), 4);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_SNAPSHOT, "frees"), 1);
	ledger_free(&l);
}

/* Each free of pages ends a lifetime, also that of a part of a block. */
static void test_lifetimes_of_pages(void **state)
{
	const uint64_t bytes = 256 * PAGE;
	const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_A, 0x200000, 2 * PAGE, 2 * PAGE),
		ALLOC(10, 0, PAGES, SITE_B, 0x400000, bytes, bytes),
		FREE_PAGES(20, 0, SITE_C, 0x200000, PAGE),
		FREE_PAGES(5000, 0, SITE_C, 0x201000, PAGE),
		FREE_PAGES(5000, 0, SITE_C, 0x400000, bytes),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(lives(&l, SPACE_PAGES, SITE_A, SITE_C, "ended"), 2);
	assert_int_equal(lives(&l, SPACE_PAGES, SITE_A, SITE_C, "ended_in_1us"), 1);
	assert_int_equal(lives(&l, SPACE_PAGES, SITE_A, SITE_C, "ended_in_10us"), 2);
	assert_int_equal(lives(&l, SPACE_PAGES, SITE_A, SITE_C, "freed_bytes"), 2 * PAGE);
	assert_int_equal(lives(&l, SPACE_PAGES, SITE_B, SITE_C, "ended"), 1);
	assert_int_equal(lives(&l, SPACE_PAGES, SITE_B, SITE_C, "mean_ns"), 5000 - 10);
	assert_int_equal(lives(&l, SPACE_PAGES, SITE_B, SITE_C, "freed_bytes"), bytes);
	assert_int_equal(figure_at_site(&l, SPACE_PAGES, SITE_B, "frees"), 1);
	ledger_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_request_steps),
		cmocka_unit_test(test_lifetime_steps),
		cmocka_unit_test(test_lifetime_sum),
		cmocka_unit_test(test_lifetimes),
		cmocka_unit_test(test_lifetimes_of_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
