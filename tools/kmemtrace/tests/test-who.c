// SPDX-License-Identifier: GPL-2.0
/*
 * Who allocates: call paths, tasks, and the memory cgroups that memory is charged to.
 */
#include "test.h"

#include "ledger-steps.h"
#include "test-files.h"

#define IN_SOFTIRQ	((uint64_t)KMEMTRACE_CONTEXT_SOFTIRQ << KMEMTRACE_WHO_CONTEXT_SHIFT)
/* "sh", "vi" and "/a" as the first bytes of a word. */
#define SH		(UINT64_C(0x7368) << 48)
#define VI		(UINT64_C(0x7669) << 48)
#define A		(UINT64_C(0x2f61) << 48)

/* Assert the sums of the rows of a relation that meet a condition. */
static void assert_sum(const struct ledger *l, const char *relation, const char *where,
		       uint64_t allocs, uint64_t live)
{
	assert_int_equal(sum_where(trace_of(l), relation, "allocs", "%s", where), allocs);
	assert_int_equal(sum_where(trace_of(l), relation, "live_bytes", "%s", where), live);
}

/* The record of a call path may come after an event of another CPU. */
static void test_paths(void **state)
{
	const struct step steps[] = {
		ALLOC_WHO(10, 0, KMALLOC, SITE_A, 0x1000, 64, 0, 7),
		STACK(20, 1, 7, SITE_A, SITE_B),
		ALLOC_WHO(30, 1, KMALLOC, SITE_A, 0x2000, 64, 0, 7),
		/* The largest number, which no record names; none. */
		ALLOC_WHO(40, 1, PAGES, SITE_A, 0x3000, PAGE, 0, UINT32_MAX),
		ALLOC_WHO(50, 1, PAGES, SITE_A, 0x4000, PAGE, 0, 0),
		/* The first record counts. */
		STACK(60, 1, 7, SITE_C),
		/* All that the kernel may record. */
		STACK(70, 1, 8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
		      19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32),
		ALLOC_WHO(80, 1, VMALLOC, SITE_A, 0x5000, PAGE, 0, 8),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_sum(&l, "paths", "allocator=slab,frames=0xa00 <- 0xb00,depth=2", 2, 128);
	assert_sum(&l, "paths", "allocator=pages,path=0xa00 <- (unknown),depth=0", 1, PAGE);
	assert_sum(&l, "paths", "allocator=pages,path=0xa00,depth=0", 1, PAGE);
	assert_sum(&l, "paths", "allocator=vmalloc,frames~0x1 <- 0x2 <- *- 0x1f <- 0x20,depth=32",
		   1, PAGE);
	assert_int_equal(count_rows(trace_of(&l), "paths", NULL), 4);
	ledger_free(&l);
}

/* Once tracing is switched on again, the same number is another path. */
static void test_generations(void **state)
{
	const struct step steps[] = {
		CLOCK(1, 0, 0),
		CLOCK(1, 1, 0),
		STACK(10, 0, 7, SITE_A),
		ALLOC_WHO(20, 1, KMALLOC, SITE_A, 0x1000, 64, 0, 7),
		CLOCK(LATER, 0, 0),
		CLOCK(LATER + 1, 1, 0),
		STACK(LATER + 10, 0, 7, SITE_B),
		ALLOC_WHO(LATER + 20, 1, KMALLOC, SITE_A, 0x2000, 64, 0, 7),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_sum(&l, "paths", "allocator=slab,frames=0xa00,depth=1", 1, 64);
	assert_sum(&l, "paths", "allocator=slab,frames=0xb00,depth=1", 1, 64);
	assert_int_equal(count_rows(trace_of(&l), "paths", NULL), 2);
	ledger_free(&l);
}

/* A task holds for the events that follow in the stream of its CPU. */
static void test_tasks(void **state)
{
	const struct step steps[] = {
		ALLOC_WHO(5, 0, KMALLOC, SITE_A, 0x1000, 8, 0, 0),
		TASK(10, 0, 100, 100, 1, SH),
		TASK(10, 1, 200, 200, 1, SH),
		ALLOC_WHO(20, 0, KMALLOC, SITE_A, 0x2000, 8, 0, 0),
		ALLOC_WHO(20, 1, KMALLOC, SITE_A, 0x3000, 8, 0, 0),
		ALLOC_WHO(30, 1, KMALLOC, SITE_A, 0x4000, 8, 0, IN_SOFTIRQ),
		/* It has another name; it is another one with its number; it is back. */
		TASK(40, 0, 100, 100, 1, VI),
		ALLOC_WHO(50, 0, KMALLOC, SITE_A, 0x5000, 8, 0, 0),
		TASK(60, 0, 100, 100, 2, SH),
		ALLOC_WHO(70, 0, KMALLOC, SITE_A, 0x6000, 8, 0, 0),
		TASK(80, 0, 200, 200, 1, SH),
		ALLOC_WHO(90, 0, KMALLOC, SITE_A, 0x7000, 8, 0, 0),
		/* A free has no task. */
		FREE(95, 0, KMALLOC, SITE_B, 0x5000),
		/* An event without who. */
		ALLOC(97, 0, KMALLOC, SITE_A, 0x8000, 8, 8),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(count_rows(trace_of(&l), "tasks", "context=task"), 4);
	assert_sum(&l, "tasks", "allocator=slab,pid=100", 3, 16);
	assert_sum(&l, "tasks", "allocator=slab,pid=200", 2, 16);
	assert_sum(&l, "tasks", "allocator=slab,context=softirq", 1, 8);
	ledger_free(&l);
}

/* Records that no kernel writes. */
static void test_impossible(void **state)
{
	const struct step steps[] = {
		STACK(10, 0, 0, SITE_A),
		STACK(10, 0, UINT64_C(1) << 32, SITE_A),
		{ .time = 10, .event = KMEMTRACE_EVENT_STACK, .site = 1 },
		{ .time = 10, .event = KMEMTRACE_EVENT_STACK, .site = 1, .node = -1, .word = 1 },
		{ .time = 10, .event = KMEMTRACE_EVENT_STACK, .site = 1, .node = 33, .word = 1 },
		{ .time = 10, .event = KMEMTRACE_EVENT_STACK, .site = 1, .node = 2, .word = 1 },
		TASK(10, 0, -1, 1, 1, SH),
		TASK(10, 0, 1, UINT64_C(1) << 32, 1, SH),
		{ .time = 10, .event = KMEMTRACE_EVENT_TASK, .node = 1, .site = 1, .word = 1 },
		CGROUP(10, THERE, 0, 1, A),
		{ .time = 10, .event = KMEMTRACE_EVENT_CGROUP, .type = 4, .site = 1 },
		CHARGE(10, 0, KMALLOC, 0, 0x1000, 0),
		CHARGE(10, 0, KMALLOC, 1, 0, 0),
		CHARGE(10, 0, PAGES, 1, 0x1000, 0),
		CHARGE(10, 0, PAGES, 1, 0x1001, PAGE),
		CHARGE(10, 0, PAGES, 1, 0x1000, PAGE + 1),
		CHARGE(10, 0, PAGES, 1, -PAGE, 2 * PAGE),
		CHARGE(10, 0, PAGES, 1, PAGE, UINT64_C(1) << 62),
		{ .time = 10, .event = KMEMTRACE_EVENT_CHARGE, .type = 5, .site = 1, .ptr = 8 },
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=impossible"),
			 sizeof(steps) / sizeof(*steps));
	/* The relations have no path, task or cgroup without memory. */
	assert_int_equal(l.who.nr_paths, 1);
	assert_int_equal(l.who.nr_tasks, NR_NO_TASKS);
	assert_int_equal(l.who.nr_cgroups, 1);
	ledger_free(&l);
}

/* An object is charged before its allocation, after it, or again. */
static void test_charged_objects(void **state)
{
	const struct step steps[] = {
		CHARGE(10, 0, KMALLOC, 1, 0x1000, 0),
		ALLOC(20, 0, KMALLOC, SITE_A, 0x1000, 64, 64),
		ALLOC(30, 0, KMALLOC, SITE_A, 0x2000, 64, 64),
		CHARGE(40, 0, KMALLOC, 1, 0x2000, 0),
		CHARGE(50, 0, KMALLOC, 2, 0x1000, 0),
		/* Its next life is not charged. */
		FREE(60, 1, KMALLOC, SITE_B, 0x2000),
		ALLOC(70, 0, KMALLOC, SITE_A, 0x2000, 64, 64),
		/* A charge of memory of another allocator. */
		CHARGE(80, 0, VMALLOC, 3, 0x3000, 0),
		ALLOC(90, 0, KMALLOC, SITE_A, 0x3000, 64, 64),
		ALLOC(100, 0, VMALLOC, SITE_A, 0x3000, PAGE, PAGE),
		/* A charge without an allocation, and one of freed memory. */
		CHARGE(110, 0, KMALLOC, 4, 0x4000, 0),
		FREE(120, 0, KMALLOC, SITE_B, 0x3000),
		CHARGE(130, 0, KMALLOC, 4, 0x3000, 0),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_sum(&l, "cgroups", "allocator=slab,cgroup_id=1", 1, 0);
	assert_sum(&l, "cgroups", "allocator=slab,cgroup_id=2", 1, 64);
	assert_sum(&l, "cgroups", "allocator=slab,cgroup_id=4", 0, 0);
	assert_sum(&l, "cgroups", "allocator=vmalloc,cgroup_id=3", 1, PAGE);
	assert_sum(&l, "totals", "allocator=slab", 4, 128);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 128);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "allocs"), 4);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "frees"), 2);
	ledger_free(&l);
}

