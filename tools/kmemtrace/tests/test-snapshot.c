// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that is older than the trace, as the snapshot shows it.
 */
#include "test.h"

#include "ledger-steps.h"
#include "test-files.h"

/* The snapshot shows objects in quarantine as live, though they were freed long before. */
static void test_freed_before_snapshot(void **state)
{
	enum { NR = 100000, SIZE = 64 };
	struct step *steps = calloc(NR + 3, sizeof(*steps));
	struct ledger l;
	size_t i;

	(void)state;
	assert_non_null(steps);
	steps[0] = (struct step){ .event = KMEMTRACE_EVENT_CLOCK };
	for (i = 1; i <= NR; i++)
		steps[i] = (struct step)FREE(i, 0, KMALLOC, SITE_A,
					     0x100000 + i * SIZE);
	steps[NR + 1] = (struct step)SLAB(NR + 1, 0xc1000, 0x100000 + SIZE,
					  SIZE, 2, 3);
	steps[NR + 2] = (struct step)END(NR + 2, 0);
	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 2), 0);
	go_on(&l, steps, NR + 3);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	ledger_free(&l);
	free(steps);
}

/* A pending free is older than the snapshot record of the same CPU: the memory is free. */
static void test_snapshot_of_what_waits(void **state)
{
	static const struct step steps[] = {
		FREE(100, 0, KMALLOC, SITE_B, 0x1000),
		FREE_PAGES(110, 0, SITE_B, 0x8000, PAGE),
		SLAB(200, 0xcafe, 0x1000, 64, 1, 1),
		FRAMES(210, LIVE, 0x8000, 2 * PAGE),
		END(LATER, 0),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), PAGE);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "freed_during"), 1);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "freed_during"), 1);
	ledger_free(&l);
}

static void test_older_is_live_but_not_allocated(void **state)
{
	static const struct step steps[] = {
		SLAB(10, 0xcafe, 0x1000, 64, 3, 5),
		WAS(10, VMALLOC, SITE_A, 0x9000, PAGE),
		WAS(10, PERCPU, 0, 0x40, 16),
		FRAMES(10, LIVE, 0x1000, 2 * PAGE),
		END(20, 0),
		FREE(30, 1, KMALLOC, SITE_B, 0x1000),
		FREE(40, 0, VMALLOC, SITE_B, 0x9000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "allocs"), 0);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "frees"), 1);
	/* The CPU that allocated it is unknown: its free is not remote. */
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "remote_frees"), 0);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "older_bytes"), 64);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 64);
	assert_int_equal(live_bytes(&l, SPACE_PERCPU), 16);
	assert_int_equal(live_bytes(&l, SPACE_VMALLOC), 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 2 * PAGE);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_SNAPSHOT, "live"), 1);
	assert_int_equal(figure_at_site(&l, SPACE_VMALLOC, SITE_A, "frees"), 1);
	assert_true(value_in(&l, "baseline", "complete"));
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "begin_live"), 2);
	assert_int_equal(figure_of(trace_of(&l), SPACE_VMALLOC, "begin_bytes"), PAGE);
	ledger_free(&l);
}

/* A free is recorded before the memory is released: the snapshot may still show it. */
static void test_release_under_way(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, KMALLOC, SITE_A, 0x1000, 64, 64),
		FREE(20, 0, KMALLOC, SITE_B, 0x1000),
		FREE(30, 0, KMALLOC, SITE_B, 0x1040),
		FREE_PAGES(40, 0, SITE_B, 0x8000, PAGE),
		SLAB(LATER, 0xcafe, 0x1000, 64, 2, 3),
		FRAMES(LATER, LIVE, 0x8000, PAGE),
		END(2 * LATER, 0),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 0);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "freed_during"), 1);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "freed_during"), 1);
	ledger_free(&l);
}

