// SPDX-License-Identifier: GPL-2.0
/*
 * The ledger: what is live after given events, and what is found in them.
 */
#include "test.h"

#include "ledger.h"
#include "merge.h"
#include "reader.h"

#define PAGE	4096
#define SITE_A	0xa00
#define SITE_B	0xb00
#define SITE_C	0xc00

/* Far more than the window in which events may change places. */
#define LATER	(10 * MERGE_WINDOW_NS)

struct step {
	int64_t time;
	unsigned int cpu;
	uint8_t event, type;
	uint64_t site, ptr, req, alloc;
};

#define ALLOC(time, cpu, type, site, ptr, req, alloc) \
	{ time, cpu, KMEMTRACE_EVENT_ALLOC, KMEMTRACE_TYPE_##type, site, ptr, req, alloc }
#define FREE(time, cpu, type, site, ptr) \
	{ time, cpu, KMEMTRACE_EVENT_FREE, KMEMTRACE_TYPE_##type, site, ptr, 0, 0 }
#define FREE_PAGES(time, cpu, site, ptr, bytes) \
	{ time, cpu, KMEMTRACE_EVENT_FREE, KMEMTRACE_TYPE_PAGES, site, ptr, 0, bytes }

#define RUN(l, steps) run(l, steps, sizeof(steps) / sizeof(*(steps)))

#define NR_READERS	2

/* What happened on one CPU, as a stream. */
static void open_cpu(struct reader *r, unsigned int cpu,
		     const struct step *steps, size_t nr)
{
	unsigned char *data = malloc((nr + 1) * sizeof(struct kmemtrace_event));
	size_t i, n = 0;
	char *name;

	assert_non_null(data);
	for (i = 0; i < nr; i++) {
		struct kmemtrace_event ev = {
			.event_id = steps[i].event,
			.type_id = steps[i].type,
			.event_size = sizeof(ev),
			.node = -1,
			.call_site = steps[i].site,
			.ptr = steps[i].ptr,
			.bytes_req = steps[i].req,
			.bytes_alloc = steps[i].alloc,
			.timestamp = steps[i].time,
		};

		if (steps[i].cpu == cpu)
			event_encode(&ev, ORDER_BIG,
				     data + n++ * sizeof(ev));
	}
	name = test_file(data, n * sizeof(struct kmemtrace_event));
	assert_int_equal(reader_open(r, name, cpu, ORDER_BIG, 65536), 0);
	test_file_remove(name);
	free(data);
}

static bool fits(void *ledger, const struct record *rec)
{
	return ledger_fits(ledger, rec);
}

/* Merge the steps of all CPUs into the ledger. */
static void run(struct ledger *l, const struct step *steps, size_t nr)
{
	struct reader readers[NR_READERS];
	struct merge m;
	unsigned int i;

	ledger_init(l, PAGE);
	for (i = 0; i < NR_READERS; i++)
		open_cpu(&readers[i], i, steps, nr);
	assert_int_equal(merge_init(&m, readers, NR_READERS, fits, l), 0);
	while (merge_next(&m) == 1)
		ledger_event(l, &m.cur->rec, m.cur->cpu, m.waited);
	merge_free(&m);
	for (i = 0; i < NR_READERS; i++)
		reader_close(&readers[i]);
}

static const struct row *site(struct ledger *l, enum space space, uint64_t addr)
{
	return table_row(&l->stats.sites[space], addr);
}

/* What is of one size, whatever its cache. */
static struct row size(const struct ledger *l, enum space space, uint64_t bytes)
{
	struct table sizes;
	struct row row;

	stats_by_size(&l->stats, space, &sizes);
	row = *table_row(&sizes, bytes);
	table_free(&sizes);
	return row;
}

/* By call site as well as by size. */
static uint64_t live_bytes(struct ledger *l, enum space space)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < l->stats.sites[space].nr; i++)
		sum += l->stats.sites[space].rows[i].live_alloc;
	assert_int_equal(stats_live(&l->stats, space).alloc, sum);
	return sum;
}

static uint64_t nr_findings(const struct ledger *l)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < NR_FINDINGS; i++)
		sum += l->stats.by_class[i];
	return sum;
}

/* The only finding is of this class, with these sites. */
static void assert_finding(struct ledger *l, enum finding_class class,
			   enum space space, uint64_t first, uint64_t second)
{
	const struct finding *f = l->stats.findings;
	const struct row *rows = l->stats.sites[space].rows;