/* What no recent event has is charged when it is freed, or at the end. */
static void test_charged_later(void **state)
{
	enum { NR = 20000 };
	struct step *steps = calloc(NR + 3, sizeof(*steps));
	struct ledger l;
	size_t i;

	(void)state;
	assert_non_null(steps);
	for (i = 0; i < NR; i++)
		steps[i] = (struct step)ALLOC(10 + i, 0, KMALLOC, SITE_A, 64 + 64 * i, 64, 64);
	steps[NR] = (struct step)CHARGE(NR + 10, 0, KMALLOC, 1, 64, 0);
	steps[NR + 1] = (struct step)CHARGE(NR + 11, 0, KMALLOC, 1, 128, 0);
	steps[NR + 2] = (struct step)FREE(NR + 12, 0, KMALLOC, SITE_B, 64);
	run(&l, steps, NR + 3);
	assert_int_equal(nr_findings(&l), 0);
	assert_sum(&l, "cgroups", "allocator=slab,cgroup_id=1", 2, 64);
	assert_int_equal(sum_where(trace_of(&l), "cgroups", "frees",
				   "allocator=slab,cgroup_id=1"), 1);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 64 * (NR - 1));
	ledger_free(&l);
	free(steps);
}

/* Each of many pending charges is found, whichever of them the allocations took before. */
static void test_charged_together(void **state)
{
	enum { NR = 100 };
	struct step steps[3 * NR];
	struct ledger l;
	size_t i;

	(void)state;
	for (i = 0; i < NR; i++) {
		steps[i] = (struct step)CHARGE(10 + i, 0, KMALLOC, 1, 64 + 64 * i, 0);
		steps[NR + i] = (struct step)ALLOC(10 + NR + i, 0, KMALLOC, SITE_A, 64 + 64 * i,
						   64, 64);
		steps[2 * NR + i] = (struct step)FREE(10 + 2 * NR + i, 0, KMALLOC, SITE_B,
						      64 + 64 * i);
	}
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_sum(&l, "cgroups", "allocator=slab,cgroup_id=1", NR, 0);
	ledger_free(&l);
}