/* An allocation is recorded after it: the snapshot may show it before. */
static void test_allocation_under_way(void **state)
{
	static const struct step steps[] = {
		SLAB(10, 0xcafe, 0x1000, 64, 1, 1),
		FRAMES(10, LIVE, 0x8000, 2 * PAGE),
		WAS(10, PERCPU, 0, 0x40, 16),
		ALLOC(LATER, 0, KMALLOC, SITE_A, 0x1000, 50, 64),
		ALLOC(LATER, 0, PAGES, SITE_A, 0x8000, 2 * PAGE, 2 * PAGE),
		ALLOC(LATER, 0, PERCPU, SITE_A, 0x40, 16, 16),
		END(2 * LATER, 0),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "baseline", "in_transit"), 3);
	assert_true(figure_of(trace_of(&l), SPACE_SLAB, "is_begin_known"));
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "older_live"), 0);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "older_live"), 0);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "live_bytes_req"), 50);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 2 * PAGE);
	assert_int_equal(live_bytes(&l, SPACE_PERCPU), 16);
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "begin_live"), 0);
	ledger_free(&l);
}

/* It explains one allocation only: the second one is a finding. */
static void test_allocation_under_way_once(void **state)
{
	static const struct step steps[] = {
		SLAB(10, 0xcafe, 0x1000, 64, 1, 1),
		ALLOC(LATER, 0, KMALLOC, SITE_A, 0x1000, 64, 64),
		ALLOC(2 * LATER, 0, KMALLOC, SITE_B, 0x1000, 64, 64),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_ALLOC_TWICE, SPACE_SLAB, SITE_A, SITE_B);
	ledger_free(&l);
}

/* A free of another CPU, whose clock differs, explains it better. */
static void test_older_is_freed_first(void **state)
{
	static const struct step steps[] = {
		SLAB(10, 0xcafe, 0x1000, 64, 1, 1),
		END(20, 0),
		ALLOC(LATER, 0, KMALLOC, SITE_A, 0x1000, 64, 64),
		FREE(LATER + 50, 1, KMALLOC, SITE_B, 0x1000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "trace", "reordered"), 1);
	assert_int_equal(value_in(&l, "baseline", "in_transit"), 0);
	assert_int_equal(figure_at_site(&l, SPACE_SLAB, SITE_A, "live"), 1);
	ledger_free(&l);
}

static void test_known_free_frames(void **state)
{
	static const struct step good[] = {
		FRAMES(10, FREE, 0x10000, 4 * PAGE),
		END(20, 0),
		ALLOC(LATER, 0, PAGES, SITE_A, 0x11000, PAGE, PAGE),
		FREE_PAGES(LATER, 0, SITE_B, 0x11000, PAGE),
	};
	static const struct step bad[] = {
		FRAMES(10, FREE, 0x10000, 4 * PAGE),
		END(20, 0),
		FREE_PAGES(LATER, 0, SITE_B, 0x11000, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, good);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 0);
	ledger_free(&l);
	RUN(&l, bad);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=free_twice"), 1);
	assert_int_equal(nr_findings(&l), 1);
	ledger_free(&l);
}

/* Reserved frames are freed to the allocator, which never allocated them. */
static void test_reserved_frames(void **state)
{
	static const struct step steps[] = {
		FRAMES(10, RESERVED, 0x10000, 4 * PAGE),
		END(20, 0),
		FREE_PAGES(LATER, 0, SITE_B, 0x10000, 2 * PAGE),
		ALLOC(LATER, 0, PAGES, SITE_A, 0x11000, PAGE, PAGE),
		ALLOC(LATER, 0, PAGES, SITE_A, 0x12000, PAGE, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_ALLOC_TWICE, SPACE_PAGES, SITE_RESERVED, SITE_A);
	assert_int_equal(value_in(&l, "baseline", "reserved"), 1);
	assert_int_equal(value_in(&l, "baseline", "reserved_freed"), 2);
	assert_int_equal(value_in(&l, "baseline", "in_transit"), 0);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "frees"), 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 2 * PAGE);
	ledger_free(&l);
}

/*
 * A driver marks a page that it allocated as reserved, and removes the mark before it frees
 * the page, while the snapshot reads that.
 */