	assert_int_equal(l->stats.nr_findings, 1);
	assert_int_equal(f->class, class);
	assert_int_equal(f->space, space);
	assert_int_equal(f->count, 1);
	if (first)
		assert_int_equal(rows[f->site].key, first);
	else
		assert_int_equal(f->site, NO_SITE);
	assert_int_equal(rows[f->site2].key, second);
}

static void test_live(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, KMALLOC, SITE_A, 0x1000, 100, 128),
		ALLOC(20, 0, KMALLOC, SITE_A, 0x1080, 100, 128),
		ALLOC(30, 1, CACHE, SITE_B, 0x2000, 200, 256),
		FREE(40, 1, KMALLOC, SITE_C, 0x1000),
	};
	struct ledger l;
	const struct row *a, *b;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	a = site(&l, SPACE_SLAB, SITE_A);
	assert_int_equal(a->allocs, 2);
	assert_int_equal(a->req, 200);
	assert_int_equal(a->alloc, 256);
	assert_int_equal(a->live, 1);
	assert_int_equal(a->live_req, 100);
	assert_int_equal(a->live_alloc, 128);
	assert_int_equal(a->remote, 1);
	b = site(&l, SPACE_SLAB, SITE_B);
	assert_int_equal(b->live_alloc, 256);
	assert_int_equal(l.stats.totals[SPACE_SLAB].allocs, 3);
	assert_int_equal(l.stats.totals[SPACE_SLAB].frees, 1);
	assert_int_equal(l.stats.totals[SPACE_SLAB].matched, 1);
	assert_int_equal(l.stats.cpus[SPACE_SLAB].rows[0].key, 0 << 16 | 1);
	assert_int_equal(l.stats.cpus[SPACE_SLAB].rows[0].alloc, 128);
	assert_int_equal(size(&l, SPACE_SLAB, 128).live, 1);
	assert_int_equal(size(&l, SPACE_SLAB, 128).remote, 1);
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
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(l.stats.by_class[FINDING_IMPOSSIBLE], 10);
	assert_int_equal(nr_findings(&l), 10);
	assert_int_equal(l.stats.totals[SPACE_SLAB].allocs, 0);
	assert_int_equal(l.stats.totals[SPACE_PAGES].allocs, 0);
	assert_int_equal(l.stats.totals[SPACE_PAGES].req, 0);
	ledger_free(&l);
}

