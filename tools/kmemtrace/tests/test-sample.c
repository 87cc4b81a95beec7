// SPDX-License-Identifier: GPL-2.0
/*
 * Traces that are a sample: what is in them counts as often as it stands for others, and the
 * groups show by how much the sums may be off.
 */
#include "test.h"

#include "ledger/sample.h"
#include "common/number.h"
#include "ledger-steps.h"
#include "test-files.h"

#define ONE_OF	4

/* Return the object number @i that is in the sample. */
static uint64_t sampled(unsigned int i)
{
	uint64_t ptr = 0x100000;

	while (!kmemtrace_in_sample(ptr, ONE_OF) || i--)
		ptr += 64;
	return ptr;
}

/* Give steps to the ledger of a sample. */
static void run_sample(struct ledger *l, const struct step *steps, size_t nr)
{
	assert_int_equal(ledger_init(l, &test_ctx, PAGE, 2), 0);
	l->one_of = ONE_OF;
	go_on(l, steps, nr);
}

#define RUN_SAMPLE(l, steps)	run_sample(l, steps, sizeof(steps) / sizeof(*(steps)))

/* Three sampled objects, one of which is freed, and memory that is all in the trace. */
static void run_objects(struct ledger *l)
{
	const struct step steps[] = {
		ALLOC(1000, 0, KMALLOC, SITE_A, sampled(0), 60, 64),
		ALLOC(1100, 0, KMALLOC, SITE_A, sampled(1), 50, 64),
		ALLOC(1200, 0, KMALLOC, SITE_A, sampled(2), 60, 64),
		ALLOC(1300, 0, KMALLOC, SITE_B, 0x800000, 4000, 4096),
		ALLOC(1400, 0, PAGES, SITE_A, 0x900000, PAGE, PAGE),
		ALLOC(1500, 0, PERCPU, SITE_A, 0x10, 60, 64),
		FREE(1000 + LATER, 1, KMALLOC, SITE_C, sampled(0)),
	};

	RUN_SAMPLE(l, steps);
}

static void test_sums(void **state)
{
	const struct kmemtrace_trace *trace;
	struct ledger l;

	(void)state;
	run_objects(&l);
	trace = trace_of(&l);
	assert_int_equal(figure_of(trace, SPACE_SLAB, "allocs"), 3 * ONE_OF + 1);
	assert_int_equal(figure_of(trace, SPACE_SLAB, "bytes_req"),
			 (60 + 50 + 60) * ONE_OF + 4000);
	assert_int_equal(figure_of(trace, SPACE_SLAB, "bytes"), 3 * 64 * ONE_OF + 4096);
	assert_int_equal(figure_of(trace, SPACE_SLAB, "frees"), ONE_OF);
	assert_int_equal(figure_of(trace, SPACE_SLAB, "free_calls"), ONE_OF);
	assert_int_equal(figure_of(trace, SPACE_SLAB, "remote_frees"), ONE_OF);
	assert_int_equal(figure_of(trace, SPACE_PAGES, "allocs"), 1);
	assert_int_equal(figure_of(trace, SPACE_PAGES, "bytes"), PAGE);
	assert_int_equal(figure_of(trace, SPACE_PERCPU, "allocs"), 1);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 2 * 64 * ONE_OF + 4096);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "live"), 2 * ONE_OF);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "live_bytes_req"),
			 (50 + 60) * ONE_OF);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_B, "live"), 1);
	assert_int_equal(figure_of_size(&l, SPACE_SLAB, 64, "remote_frees"), ONE_OF);
	assert_int_equal(nr_findings(&l), 0);
	ledger_free(&l);
}

static void test_history(void **state)
{
	struct kmemtrace_relation *steps;
	uint64_t allocs = 0, bytes = 0, live = 0;
	struct ledger l;

	(void)state;
	run_objects(&l);
	steps = open_rows(trace_of(&l), "timeline", where_of(SPACE_SLAB));
	while (kmemtrace_relation_next(steps)) {
		allocs += number_in(steps, "allocs");
		bytes += number_in(steps, "bytes");
		live = number_in(steps, "live_bytes");
	}
	kmemtrace_relation_close(steps);
	assert_int_equal(allocs, 3 * ONE_OF + 1);
	assert_int_equal(bytes, 3 * 64 * ONE_OF + 4096);
	assert_int_equal(live, 2 * 64 * ONE_OF + 4096);
	assert_peak(&l, SPACE_SLAB, 1300, 3 * 64 * ONE_OF + 4096);
	assert_peak(&l, SPACE_PAGES, 1400, PAGE);
	/* The owners at the peak, counted after the batch or logged. */
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "peak_bytes"), 3 * 64 * ONE_OF);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_B, "peak_bytes"), 4096);
	ledger_free(&l);
}

static void test_frees(void **state)
{
	struct ledger l;

	(void)state;
	run_objects(&l);
	assert_int_equal(value_in(&l, "churn", "ended"), ONE_OF);
	assert_int_equal(value_in(&l, "churn", "mean_ns"), LATER);
	assert_int_equal(value_in(&l, "churn", "freed_bytes"), 64 * ONE_OF);
	assert_int_equal(value_in(&l, "churn", "remote_frees"), ONE_OF);
	assert_int_equal(value_in(&l, "cpu_pairs", "remote_frees"), ONE_OF);
	assert_int_equal(value_in(&l, "cpu_pairs", "freed_bytes"), 64 * ONE_OF);
	ledger_free(&l);
}