/* Pages are charged as a block, or in part. */
static void test_charged_pages(void **state)
{
	const uint64_t bytes = UINT64_C(2) << 20, huge = 7 * bytes;
	const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_A, 0x100000, 4 * PAGE, 4 * PAGE),
		CHARGE(20, 0, PAGES, 1, 0x100000, 4 * PAGE),
		FREE_PAGES(30, 1, SITE_B, 0x101000, PAGE),
		/* Before the allocation. */
		CHARGE(40, 0, PAGES, 2, 0x200000, PAGE),
		ALLOC(50, 0, PAGES, SITE_A, 0x200000, PAGE, PAGE),
		/* A part; a part of it to another one. */
		ALLOC(60, 0, PAGES, SITE_A, 0x300000, 4 * PAGE, 4 * PAGE),
		CHARGE(70, 0, PAGES, 3, 0x301000, 2 * PAGE),
		CHARGE(80, 0, PAGES, 4, 0x302000, PAGE),
		/* A huge page, in many shards. */
		ALLOC(90, 0, PAGES, SITE_A, huge, bytes, bytes),
		CHARGE(100, 0, PAGES, 5, huge, bytes),
		/* Pages that nobody has. */
		CHARGE(110, 0, PAGES, 6, 0x900000, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_sum(&l, "cgroups", "allocator=pages,cgroup_id=1", 1, 3 * PAGE);
	assert_sum(&l, "cgroups", "allocator=pages,cgroup_id=2", 1, PAGE);
	assert_sum(&l, "cgroups", "allocator=pages,cgroup_id=3", 0, PAGE);
	assert_sum(&l, "cgroups", "allocator=pages,cgroup_id=4", 0, PAGE);
	assert_sum(&l, "cgroups", "allocator=pages,cgroup_id=5", 1, bytes);
	assert_sum(&l, "cgroups", "allocator=pages,cgroup_id=6", 0, 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), bytes + 8 * PAGE);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "allocs"), 4);
	assert_peak(&l, SPACE_PAGES, 90, bytes + 8 * PAGE);
	ledger_free(&l);
}