/* Allocated on CPU 0, freed on CPU 1, whose clock is late. */
static void test_free_comes_early(void **state)
{
	static const struct step steps[] = {
		FREE(100, 1, KMALLOC, SITE_B, 0x1000),
		ALLOC(200, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(l.stats.settled, 1);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	assert_int_equal(l.stats.totals[SPACE_SLAB].remote, 1);
	ledger_free(&l);
}

/* The same, but the next free shows that the first was of an older object. */
static void test_free_was_not_early(void **state)
{
	static const struct step steps[] = {
		FREE(100, 1, KMALLOC, SITE_B, 0x1000),
		ALLOC(200, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		FREE(LATER, 0, KMALLOC, SITE_C, 0x1000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_FREE_UNKNOWN, SPACE_SLAB, 0, SITE_B);
	assert_int_equal(l.stats.settled, 0);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	ledger_free(&l);
}

/* CPU 1 frees and CPU 0 allocates again; the free's time is too late. */
static void test_alloc_comes_early(void **state)
{
	static const struct step steps[] = {
		ALLOC(100, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		ALLOC(LATER, 0, KMALLOC, SITE_B, 0x1000, 16, 16),
		FREE(LATER + 50, 1, KMALLOC, SITE_C, 0x1000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(l.stats.settled, 1);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 16);
	assert_int_equal(site(&l, SPACE_SLAB, SITE_A)->live, 0);
	assert_int_equal(site(&l, SPACE_SLAB, SITE_B)->live, 1);
	ledger_free(&l);
}

/* One CPU's own order is never doubted, nor that of events far apart. */
static void test_not_settled(void **state)
{
	static const struct step same_cpu[] = {
		FREE(100, 0, KMALLOC, SITE_B, 0x1000),
		ALLOC(200, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
	};
	static const struct step too_late[] = {
		ALLOC(100, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		ALLOC(200, 0, KMALLOC, SITE_B, 0x1000, 8, 8),
		FREE(LATER, 1, KMALLOC, SITE_C, 0x1000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, same_cpu);
	assert_finding(&l, FINDING_FREE_UNKNOWN, SPACE_SLAB, 0, SITE_B);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 8);
	ledger_free(&l);
	RUN(&l, too_late);
	assert_finding(&l, FINDING_ALLOC_TWICE, SPACE_SLAB, SITE_A, SITE_B);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
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
	assert_int_equal(l.stats.totals[SPACE_PAGES].matched, 3);
	assert_int_equal(l.stats.totals[SPACE_PAGES].remote, 1);
	/* The free begins in what is left of the four pages. */
	assert_int_equal(size(&l, SPACE_PAGES, 4 * PAGE).remote, 1);
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

static void test_pages_settled(void **state)
{
	static const struct step steps[] = {
		FREE_PAGES(100, 1, SITE_B, 0x10000, 2 * PAGE),
		ALLOC(200, 0, PAGES, SITE_A, 0x10000, 2 * PAGE, 2 * PAGE),
		ALLOC(LATER, 1, PAGES, SITE_C, 0x10000, 2 * PAGE, 2 * PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(l.stats.settled, 1);
	assert_int_equal(site(&l, SPACE_PAGES, SITE_C)->live, 2);
	assert_int_equal(site(&l, SPACE_PAGES, SITE_A)->live, 0);
	ledger_free(&l);
}

/* Three events of one object on two CPUs, whose clocks disagree. */
static void test_chain(void **state)
{
	static const struct step steps[] = {
		ALLOC(100, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		ALLOC(200, 0, KMALLOC, SITE_B, 0x1000, 16, 16),
		ALLOC(300, 0, KMALLOC, SITE_C, 0x1000, 32, 32),
		FREE(400, 1, KMALLOC, SITE_C, 0x1000),
		FREE(500, 1, KMALLOC, SITE_C, 0x1000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(l.stats.settled, 2);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 32);
	ledger_free(&l);
}

/* As when tracing begins on a machine that runs: nothing fits. */
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
	assert_int_equal(l.stats.by_class[FINDING_FREE_UNKNOWN], NR);
	assert_int_equal(l.stats.nr_findings, 1);
	assert_int_equal(l.stats.findings[0].count, NR);
	ledger_free(&l);
}

/* Allocate and free at addresses that never come back; @step: time of each. */
static void check_memory(int64_t step)
{
	enum { NR = 1000000, LIVE = 1000 };
	struct kmemtrace_event ev = {
		.event_size = 56,
		.node = -1,
		.call_site = SITE_A,
		.bytes_alloc = 8,
	};
	const struct record rec = { .ev = &ev };
	struct ledger l;
	int64_t i;

	ledger_init(&l, PAGE);
	for (i = 1; i <= NR; i++) {
		ev.timestamp = i * step;
		ev.event_id = KMEMTRACE_EVENT_ALLOC;
		ev.ptr = i * 8;
		ev.bytes_req = 8;
		ledger_event(&l, &rec, 0, false);
		if (i <= LIVE)
			continue;
		ev.event_id = KMEMTRACE_EVENT_FREE;
		ev.ptr = (i - LIVE) * 8;
		ev.bytes_req = 0;
		ledger_event(&l, &rec, 0, false);
	}
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(l.objects[SPACE_SLAB].live, LIVE);
	assert_true(l.objects[SPACE_SLAB].nr_entries <= 32768);
	ledger_free(&l);
}

/* Memory must follow what lives, not the length of the trace. */
static void test_memory_follows_live(void **state)
{
	(void)state;
	check_memory(1);
	/* Early in a boot, a clock may stand still. */
	check_memory(0);
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
		cmocka_unit_test(test_impossible),
		cmocka_unit_test(test_free_comes_early),
		cmocka_unit_test(test_free_was_not_early),
		cmocka_unit_test(test_alloc_comes_early),
		cmocka_unit_test(test_not_settled),
		cmocka_unit_test(test_pages_split),
		cmocka_unit_test(test_pages_twice),
		cmocka_unit_test(test_pages_settled),
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_many_unknown),
		cmocka_unit_test(test_memory_follows_live),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