static void test_found_reserved(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_A, 0x10000, PAGE, PAGE),
		FREE_PAGES(20, 0, SITE_B, 0x11000, PAGE),
		FOUND(30, RESERVED, 0x10000, 3 * PAGE),
		END(40, 0),
		ALLOC(LATER, 0, PAGES, SITE_A, 0x11000, PAGE, PAGE),
		FREE_PAGES(2 * LATER, 0, SITE_B, 0x10000, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "baseline", "reserved"), 1);
	assert_int_equal(value_in(&l, "baseline", "reserved_freed"), 0);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "frees"), 1);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), PAGE);
	ledger_free(&l);
}

/* Unplugging memory records no event; when it is plugged in, its frames are freed again. */
static void test_memory_is_plugged_in(void **state)
{
	static const struct step steps[] = {
		END(20, 0),
		ALLOC(30, 0, PAGES, SITE_A, 0x10000, PAGE, PAGE),
		ALLOC(40, 0, PAGES, SITE_A, 0x11000, PAGE, PAGE),
		FREE_PAGES(50, 0, SITE_B, 0x11000, PAGE),
		FRAMES(LATER, RESERVED, 0x10000, 4 * PAGE),
		FREE_PAGES(2 * LATER, 0, SITE_C, 0x10000, 4 * PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "baseline", "reserved_freed"), 4);
	assert_int_equal(value_in(&l, "baseline", "reserved"), 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 0);
	ledger_free(&l);
}

/* One record shows many frames; an event changes one of them. */
static void test_many_frames(void **state)
{
	static const struct step steps[] = {
		ALLOC(5, 0, PAGES, SITE_A, 0x120000, PAGE, PAGE),
		FRAMES(10, LIVE, 0x33000, 1000 * PAGE),
		FREE_PAGES(20, 0, SITE_B, 0x200000, PAGE),
		FREE_PAGES(LATER, 0, SITE_C, 0x200000, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_FREE_TWICE, SPACE_PAGES, SITE_B, SITE_C);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 999 * PAGE);
	assert_int_equal(figure_at_site(&l, SPACE_PAGES, SITE_SNAPSHOT, "live"), 998);
	ledger_free(&l);
}

/* Later records of the same frames take no more memory. */
static void test_many_frames_again(void **state)
{
	enum { CHUNKS = 4, CHUNK = PAGE * CHUNK_FRAMES };
	static const struct step steps[] = {
		FRAMES(10, LIVE, CHUNK, CHUNKS * CHUNK),
		FRAMES(11, FREE, CHUNK, CHUNKS * CHUNK),
		FRAMES(12, RESERVED, CHUNK, 3 * CHUNK),
		FRAMES(13, OWN, CHUNK, CHUNK),
		FRAMES(14, LIVE, CHUNK, CHUNKS * CHUNK),
	};
	struct ledger l;
	uint64_t i;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(value_in(&l, "trace", "own_pages"), CHUNK_FRAMES);
	assert_int_equal(value_in(&l, "baseline", "reserved"), 2 * CHUNK_FRAMES);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), CHUNK);
	assert_int_equal(nr_findings(&l), 0);
	for (i = 1; i <= CHUNKS; i++) {
		unsigned int shard = ledger_shard_of(&l, i * CHUNK);

		assert_int_equal(l.shards[shard].frames.used, 0);
	}
	ledger_free(&l);
}

/* kmemtrace's own frames are in no other sum, in any order of the records. */
static void test_own_frames(void **state)
{
	static const struct step steps[] = {
		FRAMES(10, LIVE, 0x1000, 3 * PAGE),
		FRAMES(11, OWN, 0x1000, 2 * PAGE),
		FRAMES(12, OWN, 0x8000, PAGE),
		FRAMES(13, LIVE, 0x8000, PAGE),
		ALLOC(20, 0, PAGES, SITE_A, 0x9000, PAGE, PAGE),
		FRAMES(21, OWN, 0x9000, PAGE),
		FRAMES(22, OWN, 0x9000, PAGE),
		FREE_PAGES(30, 0, SITE_A, 0x8000, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(value_in(&l, "trace", "own_pages"), 3);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), PAGE);
	assert_int_equal(nr_findings(&l), 0);
	ledger_free(&l);
}

