// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of the ledger: allocations and frees of objects and blocks, their counters, and
 * the findings.
 */
#include "test.h"

#include "ledger-steps.h"
#include "test-files.h"

static void test_live(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, KMALLOC, SITE_A, 0x1000, 100, 128),
		ALLOC(20, 0, KMALLOC, SITE_A, 0x1080, 100, 128),
		ALLOC(30, 1, CACHE, SITE_B, 0x2000, 200, 256),
		FREE(40, 1, KMALLOC, SITE_C, 0x1000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "allocs"), 2);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "bytes_req"), 200);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "bytes"), 256);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "live"), 1);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "live_bytes_req"), 100);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "live_bytes"), 128);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "remote_frees"), 1);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_B, "live_bytes"), 256);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "allocs"), 3);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "free_calls"), 1);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "frees"), 1);
	assert_int_equal(value_in(&l, "cpu_pairs", "alloc_cpu"), 0);
	assert_int_equal(value_in(&l, "cpu_pairs", "free_cpu"), 1);
	assert_int_equal(value_in(&l, "cpu_pairs", "freed_bytes"), 128);
	assert_int_equal(figure_of_size(&l, SPACE_SLAB, 128, "live"), 1);
	assert_int_equal(figure_of_size(&l, SPACE_SLAB, 128, "remote_frees"), 1);
	ledger_free(&l);
}

/* A page and the object at its start are different things. */
static void test_spaces(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_A, 0x1000, PAGE, PAGE),
		ALLOC(20, 0, KMALLOC, SITE_B, 0x1000, PAGE, PAGE),
		FREE(30, 0, KMALLOC, SITE_C, 0x1000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), PAGE);
	ledger_free(&l);
}

/* No free follows that would explain it. */
static void test_alloc_twice(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		ALLOC(20, 1, KMALLOC, SITE_B, 0x1000, 16, 16),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_ALLOC_TWICE, SPACE_SLAB, SITE_A, SITE_B);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 16);
	assert_int_equal(value_in(&l, "trace", "reordered"), 0);
	ledger_free(&l);
}

static void test_free_twice(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		FREE(20, 0, KMALLOC, SITE_B, 0x1000),
		FREE(30, 1, KMALLOC, SITE_C, 0x1000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_FREE_TWICE, SPACE_SLAB, SITE_B, SITE_C);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	ledger_free(&l);
}

static void test_free_unknown(void **state)
{
	static const struct step steps[] = {
		FREE(10, 0, KMALLOC, SITE_A, 0x1000),
		ALLOC(LATER, 1, KMALLOC, SITE_B, 0x1000, 8, 8),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_FREE_UNKNOWN, SPACE_SLAB, 0, SITE_A);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 8);
	ledger_free(&l);
}

static void test_mixed_api(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, CACHE, SITE_A, 0x1000, 8, 8),
		FREE(20, 0, KMALLOC, SITE_B, 0x1000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_MIXED_API, SPACE_SLAB, SITE_A, SITE_B);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	ledger_free(&l);
}

static void test_short(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, KMALLOC, SITE_A, 0x1000, 9, 8),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_SHORT, SPACE_SLAB, 0, SITE_A);
	ledger_free(&l);
}

/* Its end is beyond the last address; that of the block before is not. */
static void test_pages_wrap(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_A, -2 * PAGE, 2 * PAGE, 2 * PAGE),
		ALLOC(11, 0, PAGES, SITE_A, -PAGE, 2 * PAGE, 2 * PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_IMPOSSIBLE, SPACE_PAGES, 0, SITE_A);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "allocs"), 1);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 2 * PAGE);
	ledger_free(&l);
}

