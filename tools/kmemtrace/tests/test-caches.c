// SPDX-License-Identifier: GPL-2.0
/*
 * Slab caches: their names, their addresses, their end.
 */
#include "test.h"

#include <inttypes.h>

#include "ledger-steps.h"
#include "test-files.h"

#define ADDR	0xc0c0

static uint64_t cache_live(const struct ledger *l, uint32_t cache)
{
	return sum_where(trace_of(l), "caches", "live", "cache_id=%" PRIu32, cache);
}

/* Return the open relation of slab caches, at the row of one. */
static struct kmemtrace_relation *open_cache(const struct ledger *l, uint32_t cache)
{
	struct kmemtrace_relation *rows = open_rows(trace_of(l), "caches", NULL);

	do
		assert_true(kmemtrace_relation_next(rows));
	while (number_in(rows, "cache_id") != cache);
	return rows;
}

static void assert_cache(const struct ledger *l, uint32_t cache, const char *name,
			 const char *merged)
{
	struct kmemtrace_relation *rows = open_cache(l, cache);

	assert_string_equal(text_in(rows, "cache"), name);
	if (merged)
		assert_string_equal(text_in(rows, "merged"), merged);
	else
		assert_int_equal(number_in(rows, "merged_caches"), 0);
	kmemtrace_relation_close(rows);
}

static void test_cache_address_used_again(void **state)
{
	static const struct step steps[] = {
		CACHE(10, THERE, 1, ADDR, 64, "one"),
		ALLOC_FROM(20, 0, CACHE, SITE_A, 0x1000, 64, ADDR),
		FREE(30, 0, CACHE, SITE_A, 0x1000),
		CACHE(40, DESTROYED, 0, ADDR, 64, "one"),
		CACHE(50, CREATED, 1, ADDR, 32, "two"),
		ALLOC_FROM(60, 0, CACHE, SITE_A, 0x2000, 32, ADDR),
		/* The record of its destruction was lost. */
		CACHE(70, CREATED, 1, ADDR, 16, "three"),
		ALLOC_FROM(80, 0, CACHE, SITE_A, 0x3000, 16, ADDR),
	};
	struct kmemtrace_relation *rows;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(value_in(&l, "trace", "caches"), 3);
	assert_cache(&l, 1, "one", NULL);
	assert_cache(&l, 2, "two", NULL);
	assert_cache(&l, 3, "three", NULL);
	rows = open_cache(&l, 1);
	assert_false(has_in(rows, "created_ns"));
	assert_int_equal(number_in(rows, "destroyed_ns"), 40);
	kmemtrace_relation_close(rows);
	rows = open_cache(&l, 2);
	assert_true(has_in(rows, "created_ns"));
	assert_false(has_in(rows, "destroyed_ns"));
	assert_int_equal(number_in(rows, "object_size"), 32);
	assert_int_equal(number_in(rows, "align"), 8);
	kmemtrace_relation_close(rows);
	assert_int_equal(cache_live(&l, 1), 0);
	assert_int_equal(cache_live(&l, 2), 1);
	assert_int_equal(cache_live(&l, 3), 1);
	ledger_free(&l);
}