/* An allocation that waits for the free of another CPU is charged, too. */
static void test_charged_while_it_waits(void **state)
{
	const struct step steps[] = {
		ALLOC(10, 0, KMALLOC, SITE_A, 0x1000, 64, 64),
		ALLOC(20, 1, KMALLOC, SITE_B, 0x1000, 64, 64),
		CHARGE(21, 1, KMALLOC, 1, 0x1000, 0),
		FREE(22, 0, KMALLOC, SITE_C, 0x1000),
	};
	struct ledger l;

	(void)state;
	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 2), 0);
	go_on(&l, steps, sizeof(steps) / sizeof(*steps));
	assert_int_equal(nr_findings(&l), 0);
	assert_sum(&l, "cgroups", "allocator=slab,cgroup_id=1", 1, 64);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "frees"), 1);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_B, "live_bytes"), 64);
	ledger_free(&l);
}

static void test_cgroups(void **state)
{
	const struct step steps[] = {
		ALLOC(5, 0, KMALLOC, SITE_A, 0x1000, 64, 64),
		CHARGE(6, 0, KMALLOC, 9, 0x1000, 0),
		CGROUP(10, THERE, 9, 1, A),
		CGROUP(20, REMOVED, 9, 1, A),
		CGROUP(30, CREATED, 10, 1, A),
		ALLOC(31, 0, KMALLOC, SITE_A, 0x2000, 64, 64),
		CHARGE(32, 0, KMALLOC, 10, 0x2000, 0),
		FREE(33, 0, KMALLOC, SITE_B, 0x2000),
		CGROUP(40, RELEASED, 10, 1, 0),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_sum(&l, "cgroups",
		   "cgroup_id=9,cgroup=/a,is_removed=true,is_released=false,removed_ns=20", 1, 64);
	assert_sum(&l, "cgroups", "cgroup_id=10,cgroup=/a,is_removed=true,is_released=true", 1, 0);
	assert_int_equal(count_rows(trace_of(&l), "cgroups", "cgroup_id>0"), 2);
	ledger_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_generations),
		cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_impossible),
		cmocka_unit_test(test_charged_objects),
		cmocka_unit_test(test_charged_later),
		cmocka_unit_test(test_charged_together),
		cmocka_unit_test(test_charged_pages),
		cmocka_unit_test(test_charged_while_it_waits),
		cmocka_unit_test(test_cgroups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