static void test_impossible(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, KMALLOC, SITE_A, 0, 8, 8),
		ALLOC(11, 0, KMALLOC, SITE_A, 0x1000, 0, 8),
		ALLOC(12, 0, KMALLOC, SITE_A, 0x1000, 8, UINT64_C(1) << 32),
		ALLOC(13, 0, PAGES, SITE_A, 0x1000, PAGE, 3 * PAGE),
		ALLOC(14, 0, PAGES, SITE_A, 0x1000, PAGE, UINT64_C(1) << 62),
		ALLOC(15, 0, PAGES, SITE_A, 0x1001, PAGE, PAGE),
		FREE_PAGES(16, 0, SITE_A, 0x1000, 0),
		ALLOC(17, 0, PAGES, SITE_A, 0x1000, 0, PAGE),
		ALLOC(18, 0, PAGES, SITE_A, 0x1000, PAGE + 1, PAGE),
		ALLOC(19, 0, PAGES, SITE_A, 0x1000, UINT64_C(1) << 52, PAGE),
		ALLOC(20, 0, PAGES, SITE_A, -PAGE, 2 * PAGE, 2 * PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=impossible"), 11);
	assert_int_equal(nr_findings(&l), 11);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "allocs"), 0);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "allocs"), 0);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "bytes_req"), 0);
	ledger_free(&l);
}

/* Blocks are split and merged without an event. */
static void test_pages_split(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_A, 0x10000, 4 * PAGE, 4 * PAGE),
		FREE_PAGES(20, 0, SITE_C, 0x11000, PAGE),
		FREE_PAGES(30, 0, SITE_C, 0x12000, 2 * PAGE),
		ALLOC(40, 0, PAGES, SITE_B, 0x11000, PAGE, PAGE),
		FREE_PAGES(50, 1, SITE_C, 0x10000, 2 * PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 0);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "frees"), 3);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "remote_frees"), 1);
	/* The free begins in what is left of the four pages. */
	assert_int_equal(figure_of_size(&l, SPACE_PAGES, 4 * PAGE, "remote_frees"), 1);
	ledger_free(&l);
}

static void test_pages_twice(void **state)
{
	static const struct step alloc[] = {
		ALLOC(10, 0, PAGES, SITE_A, 0x11000, PAGE, PAGE),
		ALLOC(20, 0, PAGES, SITE_B, 0x10000, 2 * PAGE, 2 * PAGE),
	};
	static const struct step free[] = {
		ALLOC(10, 0, PAGES, SITE_A, 0x10000, 2 * PAGE, 2 * PAGE),
		FREE_PAGES(20, 0, SITE_B, 0x11000, PAGE),
		FREE_PAGES(30, 0, SITE_C, 0x10000, 2 * PAGE),
	};
	static const struct step unknown[] = {
		FREE_PAGES(20, 0, SITE_C, 0x10000, 2 * PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, alloc);
	assert_finding(&l, FINDING_ALLOC_TWICE, SPACE_PAGES, SITE_A, SITE_B);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 2 * PAGE);
	ledger_free(&l);
	RUN(&l, free);
	assert_finding(&l, FINDING_FREE_TWICE, SPACE_PAGES, SITE_B, SITE_C);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 0);
	ledger_free(&l);
	RUN(&l, unknown);
	assert_finding(&l, FINDING_FREE_UNKNOWN, SPACE_PAGES, 0, SITE_C);
	ledger_free(&l);
}

/* A block in several shards counts as one block. */
static void test_large_block(void **state)
{
	const uint64_t bytes = 512 * PAGE;
	const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_A, 0x200000, bytes - 10, bytes),
		FREE_PAGES(20, 1, SITE_B, 0x200000, bytes),
		FREE_PAGES(LATER, 1, SITE_C, 0x200000, bytes),
		ALLOC(2 * LATER, 0, PAGES, SITE_A, 0x200000, bytes, bytes),
		ALLOC(4 * LATER, 1, PAGES, SITE_B, 0x300000, PAGE, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 2);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=free_twice"), 1);
	assert_int_equal(sum_where(trace_of(&l), "findings", "object", "class=free_twice"),
			 0x200000);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=alloc_twice"), 1);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "allocs"), 3);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "free_calls"), 2);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "frees"), 1);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "bytes_req"), 2 * bytes - 10 + PAGE);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "bytes"), 2 * bytes + PAGE);
	assert_int_equal(value_in(&l, "cpu_pairs", "remote_frees"), 1);
	assert_int_equal(value_in(&l, "cpu_pairs", "freed_bytes"), bytes);
	assert_int_equal(figure_at_site(&l, SPACE_PAGES, SITE_A, "live"), 511);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), bytes);
	ledger_free(&l);
}