/* A large kmalloc() has no cache, even where an object of a cache was before. */
static void test_no_cache(void **state)
{
	static const struct step steps[] = {
		ALLOC_FROM(10, 0, KMALLOC, SITE_A, 0x1000, 64, ADDR),
		ALLOC_FROM(20, 0, KMALLOC, SITE_A, 0x2000, 2 * PAGE, 0),
		ALLOC_FROM(30, 0, KMALLOC, SITE_A, 0x1040, 64, ADDR),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(value_in(&l, "trace", "caches"), 1);
	assert_int_equal(cache_live(&l, NO_CACHE), 1);
	assert_int_equal(cache_live(&l, 1), 2);
	ledger_free(&l);
}

/* A cache at the address of another one is a second name for it. */
static void test_cache_is_merged(void **state)
{
	static const struct step steps[] = {
		/* The snapshot shows it later. */
		CACHE(10, CREATED, 2, ADDR, 64, "alias"),
		CACHE(20, THERE, 2, ADDR, 64, "own"),
		CACHE(30, CREATED, 3, ADDR, 64, "other"),
		CACHE(40, CREATED, 4, ADDR, 64, "other"),
	};
	struct kmemtrace_relation *rows;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(value_in(&l, "trace", "caches"), 1);
	assert_cache(&l, 1, "own", "alias, other");
	rows = open_cache(&l, 1);
	assert_int_equal(number_in(rows, "merged_caches"), 2);
	assert_int_equal(number_in(rows, "users"), 4);
	kmemtrace_relation_close(rows);
	ledger_free(&l);
}

/* The clock of the CPU that allocates the object is early. */
static void test_cache_gets_its_name_late(void **state)
{
	static const struct step steps[] = {
		ALLOC_FROM(10, 1, CACHE, SITE_A, 0x1000, 64, ADDR),
		CACHE(20, CREATED, 1, ADDR, 64, "late"),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(value_in(&l, "trace", "caches"), 1);
	assert_cache(&l, 1, "late", NULL);
	assert_int_equal(cache_live(&l, 1), 1);
	ledger_free(&l);
}

static void test_cache_links(void **state)
{
	static const struct step steps[] = {
		CACHE(10, THERE, 3, ADDR, 64, "one"),
		CACHE(10, THERE, 1, ADDR + 64, 32, "two"),
	};
	char links[] = "one :64\nuno :64\ndue :32\nnone :8\n"
				    "nonsense\nein :64\n";
	struct text text = { links, links + strlen(links) };
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	caches_load_aliases(&l.caches, &text);
	assert_cache(&l, 1, "one", "ein, uno");
	assert_cache(&l, 2, "two", NULL);
	ledger_free(&l);
}

static void test_cache_destroyed_in_use(void **state)
{
	static const struct step steps[] = {
		CACHE(10, THERE, 1, ADDR, 64, "one"),
		SLAB(10, ADDR, 0x1000, 64, 1, 1),
		FREE(20, 0, CACHE, SITE_B, 0x1000),
		ALLOC_FROM(30, 0, CACHE, SITE_B, 0x3000, 64, ADDR),
		ALLOC_FROM(20, 1, CACHE, SITE_A, 0x2000, 64, ADDR),
		CACHE(40, DESTROYED, 0, ADDR, 64, "one"),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_CACHE_IN_USE, SPACE_SLAB, SITE_A, SITE_C);
	assert_int_equal(value_in(&l, "findings", "object"), 0x2000);
	assert_int_equal(value_in(&l, "findings", "first_time_ns"), 20);
	ledger_free(&l);
}

/* It is legal only for a cache that kmalloc() does not own. */
static void test_kmem_cache_free_of_kmalloc(void **state)
{
	static const struct step steps[] = {
		CACHE(10, THERE, 2, ADDR, 64, "kmalloc-64"),
		CACHE(10, THERE, 2, ADDR + 64, 64, "bucket-64"),
		ALLOC_FROM(20, 0, KMALLOC, SITE_A, 0x1000, 64, ADDR),
		ALLOC_FROM(20, 0, KMALLOC, SITE_A, 0x2000, 64, ADDR + 64),
		FREE(30, 0, CACHE, SITE_B, 0x1000),
		FREE(30, 0, CACHE, SITE_B, 0x2000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=mixed_api"), 1);
	assert_int_equal(sum_where(trace_of(&l), "findings", "count", "class=mixed_api_legal"), 1);
	assert_int_equal(nr_findings(&l), 2);
	ledger_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cache_address_used_again),
		cmocka_unit_test(test_no_cache),
		cmocka_unit_test(test_cache_is_merged),
		cmocka_unit_test(test_cache_gets_its_name_late),
		cmocka_unit_test(test_cache_links),
		cmocka_unit_test(test_cache_destroyed_in_use),
		cmocka_unit_test(test_kmem_cache_free_of_kmalloc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