static void test_snapshot_impossible(void **state)
{
	static const struct step steps[] = {
		SLAB(10, 0xcafe, 0, 64, 1, 1),
		SLAB(10, 0xcafe, 0x1000, 0, 1, 1),
		SLAB(10, 0xcafe, 0x1000, 64, 0, 1),
		SLAB(10, 0xcafe, 0x1000, 64, 65, 1),
		SLAB(10, 0xcafe, 0x1000, UINT64_C(1) << 62, 8, 1),
		SLAB(10, 0xcafe, UINT64_MAX - 63, 64, 2, 3),
		FRAMES(10, LIVE, 0x1000, 0),
		FRAMES(10, LIVE, 0x1000, PAGE + 1),
		FRAMES(10, LIVE, 0x1001, PAGE),
		FRAMES(10, LIVE, 0x1000, UINT64_C(1) << 60),
		FRAMES(10, OWN + 1, 0x1000, PAGE),
		WAS(10, PERCPU, 0, 0, 16),
		WAS(10, VMALLOC, SITE_A, 0x1000, 0),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=impossible"), 13);
	assert_int_equal(nr_findings(&l), 13);
	assert_int_equal(value_in(&l, "trace", "caches"), 0);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 0);
	ledger_free(&l);
}

/* A snapshot without an end may be incomplete. */
static void test_unknown_without_end(void **state)
{
	static const struct step steps[] = {
		SLAB(10, 0xcafe, 0x1000, 64, 1, 1),
		FREE(LATER, 0, KMALLOC, SITE_B, 0x2000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_FREE_UNKNOWN, SPACE_SLAB, 0, SITE_B);
	ledger_free(&l);
}

static void test_unknown_after_end(void **state)
{
	static const struct step steps[] = {
		END(10, 0),
		FREE(LATER, 0, KMALLOC, SITE_B, 0x2008),
	};
	static const struct step others[] = {
		END(10, 0),
		FREE(LATER, 0, PERCPU, SITE_B, 0x2000),
		FREE(LATER, 0, VMALLOC, SITE_B, 0x2000),
		FREE_PAGES(LATER, 0, SITE_B, 0x2000, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_FREE_UNEXPLAINED, SPACE_SLAB, 0, SITE_B);
	ledger_free(&l);
	RUN(&l, others);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=free_unexplained"), 3);
	ledger_free(&l);
}

/* The snapshot has its pages, but no slab with it. */
static void test_older_large_kmalloc(void **state)
{
	static const struct step steps[] = {
		SLAB(10, 0xcafe, 0x4000, 64, 2, 2),
		FRAMES(10, LIVE, 0x1000, 4 * PAGE),
		END(20, 0),
		FREE(LATER, 0, KMALLOC, SITE_B, 0x1000),
		FREE_PAGES(LATER, 0, SITE_B, 0x1000, 2 * PAGE),
		/* Not at the start of a page; in a slab; by another API; in unknown pages. */
		FREE(LATER, 0, KMALLOC, SITE_C, 0x3008),
		FREE(LATER, 0, KMALLOC, SITE_C, 0x4000),
		FREE(LATER, 0, CACHE, SITE_C, 0x3000),
		FREE(LATER, 0, KMALLOC, SITE_C, 0x9000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(value_in(&l, "baseline", "large_kmalloc"), 1);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=free_unexplained"), 4);
	assert_int_equal(nr_findings(&l), 4);
	ledger_free(&l);
}

/* The snapshot could not read one slab: it explains frees in eight pages. */
static void test_unsure_explains_so_much(void **state)
{
	struct step steps[12] = {
		FRAMES(10, LIVE, 0x10000, 16 * PAGE),
		END(20, 1),
	};
	struct ledger l;
	unsigned int i;

	(void)state;
	for (i = 0; i < 10; i++)
		steps[2 + i] = (struct step)
			FREE(LATER + i, 0, CACHE, SITE_B, 0x10008 + i * PAGE);
	/* A second object in the first page needs no further page. */
	steps[11].ptr = 0x10010;
	RUN(&l, steps);
	assert_int_equal(value_in(&l, "baseline", "unsure_freed"), 9);
	assert_finding(&l, FINDING_FREE_UNEXPLAINED, SPACE_SLAB, 0, SITE_B);
	ledger_free(&l);
}

/* SLOB could not list the objects of two pages. */
static void test_unlisted_explains(void **state)
{
	struct step steps[] = {
		FRAMES(10, LIVE, 0x10000, 16 * PAGE),
		END(20, 0),
		FREE(LATER, 0, CACHE, SITE_B, 0x10008),
		FREE(LATER + 1, 0, KMALLOC, SITE_B, 0x10008 + PAGE),
		/* The object was the last one in its page. */
		FREE_PAGES(LATER + 2, 1, SITE_B, 0x11000, PAGE),
	};
	struct ledger l;

	(void)state;
	steps[1].ptr = 2;
	RUN(&l, steps);
	assert_int_equal(value_in(&l, "baseline", "unlisted"), 2);
	assert_int_equal(value_in(&l, "baseline", "unsure_freed"), 2);
	assert_int_equal(nr_findings(&l), 0);
	ledger_free(&l);
}

/* A module can't list slab objects: it can't know of older ones, but does of older pages. */
static void test_snapshot_without_objects(void **state)
{
	struct step steps[] = {
		FREE(5, 0, KMALLOC, SITE_A, 0x5000),
		FREE_PAGES(6, 0, SITE_A, 0x20000, PAGE),
		FRAMES(10, LIVE, 0x10000, 2 * PAGE),
		END(20, 0),
		FREE(LATER, 0, CACHE, SITE_B, 0x6000),
		FREE_PAGES(LATER + 1, 0, SITE_B, 0x10000, PAGE),
		FREE_PAGES(LATER + 2, 0, SITE_B, 0x30000, PAGE),
	};
	struct ledger l;

	(void)state;
	steps[3].req = 1 << KMEMTRACE_TYPE_KMALLOC | 1 << KMEMTRACE_TYPE_CACHE;
	RUN(&l, steps);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=free_unknown"), 2);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=free_unexplained"), 1);
	assert_int_equal(nr_findings(&l), 3);
	/* No relation shows it where the snapshot lacks objects. */
	assert_int_equal(l.stats.baseline.freed_during[SPACE_SLAB], 0);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "freed_during"), 1);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "begin_live"), 2);
	assert_int_equal(figure_of(trace_of(&l), SPACE_PAGES, "live"), 1);
	ledger_free(&l);
}