/* Objects of one kind are in as many kinds as they have groups, those of a page in one. */
static void test_groups(void **state)
{
	unsigned int i, nr = 0;
	struct ledger l;

	(void)state;
	run_objects(&l);
	for (i = 0; i < l.kinds.nr; i++) {
		const struct kind *kind = kinds_get(&l.kinds, i);

		if (kind->site != SITE_A || kind_space(kind) != SPACE_SLAB) {
			assert_int_equal(kind_group(kind), 0);
			continue;
		}
		assert_int_equal(sample_weight(&l, kind), ONE_OF);
		assert_int_equal(kind_node(kind), 0);
		nr++;
	}
	assert_true(nr == 2 || nr == 3);
	assert_int_not_equal(spread_group(sampled(0)), spread_group(sampled(1)));
	ledger_free(&l);
}

/* Return how many of the objects of a slab are in the sample. */
static unsigned int count_sampled(uint64_t ptr, unsigned int nr)
{
	unsigned int i, sum = 0;

	for (i = 0; i < nr; i++)
		sum += kmemtrace_in_sample(ptr + i * 64, ONE_OF);
	return sum;
}

/* The snapshot has all objects: those that are not in the sample are not live. */
static void test_snapshot(void **state)
{
	static const struct step steps[] = {
		SLAB(10, 0xcafe, 0x100000, 64, 64, UINT64_MAX),
		SLAB(10, 0xcaff, 0x200000, 4096, 8, 0xff),
		END(30, 0),
		FREE(1000, 0, CACHE, SITE_B, 0x203000),
	};
	const unsigned int nr = count_sampled(0x100000, 64);
	const struct kmemtrace_trace *trace;
	struct ledger l;

	(void)state;
	RUN_SAMPLE(&l, steps);
	trace = trace_of(&l);
	assert_in_range(nr, 4, 40);
	assert_int_equal(figure_of(trace, SPACE_SLAB, "begin_live"), nr * ONE_OF + 8);
	assert_int_equal(figure_of(trace, SPACE_SLAB, "begin_bytes"), nr * 64 * ONE_OF + 8 * 4096);
	assert_int_equal(figure_of(trace, SPACE_SLAB, "older_live"), nr * ONE_OF + 7);
	assert_int_equal(figure_of(trace, SPACE_SLAB, "free_calls"), 1);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), nr * 64 * ONE_OF + 7 * 4096);
	assert_int_equal(nr_findings(&l), 0);
	ledger_free(&l);
}

/* The node and the group of a kind don't disturb each other. */
static void test_kinds(void **state)
{
	struct kind kind = { .rest = kind_rest(SPACE_SLAB, 100, 1023, 0xcc0) };
	struct kind cells;

	(void)state;
	kind_set_group(&kind, SPREAD_GROUPS - 1);
	assert_int_equal(kind_group(&kind), SPREAD_GROUPS - 1);
	assert_int_equal(kind_node(&kind), 1023);
	assert_int_equal(kind_gfp(&kind), 0xcc0);
	assert_int_equal(kind_step(&kind), request_step(100));
	cells = kind_of_cells(&kind);
	assert_int_equal(kind_group(&cells), 0);
	kind_set_group(&kind, 0);
	kind.rest = kind_rest(SPACE_SLAB, 100, -1, 0xcc0);
	assert_int_equal(kind_node(&kind), -1);
	assert_int_equal(kind_group(&kind), 0);
}

static void test_spread(void **state)
{
	struct spread s = { .sums = { 0 } };
	unsigned int i;

	(void)state;
	assert_int_equal(spread_error(&s), 0);
	/* All in one group: nothing is known but the order of magnitude. */
	s.sums[7] = 1000000;
	assert_int_equal(spread_error(&s), 1000000);
	for (i = 0; i < SPREAD_GROUPS; i++)
		s.sums[i] = UINT64_C(1) << 40;
	assert_int_equal(spread_error(&s), 0);
	/* Half have 100, half 300: 32 / 31 * 32 * 100^2. */
	for (i = 0; i < SPREAD_GROUPS; i++)
		s.sums[i] = i & 1 ? 100 : 300;
	assert_int_equal(spread_error(&s), 575);
	assert_int_equal(join_errors(300, 400), 500);
	assert_int_equal(join_errors(0, 7), 7);
	assert_int_equal(join_errors(0, 0), 0);
}

/* A weight multiplies all 128 bits of a sum of lifetimes. */
static void test_lifetime(void **state)
{
	struct lifetime l = {
		.ended = { 1, [LIFETIME_STEPS - 1] = 3 },
		.ns = UINT64_MAX, .carry = 1, .bytes = 100, .remote = 2,
	};

	(void)state;
	lifetime_weigh(&l, 65536);
	assert_int_equal(lifetime_ended(&l, LIFETIME_STEPS), 4 * 65536);
	assert_int_equal(l.ns, UINT64_MAX - 65535);
	assert_int_equal(l.carry, 65536 + 65535);
	assert_int_equal(l.bytes, 6553600);
	assert_int_equal(l.remote, 131072);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_history),
		cmocka_unit_test(test_frees),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_snapshot),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_lifetime),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