/* Tracing began on a running machine, without a snapshot: no free has an allocation. */
static void test_many_unknown(void **state)
{
	enum { NR = 10000 };
	struct step *steps = calloc(NR, sizeof(*steps));
	struct ledger l;
	unsigned int i;

	(void)state;
	assert_non_null(steps);
	for (i = 0; i < NR; i++)
		steps[i] = (struct step)
			FREE(1000 + i, i % 2, KMALLOC, SITE_A, 0x1000 + 8 * i);
	run(&l, steps, NR);
	free(steps);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=free_unknown"), NR);
	assert_int_equal(value_in(&l, "findings", "count"), NR);
	ledger_free(&l);
}

/* One address is a different object in each of three allocators. */
static void test_objects_by_space(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		ALLOC(20, 0, PERCPU, SITE_A, 0x1000, 16, 32),
		ALLOC(30, 0, VMALLOC, SITE_A, 0x1000, PAGE, 2 * PAGE),
		FREE(40, 0, PERCPU, SITE_B, 0x1000),
		FREE(50, 1, VMALLOC, SITE_B, 0x1000),
		FREE(60, 0, VMALLOC, SITE_C, 0x1000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_FREE_TWICE, SPACE_VMALLOC, SITE_B, SITE_C);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 8);
	assert_int_equal(live_bytes(&l, SPACE_PERCPU), 0);
	assert_int_equal(live_bytes(&l, SPACE_VMALLOC), 0);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PERCPU, "bytes"), 32);
	assert_int_equal(figure_of(trace_of(&l), SPACE_VMALLOC, "remote_frees"), 1);
	ledger_free(&l);
}

static void test_vmalloc_beyond_32_bits(void **state)
{
	const uint64_t bytes = UINT64_C(5) << 32;
	const struct step steps[] = {
		ALLOC(10, 0, VMALLOC, SITE_A, 0x1000, bytes - 100, bytes),
		ALLOC(20, 0, VMALLOC, SITE_A, 0x2000, UINT64_C(1) << 40,
		      UINT64_C(1) << 40),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_IMPOSSIBLE, SPACE_VMALLOC, 0, SITE_A);
	assert_int_equal(live_bytes(&l, SPACE_VMALLOC), bytes);
	assert_int_equal(figure_of(trace_of(&l), SPACE_VMALLOC, "live_bytes_req"), bytes - 100);
	ledger_free(&l);
}

static void test_pages_freed_in_use(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_C, 0x10000, 2 * PAGE, 2 * PAGE),
		/* A machine of 32 bits has such an address. */
		ALLOC(20, 0, KMALLOC, SITE_A, 0x10ffc, 16, 16),
		ALLOC(30, 0, KMALLOC, SITE_A, 0x11008, 8, 8),
		FREE(40, 0, KMALLOC, SITE_C, 0x11008),
		FREE_PAGES(50, 1, SITE_B, 0x10000, 2 * PAGE),
		/* The free of the page ended the object: there is no second finding. */
		ALLOC(LATER, 0, PAGES, SITE_C, 0x10000, PAGE, PAGE),
		ALLOC(LATER, 0, KMALLOC, SITE_C, 0x10ffc, 16, 16),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_FREE_IN_USE, SPACE_PAGES, SITE_A, SITE_B);
	assert_int_equal(value_in(&l, "findings", "object"), 0x10ffc);
	assert_int_equal(value_in(&l, "findings", "first_time_ns"), 20);
	assert_int_equal(value_in(&l, "findings", "first_cpu"), 0);
	assert_int_equal(value_in(&l, "findings", "time_ns"), 50);
	assert_int_equal(value_in(&l, "findings", "cpu"), 1);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 16);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "live"), 0);
	ledger_free(&l);
}