/* Its first records were overwritten before its last one was written. */
static void test_snapshot_is_cut(void **state)
{
	static const char overwritten[] = "reason~the begin of the snapshot was overwritten*";
	struct step steps[] = {
		FRAMES(LATER, LIVE, 0x10000, 2 * PAGE),
		END(2 * LATER, 0),
	};
	struct ledger l;

	(void)state;
	steps[1].gfp = LATER - 1;
	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 2), 0);
	l.is_behind = true;
	l.since = LATER;
	go_on(&l, steps, 2);
	assert_int_equal(count_rows(trace_of(&l), "reasons", overwritten), 1);
	assert_false(value_in(&l, "baseline", "complete"));
	ledger_free(&l);
	steps[1].gfp = LATER;
	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 2), 0);
	l.is_behind = true;
	l.since = LATER;
	go_on(&l, steps, 2);
	assert_int_equal(count_rows(trace_of(&l), "reasons", overwritten), 0);
	assert_true(value_in(&l, "baseline", "complete"));
	ledger_free(&l);
}

/*
 * So many pages are freed that the ledger forgets unused frames. It keeps those of a slab;
 * else a free in it would seem to be that of a large kmalloc().
 */
static void test_slab_is_remembered(void **state)
{
	enum { NR = 20000, CHUNK = PAGE * CHUNK_FRAMES };
	struct step *steps = calloc(2 * NR + 5, sizeof(*steps));
	struct step *s = steps;
	struct ledger l;
	unsigned int i;

	(void)state;
	assert_non_null(steps);
	*s++ = (struct step)SLAB(1, 0xcafe, 0x4000, 64, 2, 2);
	*s++ = (struct step)FREE(2, 0, KMALLOC, SITE_A, 0x4040);
	for (i = 1; i <= NR; i++) {
		*s++ = (struct step)ALLOC(3, 0, PAGES, SITE_A,
					  (uint64_t)i * CHUNK, PAGE, PAGE);
		*s++ = (struct step)FREE_PAGES(3, 0, SITE_A,
					       (uint64_t)i * CHUNK, PAGE);
	}
	*s++ = (struct step)FRAMES(4, LIVE, 0x4000, PAGE);
	*s++ = (struct step)END(5, 0);
	*s++ = (struct step)FREE(LATER, 0, KMALLOC, SITE_B, 0x4000);
	run(&l, steps, s - steps);
	free(steps);
	assert_int_equal(value_in(&l, "baseline", "large_kmalloc"), 0);
	assert_finding(&l, FINDING_FREE_UNEXPLAINED, SPACE_SLAB, 0, SITE_B);
	ledger_free(&l);
}

