// SPDX-License-Identifier: GPL-2.0
/*
 * The memory of the ledger follows the live objects, not the length of the trace.
 */
#include "test.h"

#include "ledger-steps.h"
#include "test-files.h"

/* Allocate and free at ever new addresses, every @step nanoseconds. */
static void check_memory(int64_t step)
{
	enum { NR = 1000000, LIVE = 1000, SPACING = 256 };
	struct kmemtrace_event ev = {
		.event_size = 56,
		.node = -1,
		.call_site = SITE_A,
		.bytes_alloc = 8,
	};
	struct batch *b = calloc(1, sizeof(*b));
	size_t live = 0, room = 0;
	struct ledger l;
	int64_t i;

	assert_non_null(b);
	batch_clear(b);
	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 1), 0);
	for (i = 1; i <= NR; i++) {
		ev.timestamp = i * step;
		ev.event_id = KMEMTRACE_EVENT_ALLOC;
		ev.ptr = i * SPACING;
		ev.bytes_req = 8;
		add_event(&l, b, &ev);
		if (i <= LIVE)
			continue;
		ev.event_id = KMEMTRACE_EVENT_FREE;
		ev.ptr = (i - LIVE) * SPACING;
		ev.bytes_req = 0;
		add_event(&l, b, &ev);
	}
	flush(&l, b);
	free(b);
	assert_int_equal(nr_findings(&l), 0);
	for (i = 0; i < NR_SHARDS; i++) {
		live += l.shards[i].objects[SPACE_SLAB].live;
		room += l.shards[i].objects[SPACE_SLAB].nr_entries;
	}
	assert_int_equal(live, LIVE);
	/* The table may take 16 MB, even for few live objects. */
	assert_true(room * sizeof(struct object) <= 16 << 20);
	ledger_free(&l);
}

/* Many objects, of which few are live at a time. */
static void test_memory_follows_live(void **state)
{
	(void)state;
	check_memory(1);
	/* Early in a boot, a clock may stand still. */
	check_memory(0);
}

/* An allocator with few objects has a small table. */
static void test_memory_of_few(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, PERCPU, SITE_A, 0x1000, 8, 8),
		ALLOC(11, 0, VMALLOC, SITE_A, 0x100000, PAGE, PAGE),
	};
	size_t room = 0;
	struct ledger l;
	int i;

	(void)state;
	RUN(&l, steps);
	for (i = 0; i < NR_SHARDS; i++)
		room += l.shards[i].objects[SPACE_PERCPU].nr_entries +
			l.shards[i].objects[SPACE_VMALLOC].nr_entries;
	assert_true(room && room * sizeof(struct object) <= 32 << 10);
	ledger_free(&l);
}

/* Many pages at ever new addresses, of which few are live at a time. */
static void test_memory_of_pages(void **state)
{
	enum { NR = 300000, LIVE = 100, CHUNK = PAGE * CHUNK_FRAMES };
	struct kmemtrace_event ev = {
		.event_size = 56,
		.type_id = KMEMTRACE_TYPE_PAGES,
		.call_site = SITE_A,
		.bytes_alloc = PAGE,
	};
	struct batch *b = calloc(1, sizeof(*b));
	size_t used = 0;
	struct ledger l;
	int64_t i;

	(void)state;
	assert_non_null(b);
	batch_clear(b);
	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 1), 0);
	for (i = 1; i <= NR; i++) {
		ev.timestamp = i;
		ev.event_id = KMEMTRACE_EVENT_ALLOC;
		ev.ptr = i * CHUNK;
		ev.bytes_req = PAGE;
		add_event(&l, b, &ev);
		if (i <= LIVE)
			continue;
		ev.event_id = KMEMTRACE_EVENT_FREE;
		ev.ptr = (i - LIVE) * CHUNK;
		ev.bytes_req = 0;
		add_event(&l, b, &ev);
	}
	flush(&l, b);
	free(b);
	ledger_end(&l, NR);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), LIVE * PAGE);
	for (i = 0; i < NR_SHARDS; i++)
		used += l.shards[i].frames.used;
	/* Frames may take 3 MB, even if few are live. */
	assert_true(used * CHUNK_FRAMES * sizeof(struct slot) <= 3 << 20);
	ledger_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_follows_live),
		cmocka_unit_test(test_memory_of_few),
		cmocka_unit_test(test_memory_of_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