static void test_object_in_free_pages(void **state)
{
	static const struct step bad[] = {
		ALLOC(10, 0, PAGES, SITE_C, 0x10000, PAGE, PAGE),
		FREE_PAGES(20, 0, SITE_B, 0x10000, PAGE),
		ALLOC(LATER, 0, KMALLOC, SITE_A, 0x10008, 8, 8),
	};
	static const struct step early[] = {
		FRAMES(10, FREE, 0x10000, PAGE),
		ALLOC(LATER, 0, KMALLOC, SITE_A, 0x10008, 8, 8),
		ALLOC(LATER + 50, 1, PAGES, SITE_C, 0x10000, PAGE, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, bad);
	assert_finding(&l, FINDING_IN_FREE_PAGES, SPACE_SLAB, SITE_B, SITE_A);
	ledger_free(&l);
	RUN(&l, early);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "trace", "reordered"), 1);
	ledger_free(&l);
}

static void test_kfree_of_a_caches_object(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, CACHE, SITE_A, 0x1000, 8, 8),
		FREE(20, 0, KMALLOC, SITE_B, 0x1000),
	};
	struct ledger l;

	(void)state;
	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 2), 0);
	l.kfree_takes_caches = true;
	go_on(&l, steps, 2);
	assert_finding(&l, FINDING_MIXED_LEGAL, SPACE_SLAB, SITE_A, SITE_B);
	ledger_free(&l);
}

static void test_failures(void **state)
{
	static const struct step steps[] = {
		FAILED(10, PAGES, SITE_A, 8 * PAGE, 1),
		FAILED(20, PAGES, SITE_A, 8 * PAGE, 2),
		FAILED(30, KMALLOC, SITE_A, 64, 3),
	};
	const struct kmemtrace_trace *trace;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	trace = trace_of(&l);
	assert_int_equal(count_rows(trace, "failures", NULL), 2);
	assert_int_equal(sum_where(trace, "failures", "address", "api=pages"), SITE_A);
	assert_int_equal(sum_where(trace, "failures", "failed", "api=pages"), 2);
	assert_int_equal(sum_where(trace, "failures", "bytes_req", "api=pages"), 16 * PAGE);
	assert_int_equal(sum_where(trace, "failures", "gfp_flags", "api=pages"), 2);
	assert_int_equal(count_rows(trace, "failures", "api=kmalloc"), 1);
	assert_int_equal(figure_of(trace, SPACE_PAGES, "failed"), 2);
	assert_int_equal(figure_of(trace, SPACE_PAGES, "allocs"), 0);
	ledger_free(&l);
}

/* A free without a size finds no room in its batch: it is of the whole block all the same. */
static void test_abi1_free_later(void **state)
{
	enum { NR = SEGMENT_MAX + 1 };
	const uint64_t next = (uint64_t)PAGE * STRIPE_FRAMES * NR_SHARDS;
	struct step *steps = calloc(NR, sizeof(*steps));
	struct ledger l;
	size_t i;

	(void)state;
	assert_non_null(steps);
	steps[0] = (struct step)ALLOC(1, 0, PAGES, SITE_A, next, 4 * PAGE, 4 * PAGE);
	for (i = 1; i < NR - 1; i++)
		steps[i] = (struct step)ALLOC(1 + i, 0, KMALLOC, SITE_B, (i + 2) * next, 64, 64);
	steps[NR - 1] = (struct step)FREE(NR, 0, PAGES, SITE_C, next);
	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 2), 0);
	l.is_abi1 = true;
	go_on(&l, steps, NR);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 0);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), (NR - 2) * 64);
	ledger_free(&l);
	free(steps);
}