/* Pages are freed with an object of the snapshot in them. */
static void test_older_object_in_pages(void **state)
{
	static const struct step steps[] = {
		SLAB(10, 0xcafe, 0x10000, 64, 2, 3),
		FRAMES(10, LIVE, 0x10000, PAGE),
		END(20, 0),
		FREE(LATER, 0, KMALLOC, SITE_A, 0x10000),
		FREE_PAGES(LATER, 0, SITE_B, 0x10000, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=free_in_use"), 1);
	assert_int_equal(sum_where(trace_of(&l), "findings", "object", "class=free_in_use"),
			 0x10040);
	assert_true(figure_of(trace_of(&l), SPACE_SLAB, "is_begin_known"));
	assert_int_equal(figure_of(trace_of(&l), SPACE_SLAB, "older_live"), 0);
	ledger_free(&l);
}

/* The API of the allocation is unknown. */
static void test_any_api_frees_what_is_older(void **state)
{
	static const struct step steps[] = {
		SLAB(10, 0xcafe, 0x1000, 64, 2, 3),
		FREE(20, 0, KMALLOC, SITE_B, 0x1000),
		FREE(20, 0, CACHE, SITE_B, 0x1040),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	ledger_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_freed_before_snapshot),
		cmocka_unit_test(test_snapshot_of_what_waits),
		cmocka_unit_test(test_older_is_live_but_not_allocated),
		cmocka_unit_test(test_release_under_way),
		cmocka_unit_test(test_allocation_under_way),
		cmocka_unit_test(test_allocation_under_way_once),
		cmocka_unit_test(test_older_is_freed_first),
		cmocka_unit_test(test_known_free_frames),
		cmocka_unit_test(test_reserved_frames),
		cmocka_unit_test(test_found_reserved),
		cmocka_unit_test(test_memory_is_plugged_in),
		cmocka_unit_test(test_many_frames),
		cmocka_unit_test(test_many_frames_again),
		cmocka_unit_test(test_own_frames),
		cmocka_unit_test(test_snapshot_impossible),
		cmocka_unit_test(test_unknown_without_end),
		cmocka_unit_test(test_unknown_after_end),
		cmocka_unit_test(test_older_large_kmalloc),
		cmocka_unit_test(test_unsure_explains_so_much),
		cmocka_unit_test(test_unlisted_explains),
		cmocka_unit_test(test_snapshot_without_objects),
		cmocka_unit_test(test_snapshot_is_cut),
		cmocka_unit_test(test_slab_is_remembered),
		cmocka_unit_test(test_older_object_in_pages),
		cmocka_unit_test(test_any_api_frees_what_is_older),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
