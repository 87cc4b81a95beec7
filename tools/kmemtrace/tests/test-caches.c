// SPDX-License-Identifier: GPL-2.0
/*
 * Slab caches: their names, their addresses, their end.
 */
#include "test.h"

#include "ledger-steps.h"
#include "test-files.h"

#define ADDR	0xc0c0

static uint64_t cache_live(const struct ledger *l, uint32_t cache)
{
	const struct table *t = &l->stats.classes[SPACE_SLAB];
	uint64_t live = 0;
	uint32_t i;

	for (i = 0; i < t->nr; i++)
		if (class_cache(t->rows[i].key) == cache)
			live += t->rows[i].live;
	return live;
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
	const struct cache *list;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	list = l.caches.list;
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(l.caches.nr, 4);
	assert_string_equal(list[1].name, "one");
	assert_true(list[1].is_destroyed && !list[1].is_created);
	assert_int_equal(list[1].destroyed, 40);
	assert_string_equal(list[2].name, "two");
	assert_true(list[2].is_created && !list[2].is_destroyed);
	assert_int_equal(list[2].object_size, 32);
	assert_int_equal(list[2].align, 8);
	assert_string_equal(list[3].name, "three");
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
	assert_int_equal(l.caches.nr, 2);
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
	const struct cache *c;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(l.caches.nr, 2);
	c = &l.caches.list[1];
	assert_string_equal(c->name, "own");
	assert_int_equal(c->nr_aliases, 2);
	assert_string_equal(c->aliases[0], "alias");
	assert_string_equal(c->aliases[1], "other");
	assert_int_equal(c->users, 4);
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
	assert_int_equal(l.caches.nr, 2);
	assert_string_equal(l.caches.list[1].name, "late");
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
	assert_int_equal(l.caches.list[1].nr_aliases, 2);
	assert_string_equal(l.caches.list[1].aliases[0], "ein");
	assert_string_equal(l.caches.list[1].aliases[1], "uno");
	assert_int_equal(l.caches.list[2].nr_aliases, 0);
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
	assert_int_equal(l.stats.findings[0].ptr, 0x2000);
	assert_int_equal(l.stats.findings[0].time_before, 20);
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
	assert_int_equal(l.stats.by_class[FINDING_MIXED_API], 1);
	assert_int_equal(l.stats.by_class[FINDING_MIXED_LEGAL], 1);
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