/*
 * A free of pages as the kernels of 2008 wrote it: no field but the address is defined, the
 * block that begins there is freed. Records may be longer.
 */
static void test_abi1_frees(void **state)
{
	static const struct kmemtrace_event garbage[] = {
		{ .node = 0 },
		{ .node = -1 },
		{ .node = 12345, .bytes_req = 17, .bytes_alloc = 4242, .gfp_flags = 99 },
		{ .node = 7, .bytes_req = 1, .bytes_alloc = PAGE, .gfp_flags = 3 },
		{ .node = -1, .bytes_alloc = UINT64_MAX },
		{ .node = -1, .bytes_req = 8 * PAGE, .bytes_alloc = 8 * PAGE, .gfp_flags = 1 },
	};
	enum { NR = sizeof(garbage) / sizeof(*garbage), KEPT = 2 };
	struct batch *b = calloc(1, sizeof(*b));
	static const uint64_t sizes[] = { PAGE, 8 * PAGE, 1024 * PAGE };
	struct kmemtrace_event ev;
	struct ledger l;
	unsigned int i, k, n = 0;

	(void)state;
	assert_non_null(b);
	batch_clear(b);
	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 1), 0);
	l.is_abi1 = true;
	for (i = 0; i < NR; i++) {
		for (k = 0; k < 3; k++, n++) {
			ev = (struct kmemtrace_event) {
				.event_id = KMEMTRACE_EVENT_ALLOC,
				.type_id = KMEMTRACE_TYPE_PAGES,
				.event_size = n % 2 ? 72 : 56,
				.node = -1,
				.call_site = SITE_A,
				.ptr = UINT64_C(0x10000000) * (n + 1),
				.bytes_req = sizes[k],
				.bytes_alloc = sizes[k],
				.timestamp = 2 * n,
			};
			add_event(&l, b, &ev);
			if (i < KEPT)
				continue;
			ev.event_id = KMEMTRACE_EVENT_FREE;
			ev.call_site = SITE_B;
			ev.node = garbage[i].node;
			ev.bytes_req = garbage[i].bytes_req;
			ev.bytes_alloc = garbage[i].bytes_alloc;
			ev.gfp_flags = garbage[i].gfp_flags;
			ev.timestamp++;
			add_event(&l, b, &ev);
		}
	}
	for (i = 0; i < KEPT; i++) {
		ev = garbage[i];
		ev.event_id = KMEMTRACE_EVENT_FREE;
		ev.type_id = KMEMTRACE_TYPE_PAGES;
		ev.event_size = 56;
		ev.call_site = SITE_B;
		ev.ptr = UINT64_C(0x10000000) * (3 * i + 3);
		ev.timestamp = 2 * n + i;
		add_event(&l, b, &ev);
	}
	flush(&l, b);
	free(b);
	assert_int_equal(ledger_end(&l, 2 * n), 0);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), KEPT * (PAGE + 8 * PAGE));
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "frees"), 3 * NR - 2 * KEPT);
	ledger_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_live),
		cmocka_unit_test(test_spaces),
		cmocka_unit_test(test_alloc_twice),
		cmocka_unit_test(test_free_twice),
		cmocka_unit_test(test_free_unknown),
		cmocka_unit_test(test_mixed_api),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_pages_wrap),
		cmocka_unit_test(test_impossible),
		cmocka_unit_test(test_pages_split),
		cmocka_unit_test(test_pages_twice),
		cmocka_unit_test(test_large_block),
		cmocka_unit_test(test_many_unknown),
		cmocka_unit_test(test_objects_by_space),
		cmocka_unit_test(test_vmalloc_beyond_32_bits),
		cmocka_unit_test(test_pages_freed_in_use),
		cmocka_unit_test(test_object_in_free_pages),
		cmocka_unit_test(test_kfree_of_a_caches_object),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_abi1_frees),
		cmocka_unit_test(test_abi1_free_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
