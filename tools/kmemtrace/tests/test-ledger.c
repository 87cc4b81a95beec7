// SPDX-License-Identifier: GPL-2.0
/*
 * The ledger: what is live after given events, and what is found in them.
 */
#include "test.h"

#include "books/intake.h"
#include "books/ledger.h"
#include "books/pages.h"
#include "books/pipeline.h"
#include "books/shard.h"
#include "read/reader.h"
#include "test-files.h"

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
	uint64_t site, ptr, req, alloc, gfp;
	int32_t node;
	uint64_t word;
	const char *name;
};

#define ALLOC(t, c, what, at, p, wanted, given) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_ALLOC, \
	  .type = KMEMTRACE_TYPE_##what, .site = at, .ptr = p, \
	  .req = wanted, .alloc = given }
/* Of an object whose cache is known. */
#define ALLOC_FROM(t, c, what, at, p, size, cache) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_ALLOC, \
	  .type = KMEMTRACE_TYPE_##what, .site = at, .ptr = p, \
	  .req = size, .alloc = size, .word = cache }
#define FREE(t, c, what, at, p) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_FREE, \
	  .type = KMEMTRACE_TYPE_##what, .site = at, .ptr = p }
#define FREE_PAGES(t, c, at, p, bytes) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_FREE, \
	  .type = KMEMTRACE_TYPE_PAGES, .site = at, .ptr = p, .alloc = bytes }
#define FAILED(t, what, at, bytes, flags) \
	{ .time = t, .event = KMEMTRACE_EVENT_FAILED, \
	  .type = KMEMTRACE_TYPE_##what, .site = at, .req = bytes, .gfp = flags }
/* In a snapshot: @nr objects of a slab, a bit each; frames; all else; its end. */
#define SLAB(t, cache, p, size, nr, live) \
	{ .time = t, .event = KMEMTRACE_EVENT_SNAPSHOT, \
	  .type = KMEMTRACE_TYPE_CACHE, .site = cache, .ptr = p, \
	  .req = size, .alloc = size, .gfp = nr, .word = live }
#define FRAMES(t, state, p, bytes) \
	{ .time = t, .event = KMEMTRACE_EVENT_SNAPSHOT, \
	  .type = KMEMTRACE_TYPE_PAGES, .site = KMEMTRACE_FRAMES_##state, \
	  .ptr = p, .alloc = bytes }
#define WAS(t, what, at, p, bytes) \
	{ .time = t, .event = KMEMTRACE_EVENT_SNAPSHOT, \
	  .type = KMEMTRACE_TYPE_##what, .site = at, .ptr = p, \
	  .req = bytes, .alloc = bytes }
#define END(t, unsure) \
	{ .time = t, .event = KMEMTRACE_EVENT_SNAPSHOT, \
	  .type = KMEMTRACE_TYPE_END, .site = unsure }
#define CACHE(t, op, who, cache, size, text) \
	{ .time = t, .event = KMEMTRACE_EVENT_CACHE, \
	  .type = KMEMTRACE_CACHE_##op, .site = SITE_C, .ptr = cache, \
	  .req = size, .alloc = size, .node = who, .word = 8, .name = text }

#define PHASE(t, c, what) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_PHASE, \
	  .type = KMEMTRACE_PHASE_##what }

#define MOVE(t, c, p, from, bytes) \
	{ .time = t, .cpu = c, .event = KMEMTRACE_EVENT_MOVE, \
	  .type = KMEMTRACE_TYPE_PAGES, .node = -1, .ptr = p, .req = from, \
	  .alloc = bytes }

#define RUN(l, steps) run(l, steps, sizeof(steps) / sizeof(*(steps)))

#define NR_READERS	2

#define MAX_RECORD	(sizeof(struct kmemtrace_event) + 32)

/* Returns the bytes of the record. */
static size_t put_step(const struct step *s, unsigned char *rec)
{
	size_t tail = s->name ? 8 + sizeof(uint64_t[2]) : s->word ? 8 : 0;
	struct kmemtrace_event ev = {
		.event_id = s->event,
		.type_id = s->type,
		.event_size = sizeof(ev) + tail,
		.node = s->node,
		.call_site = s->site,
		.ptr = s->ptr,
		.bytes_req = s->req,
		.bytes_alloc = s->alloc,
		.gfp_flags = s->gfp,
		.timestamp = s->time,
	};

	memset(rec, 0, MAX_RECORD);
	event_encode(&ev, ORDER_BIG, rec);
	event_encode_word(s->word, ORDER_BIG, rec + sizeof(ev));
	if (s->name)
		memcpy(rec + sizeof(ev) + 8, s->name, strlen(s->name));
	return ev.event_size;
}

/* What happened on one CPU, as a stream. */
static void open_cpu(struct reader *r, unsigned int cpu,
		     const struct step *steps, size_t nr)
{
	unsigned char *data = malloc((nr + 1) * MAX_RECORD);
	size_t i, len = 0;
	char *name;

	assert_non_null(data);
	for (i = 0; i < nr; i++)
		if (steps[i].cpu == cpu)
			len += put_step(&steps[i], data + len);
	name = test_file(data, len);
	assert_int_equal(reader_open(r, &test_ctx, test_files(), name, cpu, ORDER_BIG, 65536), 0);
	test_file_remove(name);
	free(data);
}

static void ignore(void *arg, const struct reader *r)
{
	(void)arg;
	(void)r;
}

/* Merge the steps of all CPUs up to a time into a ledger that is set up. */
static void go_on_until(struct ledger *l, const struct step *steps, size_t nr,
			int64_t until)
{
	const struct pipeline_user user = { .each = ignore };
	struct reader readers[NR_READERS];
	struct merge m;
	unsigned int i;

	for (i = 0; i < NR_READERS; i++)
		open_cpu(&readers[i], i, steps, nr);
	l->patient = true;
	assert_int_equal(merge_init(&m, &test_ctx, readers, NR_READERS), 0);
	assert_int_equal(pipeline_run(l, &m, until, &user), 0);
	merge_free(&m);
	for (i = 0; i < NR_READERS; i++)
		reader_close(&readers[i]);
}

static void go_on(struct ledger *l, const struct step *steps, size_t nr)
{
	go_on_until(l, steps, nr, INT64_MAX);
}

static void run(struct ledger *l, const struct step *steps, size_t nr)
{
	assert_int_equal(ledger_init(l, &test_ctx, PAGE, 2), 0);
	go_on(l, steps, nr);
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

	assert_int_equal(l->stats.nr_findings, 1);
	assert_int_equal(f->class, class);
	assert_int_equal(f->space, space);
	assert_int_equal(f->count, 1);
	assert_int_equal(f->site, first ? first : NO_SITE);
	assert_int_equal(f->site2, second);
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

/* The free that would explain it does not come. */
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
	assert_int_equal(l.stats.settled, 0);
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

/* Its end is where no address is, unlike that of the one before. */
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
	assert_int_equal(l.stats.totals[SPACE_PAGES].allocs, 1);
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
	assert_int_equal(l.stats.by_class[FINDING_IMPOSSIBLE], 11);
	assert_int_equal(nr_findings(&l), 11);
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

/* CPU 0's life was first, but CPU 1, whose clock is early, had begun one before. */
static void test_later_life_comes_early(void **state)
{
	static const struct step steps[] = {
		ALLOC(100, 1, KMALLOC, SITE_A, 0x1000, 8, 8),
		ALLOC(200, 0, KMALLOC, SITE_B, 0x1000, 16, 16),
		FREE(250, 0, KMALLOC, SITE_C, 0x1000),
		ALLOC(100, 1, PAGES, SITE_A, PAGE, PAGE, PAGE),
		ALLOC(200, 0, PAGES, SITE_B, PAGE, PAGE, PAGE),
		FREE_PAGES(250, 0, SITE_C, PAGE, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(l.stats.settled, 2);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 8);
	assert_int_equal(site(&l, SPACE_SLAB, SITE_A)->live, 1);
	assert_int_equal(site(&l, SPACE_SLAB, SITE_B)->live, 0);
	assert_int_equal(site(&l, SPACE_SLAB, SITE_B)->frees, 1);
	assert_int_equal(l.stats.totals[SPACE_SLAB].remote, 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), PAGE);
	assert_int_equal(site(&l, SPACE_PAGES, SITE_A)->live, 1);
	ledger_free(&l);
}

/* What waits for the end of its window holds up nothing else in the same pages. */
static void test_others_need_not_wait(void **state)
{
	static const struct step steps[] = {
		ALLOC(100, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		ALLOC(200, 1, KMALLOC, SITE_B, 0x1000, 16, 16),
		FREE(250, 1, KMALLOC, SITE_C, 0x1000),
		ALLOC(300, 1, KMALLOC, SITE_B, 0x1080, 16, 16),
		FREE(350, 1, KMALLOC, SITE_C, 0x1080),
		ALLOC(400, 0, KMALLOC, SITE_A, 0x1080, 8, 8),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(site(&l, SPACE_SLAB, SITE_A)->live, 2);
	assert_int_equal(site(&l, SPACE_SLAB, SITE_B)->frees, 2);
	ledger_free(&l);
}

/* As test_later_life_comes_early(), with the end of the later life. */
static void test_later_end_comes_early(void **state)
{
	static const struct step steps[] = {
		ALLOC(50, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
		FREE(LATER, 1, KMALLOC, SITE_C, 0x1000),
		FREE(LATER + 100, 0, KMALLOC, SITE_C, 0x1000),
		ALLOC(LATER + 150, 0, KMALLOC, SITE_B, 0x1000, 16, 16),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(l.stats.settled, 1);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	assert_int_equal(l.stats.totals[SPACE_SLAB].matched, 2);
	ledger_free(&l);
}

/* A snapshot doesn't see that what is in quarantine was freed, however long ago. */
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

/* As late as the clocks may be, and no later. */
static void test_window(void **state)
{
	static const struct step in_time[] = {
		FREE(10, 1, KMALLOC, SITE_B, 0x1000),
		ALLOC(10 + MERGE_WINDOW_NS, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
	};
	static const struct step late[] = {
		FREE(10, 1, KMALLOC, SITE_B, 0x1000),
		ALLOC(11 + MERGE_WINDOW_NS, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
	};
	struct ledger l;

	(void)state;
	RUN(&l, in_time);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(l.stats.settled, 1);
	ledger_free(&l);
	RUN(&l, late);
	assert_finding(&l, FINDING_FREE_UNKNOWN, SPACE_SLAB, 0, SITE_B);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 8);
	ledger_free(&l);
}

/* What waits keeps behind it what its CPU did later with the same object. */
static void test_order_of_one_cpu(void **state)
{
	static const struct step steps[] = {
		FREE(100, 1, KMALLOC, SITE_B, 0x1000),
		ALLOC(110, 1, KMALLOC, SITE_C, 0x1000, 16, 16),
		ALLOC(120, 1, KMALLOC, SITE_C, 0x80000, 16, 16),
		ALLOC(200, 0, KMALLOC, SITE_A, 0x1000, 8, 8),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(l.stats.settled, 1);
	assert_int_equal(site(&l, SPACE_SLAB, SITE_A)->frees, 1);
	assert_int_equal(site(&l, SPACE_SLAB, SITE_C)->live, 2);
	ledger_free(&l);
}

/* The snapshot doesn't revive what waits to be free, where both are of one CPU. */
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
	assert_int_equal(l.stats.baseline.freed_during[SPACE_SLAB], 1);
	assert_int_equal(l.stats.baseline.freed_during[SPACE_PAGES], 1);
	ledger_free(&l);
}

/* A block that is in several shards is one block all the same. */
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
	const struct finding *f;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	f = l.stats.findings;
	assert_int_equal(l.stats.nr_findings, 2);
	assert_int_equal(f[0].class, FINDING_FREE_TWICE);
	assert_int_equal(f[0].count, 1);
	assert_int_equal(f[0].ptr, 0x200000);
	assert_int_equal(f[1].class, FINDING_ALLOC_TWICE);
	assert_int_equal(f[1].count, 1);
	assert_int_equal(l.stats.totals[SPACE_PAGES].allocs, 3);
	assert_int_equal(l.stats.totals[SPACE_PAGES].frees, 2);
	assert_int_equal(l.stats.totals[SPACE_PAGES].matched, 1);
	assert_int_equal(l.stats.totals[SPACE_PAGES].req,
			 2 * bytes - 10 + PAGE);
	assert_int_equal(l.stats.totals[SPACE_PAGES].alloc, 2 * bytes + PAGE);
	assert_int_equal(l.stats.cpus[SPACE_PAGES].rows[0].remote, 1);
	assert_int_equal(l.stats.cpus[SPACE_PAGES].rows[0].alloc, bytes);
	assert_int_equal(site(&l, SPACE_PAGES, SITE_A)->live, 511);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), bytes);
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

/* ---- namespaces ---- */

/* One number in three namespaces is three different things. */
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
	assert_int_equal(l.stats.totals[SPACE_PERCPU].alloc, 32);
	assert_int_equal(l.stats.totals[SPACE_VMALLOC].remote, 1);
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
	assert_int_equal(stats_live(&l.stats, SPACE_VMALLOC).req, bytes - 100);
	ledger_free(&l);
}

/* ---- the snapshot ---- */

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
	assert_int_equal(l.stats.totals[SPACE_SLAB].allocs, 0);
	assert_int_equal(l.stats.totals[SPACE_SLAB].matched, 1);
	/* On which CPU it was allocated is not known. */
	assert_int_equal(l.stats.totals[SPACE_SLAB].remote, 0);
	assert_int_equal(l.stats.totals[SPACE_SLAB].older.alloc, 64);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 64);
	assert_int_equal(live_bytes(&l, SPACE_PERCPU), 16);
	assert_int_equal(live_bytes(&l, SPACE_VMALLOC), 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 2 * PAGE);
	assert_int_equal(site(&l, SPACE_SLAB, SITE_SNAPSHOT)->live, 1);
	assert_int_equal(site(&l, SPACE_VMALLOC, SITE_A)->frees, 1);
	assert_true(l.stats.baseline.complete);
	assert_int_equal(l.stats.baseline.at_end[SPACE_SLAB].nr, 2);
	assert_int_equal(l.stats.baseline.at_end[SPACE_VMALLOC].alloc, PAGE);
	ledger_free(&l);
}

/* A free is recorded before the memory is released: the snapshot is older. */
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
	assert_int_equal(l.stats.baseline.freed_during[SPACE_SLAB], 1);
	assert_int_equal(l.stats.baseline.freed_during[SPACE_PAGES], 1);
	ledger_free(&l);
}

/* An allocation is recorded after the memory was had: the snapshot has it. */
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
	assert_int_equal(l.stats.baseline.in_transit, 3);
	assert_int_equal(l.stats.totals[SPACE_SLAB].older.nr, 0);
	assert_int_equal(l.stats.totals[SPACE_PAGES].older.nr, 0);
	assert_int_equal(stats_live(&l.stats, SPACE_SLAB).req, 50);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 2 * PAGE);
	assert_int_equal(live_bytes(&l, SPACE_PERCPU), 16);
	assert_int_equal(l.stats.baseline.at_end[SPACE_SLAB].nr, 0);
	ledger_free(&l);
}

/* But once only: there was an event then. */
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

/* A free of another CPU, whose clock is late, explains it better. */
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
	assert_int_equal(l.stats.settled, 1);
	assert_int_equal(l.stats.baseline.in_transit, 0);
	assert_int_equal(site(&l, SPACE_SLAB, SITE_A)->live, 1);
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
	assert_int_equal(l.stats.by_class[FINDING_FREE_TWICE], 1);
	assert_int_equal(nr_findings(&l), 1);
	ledger_free(&l);
}

/* They may be handed over, but were never handed out. */
static void test_reserved_frames(void **state)
{
	static const struct step steps[] = {
		FRAMES(10, RESERVED, 0x10000, 4 * PAGE),
		END(20, 0),
		FREE_PAGES(LATER, 0, SITE_B, 0x10000, 2 * PAGE),
		ALLOC(LATER, 0, PAGES, SITE_A, 0x11000, PAGE, PAGE),
		ALLOC(LATER, 0, PAGES, SITE_A, 0x12000, PAGE, PAGE),
	};
	const struct finding *f;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	f = l.stats.findings;
	assert_int_equal(nr_findings(&l), 1);
	assert_int_equal(f->class, FINDING_ALLOC_TWICE);
	assert_int_equal(f->site, SITE_RESERVED);
	assert_int_equal(l.stats.baseline.reserved, 1);
	assert_int_equal(l.stats.baseline.reserved_freed, 2);
	assert_int_equal(l.stats.baseline.in_transit, 0);
	assert_int_equal(l.stats.totals[SPACE_PAGES].matched, 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 2 * PAGE);
	ledger_free(&l);
}

/* Memory that is unplugged leaves no event; plugged in, it is given once more. */
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
	assert_int_equal(l.stats.baseline.reserved_freed, 4);
	assert_int_equal(l.stats.baseline.reserved, 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 0);
	ledger_free(&l);
}

/* Many frames of one state: an event changes one of them. */
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
	assert_int_equal(l.stats.totals[SPACE_PAGES].older.nr, 998);
	ledger_free(&l);
}

/* What a snapshot says again of many frames has them take no more memory. */
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
	assert_int_equal(l.stats.own, CHUNK_FRAMES);
	assert_int_equal(l.stats.baseline.reserved, 2 * CHUNK_FRAMES);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), CHUNK);
	assert_int_equal(nr_findings(&l), 0);
	for (i = 1; i <= CHUNKS; i++) {
		unsigned int shard = ledger_shard_of(&l, i * CHUNK);

		assert_int_equal(l.shards[shard].frames.used, 0);
	}
	ledger_free(&l);
}

/* kmemtrace's own frames are in no other sum, in whatever order they are told of. */
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
	assert_int_equal(l.stats.own, 3);
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
	assert_int_equal(l.stats.by_class[FINDING_IMPOSSIBLE], 13);
	assert_int_equal(nr_findings(&l), 13);
	assert_int_equal(l.caches.nr, 0);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 0);
	ledger_free(&l);
}

/* ---- frees of something unknown ---- */

/* Without an end, nothing says that the snapshot has all. */
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
	assert_int_equal(l.stats.by_class[FINDING_FREE_UNEXPLAINED], 3);
	ledger_free(&l);
}

/* No slab shows it, but its pages were live. */
static void test_older_large_kmalloc(void **state)
{
	static const struct step steps[] = {
		SLAB(10, 0xcafe, 0x4000, 64, 2, 2),
		FRAMES(10, LIVE, 0x1000, 4 * PAGE),
		END(20, 0),
		FREE(LATER, 0, KMALLOC, SITE_B, 0x1000),
		FREE_PAGES(LATER, 0, SITE_B, 0x1000, 2 * PAGE),
		/* Not the start of a page, a slab, another API, unknown pages. */
		FREE(LATER, 0, KMALLOC, SITE_C, 0x3008),
		FREE(LATER, 0, KMALLOC, SITE_C, 0x4000),
		FREE(LATER, 0, CACHE, SITE_C, 0x3000),
		FREE(LATER, 0, KMALLOC, SITE_C, 0x9000),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(l.stats.baseline.large_kmalloc, 1);
	assert_int_equal(l.stats.by_class[FINDING_FREE_UNEXPLAINED], 4);
	assert_int_equal(nr_findings(&l), 4);
	ledger_free(&l);
}

/* One slab could not be looked at: it explains frees in eight pages. */
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
	/* A second one in the first page is no further page. */
	steps[11].ptr = 0x10010;
	RUN(&l, steps);
	assert_int_equal(l.stats.baseline.unsure_freed, 9);
	assert_finding(&l, FINDING_FREE_UNEXPLAINED, SPACE_SLAB, 0, SITE_B);
	ledger_free(&l);
}

/*
 * In between, so much is freed elsewhere that frames with nothing in them are forgotten:
 * those of a slab are not, or its objects would be taken for a large kmalloc()'s.
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
	assert_int_equal(l.stats.baseline.large_kmalloc, 0);
	assert_finding(&l, FINDING_FREE_UNEXPLAINED, SPACE_SLAB, 0, SITE_B);
	ledger_free(&l);
}

/* ---- objects in pages ---- */

static void test_pages_freed_in_use(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_C, 0x10000, 2 * PAGE, 2 * PAGE),
		ALLOC(20, 0, KMALLOC, SITE_A, 0x10ff8, 16, 16),
		ALLOC(30, 0, KMALLOC, SITE_A, 0x11008, 8, 8),
		FREE(40, 0, KMALLOC, SITE_C, 0x11008),
		FREE_PAGES(50, 1, SITE_B, 0x10000, 2 * PAGE),
		/* The page is gone, and the object with it: once is enough. */
		ALLOC(LATER, 0, PAGES, SITE_C, 0x10000, PAGE, PAGE),
		ALLOC(LATER, 0, KMALLOC, SITE_C, 0x10ff8, 16, 16),
	};
	const struct finding *f;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_finding(&l, FINDING_FREE_IN_USE, SPACE_PAGES, SITE_A, SITE_B);
	f = l.stats.findings;
	assert_int_equal(f->ptr, 0x10ff8);
	assert_int_equal(f->time_before, 20);
	assert_int_equal(f->cpu_before, 0);
	assert_int_equal(f->time, 50);
	assert_int_equal(f->cpu, 1);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 16);
	assert_int_equal(site(&l, SPACE_SLAB, SITE_A)->live, 0);
	ledger_free(&l);
}

/* The free of the object comes from a CPU whose clock is late. */
static void test_pages_freed_early(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_C, 0x10000, PAGE, PAGE),
		ALLOC(20, 0, KMALLOC, SITE_A, 0x10008, 8, 8),
		FREE_PAGES(LATER, 0, SITE_B, 0x10000, PAGE),
		FREE(LATER + 50, 1, KMALLOC, SITE_C, 0x10008),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(l.stats.settled, 1);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), 0);
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
	assert_int_equal(l.stats.settled, 1);
	ledger_free(&l);
}

/* What the snapshot has lies in pages as well. */
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
	assert_int_equal(l.stats.by_class[FINDING_FREE_IN_USE], 1);
	assert_int_equal(l.stats.findings[0].ptr, 0x10040);
	assert_int_equal(l.stats.totals[SPACE_SLAB].older.nr, 0);
	ledger_free(&l);
}

/* ---- caches ---- */

#define ADDR	0xc0c0

static uint64_t cache_live(const struct ledger *l, uint32_t cache)
{
	struct table sum;
	uint64_t live;

	stats_by_cache(&l->stats, &sum);
	live = table_row(&sum, cache)->live;
	table_free(&sum);
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
		/* Its end was lost. */
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

/* A large kmalloc() comes from none, whatever came before. */
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

/* One that is created where there is one is another name for that. */
static void test_cache_is_merged(void **state)
{
	static const struct step steps[] = {
		/* The snapshot comes to it later. */
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

/* An object may be allocated by a CPU whose clock is early. */
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

/* ---- APIs ---- */

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

/* Only where its cache is not kmalloc()'s own. */
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

/* Nobody knows by which API it was allocated. */
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

static void test_failures(void **state)
{
	static const struct step steps[] = {
		FAILED(10, PAGES, SITE_A, 8 * PAGE, 1),
		FAILED(20, PAGES, SITE_A, 8 * PAGE, 2),
		FAILED(30, KMALLOC, SITE_A, 64, 3),
	};
	const struct failure *f;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	f = l.stats.failures;
	assert_int_equal(nr_findings(&l), 0);
	assert_int_equal(l.stats.nr_failures, 2);
	assert_int_equal(f[0].site, SITE_A);
	assert_int_equal(f[0].type, KMEMTRACE_TYPE_PAGES);
	assert_int_equal(f[0].count, 2);
	assert_int_equal(f[0].bytes, 16 * PAGE);
	assert_int_equal(f[0].gfp, 2);
	assert_int_equal(f[1].type, KMEMTRACE_TYPE_KMALLOC);
	assert_int_equal(l.stats.totals[SPACE_PAGES].failed, 2);
	assert_int_equal(l.stats.totals[SPACE_PAGES].allocs, 0);
	ledger_free(&l);
}

/* ---- the history ---- */

static uint64_t owned(struct ledger *l, enum space space, uint64_t addr)
{
	return site(l, space, addr)->peak;
}

/* The peak is in the middle of a batch, and comes twice: the first one counts. */
static void test_peak(void **state)
{
	static const struct step steps[] = {
		ALLOC(1000, 0, KMALLOC, SITE_A, 0x1000, 100, 128),
		ALLOC(2000, 1, KMALLOC, SITE_B, 0x80000, 60, 64),
		FREE(3000, 0, KMALLOC, SITE_C, 0x1000),
		ALLOC(4000, 0, KMALLOC, SITE_C, 0x2000, 128, 128),
		FREE(LATER, 1, KMALLOC, SITE_C, 0x80000),
		FREE(LATER, 0, KMALLOC, SITE_C, 0x2000),
	};
	const struct history *h;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	h = &l.history;
	assert_int_equal(h->peaks[SPACE_SLAB].bytes, 192);
	assert_int_equal(h->peaks[SPACE_SLAB].time, 2000);
	assert_int_equal(owned(&l, SPACE_SLAB, SITE_A), 128);
	assert_int_equal(owned(&l, SPACE_SLAB, SITE_B), 64);
	assert_int_equal(owned(&l, SPACE_SLAB, SITE_C), 0);
	assert_int_equal(h->peaks[SPACE_PAGES].bytes, 0);
	assert_int_equal(h->begin, 1000);
	assert_int_equal(h->steps[0].allocs[SPACE_SLAB], 3);
	assert_int_equal(h->steps[0].bytes[SPACE_SLAB], 320);
	assert_int_equal(h->steps[0].most[SPACE_SLAB], 192);
	assert_int_equal(h->steps[h->nr_steps - 1].live[SPACE_SLAB], 0);
	ledger_free(&l);
}

/* What was allocated together is freed in parts, with an object in it. */
static void test_peak_of_parts(void **state)
{
	const uint64_t bytes = 128 * PAGE;
	const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_A, 0x200000, bytes, bytes),
		ALLOC(20, 0, PAGES, SITE_B, 0x400000, PAGE, PAGE),
		ALLOC(30, 0, KMALLOC, SITE_C, 0x200040, 64, 64),
		FREE_PAGES(LATER, 0, SITE_C, 0x200000, bytes),
		ALLOC(3 * LATER, 0, PAGES, SITE_B, 0x200000, 4 * PAGE, 4 * PAGE),
	};
	const struct history *h;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	h = &l.history;
	assert_int_equal(h->peaks[SPACE_PAGES].bytes, bytes + PAGE);
	assert_int_equal(h->peaks[SPACE_PAGES].time, 20);
	assert_int_equal(owned(&l, SPACE_PAGES, SITE_A), bytes);
	assert_int_equal(owned(&l, SPACE_PAGES, SITE_B), PAGE);
	assert_int_equal(h->peaks[SPACE_SLAB].bytes, 64);
	assert_int_equal(h->steps[h->nr_steps - 1].live[SPACE_PAGES],
			 5 * PAGE);
	/* Buried with its pages. */
	assert_int_equal(h->steps[h->nr_steps - 1].live[SPACE_SLAB], 0);
	ledger_free(&l);
}

/* What the snapshot has is there when it says so. */
static void test_peak_of_older(void **state)
{
	static const struct step steps[] = {
		SLAB(10, 0xcafe, 0x1000, 64, 3, 7),
		FRAMES(20, LIVE, 0x100000, 100 * PAGE),
		END(30, 0),
		FREE(LATER, 0, KMALLOC, SITE_A, 0x1000),
		ALLOC(2 * LATER, 0, KMALLOC, SITE_B, 0x2000, 32, 32),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(l.history.peaks[SPACE_SLAB].bytes, 192);
	assert_int_equal(l.history.peaks[SPACE_SLAB].time, 10);
	assert_int_equal(owned(&l, SPACE_SLAB, SITE_SNAPSHOT), 192);
	assert_int_equal(owned(&l, SPACE_PAGES, SITE_SNAPSHOT), 100 * PAGE);
	assert_int_equal(owned(&l, SPACE_SLAB, SITE_B), 0);
	ledger_free(&l);
}

/* Steps get longer as time goes on; nothing gets lost. */
static void test_steps(void **state)
{
	enum { NR = 3000 };
	struct step *steps = calloc(NR, sizeof(*steps));
	uint64_t allocs = 0;
	const struct history *h;
	struct ledger l;
	unsigned int i;

	(void)state;
	assert_non_null(steps);
	for (i = 0; i < NR; i++)
		steps[i] = (struct step)
			ALLOC(INT64_C(1000000) * i, 0, KMALLOC, SITE_A,
			      0x1000 + 64 * i, 64, 64);
	run(&l, steps, NR);
	free(steps);
	h = &l.history;
	assert_in_range(h->nr_steps, HISTORY_STEPS / 2, HISTORY_STEPS);
	assert_in_range(h->nr_steps * h->width, INT64_C(1000000) * (NR - 1),
			INT64_C(1000000) * NR + h->width);
	for (i = 0; i < h->nr_steps; i++) {
		allocs += h->steps[i].allocs[SPACE_SLAB];
		assert_int_equal(h->steps[i].live[SPACE_SLAB], 64 * allocs);
		assert_int_equal(h->steps[i].most[SPACE_SLAB], 64 * allocs);
	}
	assert_int_equal(allocs, NR);
	ledger_free(&l);
}

/* Assert how often a site's pages were allocated and how many bytes are live. */
static void assert_pages(struct ledger *l, uint64_t addr, uint64_t allocs, uint64_t live)
{
	const struct row *row = site(l, SPACE_PAGES, addr);

	assert_int_equal(row->allocs, allocs);
	assert_int_equal(row->live_alloc, live);
}

/* Pages whose contents are moved stay those of the code that allocated them. */
static void test_move(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_A, 0x100000, 2 * PAGE, 2 * PAGE),
		ALLOC(20, 1, PAGES, SITE_B, 0x9000, 2 * PAGE, 2 * PAGE),
		MOVE(30, 1, 0x9000, 0x100000, 2 * PAGE),
		FREE_PAGES(40, 1, SITE_C, 0x100000, 2 * PAGE),
		/* Of two pages of one block, one moves back. */
		ALLOC(50, 1, PAGES, SITE_B, 0x100000, PAGE, PAGE),
		MOVE(60, 1, 0x100000, 0xa000, PAGE),
		FREE_PAGES(70, 1, SITE_C, 0xa000, PAGE),
		/* The code that allocated them frees one of them. */
		FREE_PAGES(80, 0, SITE_A, 0x9000, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_pages(&l, SITE_A, 1, PAGE);
	assert_pages(&l, SITE_B, 2, 0);
	assert_int_equal(live_bytes(&l, SPACE_PAGES), PAGE);
	assert_int_equal(l.history.peaks[SPACE_PAGES].bytes, 4 * PAGE);
	assert_int_equal(l.stats.totals[SPACE_PAGES].matched, 3);
	assert_int_equal(l.stats.unknown_ids, 0);
	ledger_free(&l);
}

/* A huge page, in many shards, takes another one's place; a part of it moves on. */
static void test_move_huge(void **state)
{
	const uint64_t bytes = UINT64_C(2) << 20, a = bytes, b = 7 * bytes, c = 9 * bytes;
	const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_A, a, bytes, bytes),
		ALLOC(20, 1, PAGES, SITE_B, b, bytes, bytes),
		MOVE(30, 1, b, a, bytes),
		FREE_PAGES(40, 1, SITE_B, a, bytes),
		ALLOC(50, 0, PAGES, SITE_C, c, bytes, bytes),
		MOVE(60, 0, c + bytes / 2, b, bytes / 2),
		FREE_PAGES(70, 0, SITE_C, b, bytes / 2),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_pages(&l, SITE_A, 1, bytes);
	assert_pages(&l, SITE_B, 1, 0);
	assert_pages(&l, SITE_C, 1, bytes / 2);
	ledger_free(&l);
}

/* Pages that are older than the trace stay that, and reserved ones stay where they are. */
static void test_move_older(void **state)
{
	static const struct step steps[] = {
		FRAMES(10, LIVE, 0x4000, PAGE),
		FRAMES(20, RESERVED, 0x8000, PAGE),
		END(30, 0),
		ALLOC(40, 1, PAGES, SITE_B, 0x20000, PAGE, PAGE),
		MOVE(50, 1, 0x20000, 0x4000, PAGE),
		FREE_PAGES(60, 1, SITE_C, 0x4000, PAGE),
		ALLOC(70, 1, PAGES, SITE_B, 0x30000, PAGE, PAGE),
		MOVE(80, 1, 0x30000, 0x8000, PAGE),
		/* Nothing is known of one of the two. */
		MOVE(90, 1, 0x30000, 0x50000, PAGE),
		MOVE(100, 1, 0x50000, 0x30000, PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	assert_pages(&l, SITE_SNAPSHOT, 0, PAGE);
	assert_pages(&l, SITE_B, 2, PAGE);
	assert_int_equal(l.stats.baseline.reserved, 1);
	ledger_free(&l);
}

/* Moves that no kernel records. */
static void test_move_impossible(void **state)
{
	static const struct step steps[] = {
		ALLOC(10, 0, PAGES, SITE_A, 0x4000, 2 * PAGE, 2 * PAGE),
		MOVE(20, 0, 0, 0x4000, PAGE),
		MOVE(20, 0, 0x8000, 0, PAGE),
		MOVE(20, 0, 0x8001, 0x4000, PAGE),
		MOVE(20, 0, 0x8000, 0x4001, PAGE),
		MOVE(20, 0, 0x8000, 0x4000, 0),
		MOVE(20, 0, 0x8000, 0x4000, PAGE + 1),
		MOVE(20, 0, 0x5000, 0x4000, 2 * PAGE),
		MOVE(20, 0, 0x4000, 0x4000, PAGE),
		MOVE(20, 0, 0x8000000, 0x4000, (KMEMTRACE_MOVE_MAX_PAGES + 1) * PAGE),
		MOVE(20, 0, -PAGE, 0x4000, 2 * PAGE),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(l.stats.by_class[FINDING_IMPOSSIBLE],
			 sizeof(steps) / sizeof(*steps) - 1);
	assert_pages(&l, SITE_A, 1, 2 * PAGE);
	ledger_free(&l);
}

static void assert_phase(const struct ledger *l, unsigned int i,
			 unsigned int id, int64_t begin, int64_t most,
			 int64_t live)
{
	const struct phase *phase = &l->history.phases[i];

	assert_in_range(i, 0, l->history.nr_phases - 1);
	assert_int_equal(phase->id, id);
	assert_int_equal(phase->begin, begin);
	assert_int_equal(phase->most[SPACE_SLAB], most);
	assert_int_equal(phase->live[SPACE_SLAB], live);
}

/* All in one step, whose most is that of all of them; the first one had most. */
static void test_phases(void **state)
{
	static const struct step steps[] = {
		ALLOC(1000, 0, KMALLOC, SITE_A, 0x800, 8, 8),
		PHASE(1010, 0, ARMED),
		ALLOC(1020, 0, KMALLOC, SITE_A, 0x1000, 512, 512),
		FREE(1030, 0, KMALLOC, SITE_A, 0x1000),
		PHASE(1040, 0, SMP),
		ALLOC(1050, 1, KMALLOC, SITE_B, 0x2000, 64, 64),
		FREE(1060, 1, KMALLOC, SITE_B, 0x2000),
		ALLOC(1070, 1, KMALLOC, SITE_B, 0x3000, 32, 32),
		PHASE(1080, 1, INITCALLS),
		FREE(1090, 1, KMALLOC, SITE_B, 0x3000),
		ALLOC(3 * LATER, 0, KMALLOC, SITE_B, 0x4000, 128, 128),
		PHASE(3 * LATER, 0, INIT),
	};
	const struct history *h;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	h = &l.history;
	assert_int_equal(h->nr_phases, 4);
	assert_phase(&l, 0, KMEMTRACE_PHASE_ARMED, 1010, 520, 8);
	assert_phase(&l, 1, KMEMTRACE_PHASE_SMP, 1040, 72, 40);
	assert_phase(&l, 2, KMEMTRACE_PHASE_INITCALLS, 1080, 136, 136);
	assert_phase(&l, 3, KMEMTRACE_PHASE_INIT, 3 * LATER, 136, 136);
	assert_int_equal(h->steps[0].most[SPACE_SLAB], 520);
	assert_int_equal(h->peaks[SPACE_SLAB].bytes, 520);
	assert_int_equal(l.stats.by_class[FINDING_IMPOSSIBLE], 0);
	ledger_free(&l);
}

/* The steps of one trace are longer than its phases, those of the other shorter. */
static void test_phases_of_many(void **state)
{
	enum { NR = 2000 };
	struct step *steps = calloc(NR, sizeof(*steps));
	const int64_t tick[] = { 10, 1000000 };
	struct ledger l;
	unsigned int i, j;

	(void)state;
	assert_non_null(steps);
	for (j = 0; j < 2; j++) {
		for (i = 0; i < NR; i++)
			steps[i] = (struct step)
				ALLOC(tick[j] * i, i % 2, KMALLOC, SITE_A,
				      0x1000 + 64 * i, 64, 64);
		steps[0] = (struct step)PHASE(0, 0, ARMED);
		steps[700] = (struct step)PHASE(tick[j] * 700, 0, SMP);
		steps[703] = (struct step)FREE(tick[j] * 703, 0, KMALLOC, SITE_A,
					       0x1000 + 64 * 701);
		steps[704] = (struct step)PHASE(tick[j] * 704, 0, INIT);
		run(&l, steps, NR);
		assert_phase(&l, 0, KMEMTRACE_PHASE_ARMED, 0, 64 * 699, 64 * 699);
		assert_phase(&l, 1, KMEMTRACE_PHASE_SMP, tick[j] * 700,
			     64 * 701, 64 * 700);
		assert_phase(&l, 2, KMEMTRACE_PHASE_INIT, tick[j] * 704,
			     64 * (NR - 5), 64 * (NR - 5));
		assert_int_equal(l.history.peaks[SPACE_SLAB].bytes, 64 * (NR - 5));
		assert_int_equal(l.history.steps[l.history.nr_steps - 1].most[SPACE_SLAB],
				 64 * (NR - 5));
		ledger_free(&l);
	}
	free(steps);
}

/* What begins twice, or never. */
static void test_phases_impossible(void **state)
{
	static const struct step steps[] = {
		PHASE(1000, 0, ARMED),
		PHASE(1010, 0, INIT + 1),
		PHASE(1020, 0, ARMED - 1),
		PHASE(1030, 0, FREED),
		ALLOC(1040, 0, KMALLOC, SITE_A, 0x1000, 64, 64),
		PHASE(1050, 1, FREED),
		/* Of a CPU whose clock is a little behind. */
		PHASE(1060, 1, INITCALLS),
	};
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(l.history.nr_phases, 3);
	assert_phase(&l, 1, KMEMTRACE_PHASE_FREED, 1030, 64, 64);
	assert_phase(&l, 2, KMEMTRACE_PHASE_INITCALLS, 1060, 64, 64);
	assert_int_equal(l.stats.by_class[FINDING_IMPOSSIBLE], 2);
	assert_int_equal(l.stats.unknown_ids, 1);
	ledger_free(&l);
}

/* What comes later is not there; what waited for it waited in vain. */
static void test_until(void **state)
{
	static const struct step steps[] = {
		ALLOC(1000, 0, KMALLOC, SITE_A, 0x1000, 64, 64),
		ALLOC(2000, 0, KMALLOC, SITE_A, 0x2000, 64, 64),
		FREE(2000, 1, KMALLOC, SITE_B, 0x3000),
		ALLOC(2001, 0, KMALLOC, SITE_A, 0x3000, 64, 64),
		FREE(LATER, 0, KMALLOC, SITE_A, 0x1000),
	};
	struct ledger l;

	(void)state;
	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 2), 0);
	go_on_until(&l, steps, 5, 2000);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 128);
	assert_int_equal(l.stats.totals[SPACE_SLAB].allocs, 2);
	assert_int_equal(l.stats.totals[SPACE_SLAB].frees, 1);
	assert_finding(&l, FINDING_FREE_UNKNOWN, SPACE_SLAB, 0, SITE_B);
	ledger_free(&l);
	assert_int_equal(ledger_init(&l, &test_ctx, PAGE, 2), 0);
	go_on_until(&l, steps, 5, LATER);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), 64);
	assert_int_equal(nr_findings(&l), 0);
	ledger_free(&l);
}

/* ---- memory ---- */

static void flush(struct ledger *l, struct batch *b)
{
	unsigned int i;

	assert_int_equal(ledger_open(l, b), 0);
	for (i = 0; i < NR_SHARDS; i++)
		shard_take(l, b, i, 0);
	ledger_close(l, b);
	batch_clear(b);
}

static void add_event(struct ledger *l, struct batch *b,
		      const struct kmemtrace_event *ev)
{
	const struct record rec = { .ev = ev };

	if (intake_add(l, b, &rec, 0, ev->timestamp) == INTAKE_TAKEN)
		return;
	flush(l, b);
	assert_int_equal(intake_add(l, b, &rec, 0, ev->timestamp),
			 INTAKE_TAKEN);
}

/* Allocate and free at addresses that never come back; @step: time of each. */
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
	/* 16 MB, however little lives. */
	assert_true(room * sizeof(struct object) <= 16 << 20);
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

/* Where little happens, tables are small. */
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

/* Pages, too, at addresses that never come back. */
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
	/* 3 MB, however little lives. */
	assert_true(used * CHUNK_FRAMES * sizeof(struct slot) <= 3 << 20);
	ledger_free(&l);
}

/* A known frame stays where it is, however many new ones make others go. */
static void test_frames_stay(void **state)
{
	enum { NR = 20000, NEXT = STRIPE_FRAMES * NR_SHARDS };
	struct frames_stretch stretch;
	struct frames f;
	struct slot *slot;
	uint64_t i;

	(void)state;
	frames_init(&f, &test_ctx, 1, 0);
	for (i = 0; i < NR; i++) {
		slot = frames_get(&f, i * NEXT);
		slot->state = SLOT_FREED;
		assert_ptr_equal(frames_get(&f, i * NEXT), slot);
		assert_int_equal(slot->state, SLOT_FREED);
		stretch = frames_stretch(&f, (2 * NR + i) * STRIPE_FRAMES, CHUNK_FRAMES);
		assert_int_equal(stretch.nr, CHUNK_FRAMES);
		stretch.slot->state = SLOT_FREED;
		slot = stretch.slot;
		stretch = frames_stretch(&f, (2 * NR + i) * STRIPE_FRAMES, CHUNK_FRAMES);
		assert_ptr_equal(stretch.slot, slot);
		assert_int_equal(slot->state, SLOT_FREED);
	}
	frames_free(&f);
}

/* The frames of a model: one state each, without runs. */
enum { MODEL_CHUNKS = 40, MODEL_FRAMES = MODEL_CHUNKS * CHUNK_FRAMES };

static int check_model(void *model, uint64_t pfn, uint64_t nr, const struct slot *slot)
{
	const int64_t *times = model;

	for (; nr--; pfn++) {
		assert_int_equal(shard_of(pfn), 3);
		assert_int_equal(slot->time, times[frame_local(pfn)]);
	}
	return 0;
}

/* Give a part of a block to all of its frames in one shard. */
static void allocate_part(struct frames *f, uint64_t local, uint64_t nr, int64_t time)
{
	uint64_t at = local, end = local + nr;
	struct frames_stretch stretch;

	for (; at < end; at += stretch.nr) {
		stretch = frames_stretch(f, at, end - at);
		assert_true(stretch.nr && at + stretch.nr <= end);
		/* Live, so that none are forgotten. */
		stretch.slot->state = SLOT_LIVE;
		stretch.slot->time = time;
	}
	frames_join(f, local, nr);
}

/* Set the time of frames at random, many or one at a time, and compare with the model. */
static void test_frames_random(void **state)
{
	static int64_t times[MODEL_FRAMES];
	const struct frames *shards[NR_SHARDS];
	struct frames f, none;
	unsigned int i;

	(void)state;
	srand(1);
	frames_init(&f, &test_ctx, 2, 3);
	frames_init(&none, &test_ctx, 2, 0);
	for (i = 0; i < NR_SHARDS; i++)
		shards[i] = i == 3 ? &f : &none;
	for (i = 1; i < 3000; i++) {
		uint64_t at = rand() % MODEL_FRAMES, nr = rand() % (MODEL_FRAMES - at) + 1;
		uint64_t local;

		if (i % 3 == 0)
			nr = 1;
		allocate_part(&f, at, nr, i);
		for (local = at; local < at + nr; local++)
			times[local] = i;
		assert_int_equal(pages_each(shards, check_model, times), 0);
	}
	assert_true(f.runs.nr <= MODEL_CHUNKS);
	frames_free(&f);
	frames_free(&none);
}

/* The frames of all shards, and what pages_each() has found of them. */
enum { ROW = NR_SHARDS * STRIPE_FRAMES, ALL_FRAMES = 8 * ROW };

struct all_model {
	int64_t times[ALL_FRAMES];
	uint64_t next, calls;
};

static int check_all(void *model, uint64_t pfn, uint64_t nr, const struct slot *slot)
{
	struct all_model *m = model;

	m->calls++;
	for (; m->next < pfn; m->next++)
		assert_int_equal(m->times[m->next], 0);
	assert_int_equal(m->next, pfn);
	for (; m->next < pfn + nr; m->next++)
		assert_int_equal(m->times[m->next], slot->time);
	/* No neighbour is like these, unless nobody knows either. */
	assert_true(!slot->time || m->next == ALL_FRAMES ||
		    m->times[m->next] != slot->time);
	return 0;
}

static int end_walk(void *calls, uint64_t pfn, uint64_t nr, const struct slot *slot)
{
	unsigned int *left = calls;

	(void)pfn;
	(void)nr;
	(void)slot;
	return --*left ? 0 : 42;
}

/* Blocks at random, of all shards: each frame is visited once, in order. */
static void test_pages_each(void **state)
{
	static struct all_model m;
	const struct frames *shards[NR_SHARDS];
	struct frames f[NR_SHARDS];
	struct block_part part;
	unsigned int i, k, left = 2;

	(void)state;
	srand(2);
	for (i = 0; i < NR_SHARDS; i++) {
		frames_init(&f[i], &test_ctx, 2, i);
		shards[i] = &f[i];
	}
	for (i = 1; i < 1000; i++) {
		uint64_t at = rand() % ALL_FRAMES, nr = rand() % (ALL_FRAMES - at) + 1;

		if (i % 3)
			nr = nr % 100 + 1;
		if (at + nr > ALL_FRAMES)
			continue;
		for (k = 0; k < NR_SHARDS; k++) {
			part = block_part(at, nr, k);
			if (part.nr)
				allocate_part(&f[shard_of(part.pfn)], frame_local(part.pfn),
					      part.nr, i);
		}
		for (k = 0; k < nr; k++)
			m.times[at + k] = i;
		m.next = 0;
		assert_int_equal(pages_each(shards, check_all, &m), 0);
		for (; m.next < ALL_FRAMES; m.next++)
			assert_int_equal(m.times[m.next], 0);
	}
	assert_int_equal(pages_each(shards, end_walk, &left), 42);
	assert_int_equal(left, 0);

	/* One call for all, however many they are. */
	for (i = 0; i < NR_SHARDS; i++)
		allocate_part(&f[i], 0, ALL_FRAMES / NR_SHARDS, 5000);
	for (i = 0; i < ALL_FRAMES; i++)
		m.times[i] = 5000;
	m.next = m.calls = 0;
	assert_int_equal(pages_each(shards, check_all, &m), 0);
	assert_int_equal(m.calls, 1);
	for (i = 0; i < NR_SHARDS; i++)
		frames_free(&f[i]);
}

/* All frames of a block are in one part, and in the right shard. */
static void test_block_parts(void **state)
{
	const uint64_t blocks[][2] = {
		{ 0, 1 }, { 63, 1 }, { 64, 64 }, { 60, 8 }, { 0, 1024 }, { 1000, 2048 },
		{ 1 << 18, 1 << 18 }, { 5, 100000 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		uint64_t pfn, seen = 0, nr[NR_SHARDS] = { 0 }, first[NR_SHARDS] = { 0 };
		unsigned int part;

		for (pfn = blocks[i][0]; pfn < blocks[i][0] + blocks[i][1]; pfn++)
			if (!nr[shard_of(pfn)]++)
				first[shard_of(pfn)] = pfn;
		for (part = 0; part < NR_SHARDS; part++) {
			struct block_part p = block_part(blocks[i][0], blocks[i][1], part);

			if (!p.nr)
				break;
			assert_int_equal(p.pfn, first[shard_of(p.pfn)]);
			assert_int_equal(p.nr, nr[shard_of(p.pfn)]);
			seen += p.nr;
		}
		assert_int_equal(seen, blocks[i][1]);
	}
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
	assert_int_equal(l.stats.totals[SPACE_PAGES].matched, 3 * NR - 2 * KEPT);
	ledger_free(&l);
}

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
	/* Eight to a power of two, which is the largest of its step. */
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

/* Their sum may be more than 64 bits have room for. */
static void test_lifetime_mean(void **state)
{
	struct lifetime l = { 0 }, sum = { 0 };
	int i;

	(void)state;
	assert_int_equal(lifetime_mean(&l), 0);
	assert_int_equal(lifetime_median(&l), 0);
	for (i = 0; i < 3; i++)
		lifetime_count(&l, INT64_MAX);
	assert_int_equal(lifetime_mean(&l), INT64_MAX);
	lifetime_add(&sum, &l);
	lifetime_add(&sum, &l);
	assert_int_equal(lifetime_mean(&sum), INT64_MAX);
	assert_int_equal(lifetime_median(&sum), LIFETIME_STEPS - 1);
	for (i = 0; i < 6; i++)
		lifetime_count(&sum, i & 1 ? 2000 : -2000);
	assert_int_equal(lifetime_ended(&sum, LIFETIME_STEPS), 12);
	assert_int_equal(lifetime_ended(&sum, 1), 3);
	assert_int_equal(lifetime_mean(&sum), INT64_MAX / 2 + 500);
	assert_int_equal(lifetime_median(&sum), 1);
}

/* The lives that began at one call site and ended at another. */
static struct lifetime lives(const struct ledger *l, enum space space,
			     uint64_t begun, uint64_t ended)
{
	const struct lifetimes *all = &l->stats.lifetimes;
	struct lifetime sum = { 0 };
	uint32_t i;

	for (i = 1; i < all->nr; i++) {
		const struct kind *kind = kinds_get(&l->kinds, all->list[i].kind);
		const struct kind *free = kinds_get(&l->kinds,
						    all->list[i].freed_by);

		if (kind_space(kind) == space && kind->site == begun &&
		    free->site == ended)
			lifetime_add(&sum, &all->list[i]);
	}
	return sum;
}

/* Some of one kind are freed by one, some by another; some are older than the trace. */
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
		/* On a CPU whose clock is late. */
		FREE(2 * LATER - 50, 1, KMALLOC, SITE_C, 0x4000),
		ALLOC(2 * LATER, 0, KMALLOC, SITE_A, 0x4000, 60, 64),
	};
	struct lifetime life;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	assert_int_equal(nr_findings(&l), 0);
	life = lives(&l, SPACE_SLAB, SITE_A, SITE_B);
	assert_int_equal(life.ended[0], 2);
	assert_int_equal(life.ns, 400);
	assert_int_equal(life.bytes, 128);
	life = lives(&l, SPACE_SLAB, SITE_A, SITE_C);
	assert_int_equal(life.ended[0], 1);
	assert_int_equal(life.ended[1], 1);
	assert_int_equal(life.ns, 1500);
	life = lives(&l, SPACE_VMALLOC, SITE_A, SITE_B);
	assert_int_equal(lifetime_ended(&life, LIFETIME_STEPS), 1);
	assert_int_equal(life.bytes, PAGE);
	life = lives(&l, SPACE_SLAB, SITE_SNAPSHOT, SITE_B);
	assert_int_equal(lifetime_ended(&life, LIFETIME_STEPS), 0);
	assert_int_equal(site(&l, SPACE_SLAB, SITE_A)->frees, 4);
	assert_int_equal(site(&l, SPACE_SLAB, SITE_SNAPSHOT)->frees, 1);
	ledger_free(&l);
}

/* Each free of pages ends a life, whatever part of a block it is of. */
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
	struct lifetime life;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	life = lives(&l, SPACE_PAGES, SITE_A, SITE_C);
	assert_int_equal(life.ended[0], 1);
	assert_int_equal(life.ended[1], 1);
	assert_int_equal(life.bytes, 2 * PAGE);
	life = lives(&l, SPACE_PAGES, SITE_B, SITE_C);
	assert_int_equal(lifetime_ended(&life, LIFETIME_STEPS), 1);
	assert_int_equal(life.bytes, bytes);
	assert_int_equal(site(&l, SPACE_PAGES, SITE_B)->frees, 1);
	ledger_free(&l);
}

static void assert_node(const struct nodes *n, uint64_t ptr, int node)
{
	const struct node_range range = nodes_find(n, ptr);

	assert_int_equal(range.node, node);
	assert_in_range(ptr, range.first, range.last);
}

/* In any order; neighbours on one node are one. */
static void test_node_ranges(void **state)
{
	static const struct node_range ranges[] = {
		{ 0x3000, 0x3fff, 1 },
		{ 0x1000, 0x1fff, 0 },
		{ 0x8000, UINT64_MAX, 0 },
		{ 0x2000, 0x2fff, 0 },
		{ 0x4000, 0x4fff, MAX_NODES },
		{ 0x5000, 0x5fff, 1 },
		{ 0x4000, 0x4fff, 1 },
	};
	struct nodes n = { 0 };
	size_t i;

	(void)state;
	assert_node(&n, 0, NO_NODE);
	for (i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		nodes_add(&n, &test_ctx, &ranges[i]);
		assert_int_equal(n.are_many, i > 0);
	}
	assert_int_equal(n.nr, 3);
	assert_node(&n, 0xfff, NO_NODE);
	assert_node(&n, 0x1000, 0);
	assert_node(&n, 0x2fff, 0);
	assert_node(&n, 0x3000, 1);
	assert_node(&n, 0x5fff, 1);
	assert_node(&n, 0x6000, NO_NODE);
	assert_node(&n, UINT64_MAX, 0);
	nodes_free(&n);
}

/* The parts of a large block may be on two nodes; it is one allocation. */
static void test_nodes(void **state)
{
	const uint64_t bytes = 256 * PAGE;
	const struct step steps[] = {
		{ .time = 10, .event = KMEMTRACE_EVENT_SNAPSHOT,
		  .type = KMEMTRACE_TYPE_PAGES, .site = KMEMTRACE_FRAMES_FREE,
		  .ptr = 0x100000, .alloc = bytes / 2 },
		{ .time = 11, .event = KMEMTRACE_EVENT_SNAPSHOT,
		  .type = KMEMTRACE_TYPE_PAGES, .site = KMEMTRACE_FRAMES_FREE,
		  .ptr = 0x100000 + bytes / 2, .alloc = bytes / 2, .node = 1 },
		END(12, 0),
		ALLOC(20, 1, PAGES, SITE_A, 0x100000, bytes, bytes),
	};
	struct table *t;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	t = &l.stats.nodes[SPACE_PAGES];
	assert_int_equal(t->nr, 2);
	assert_int_equal(table_find(t, node_key(0, 1, 0))->allocs, 1);
	assert_int_equal(table_find(t, node_key(0, 1, 1))->allocs, 0);
	assert_int_equal(table_find(t, node_key(0, 1, 0))->alloc, bytes / 2);
	assert_int_equal(table_find(t, node_key(0, 1, 1))->alloc, bytes / 2);
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
		cmocka_unit_test(test_free_comes_early),
		cmocka_unit_test(test_free_was_not_early),
		cmocka_unit_test(test_alloc_comes_early),
		cmocka_unit_test(test_later_life_comes_early),
		cmocka_unit_test(test_later_end_comes_early),
		cmocka_unit_test(test_others_need_not_wait),
		cmocka_unit_test(test_freed_before_snapshot),
		cmocka_unit_test(test_not_settled),
		cmocka_unit_test(test_pages_split),
		cmocka_unit_test(test_pages_twice),
		cmocka_unit_test(test_pages_settled),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_order_of_one_cpu),
		cmocka_unit_test(test_snapshot_of_what_waits),
		cmocka_unit_test(test_large_block),
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_many_unknown),
		cmocka_unit_test(test_objects_by_space),
		cmocka_unit_test(test_vmalloc_beyond_32_bits),
		cmocka_unit_test(test_older_is_live_but_not_allocated),
		cmocka_unit_test(test_release_under_way),
		cmocka_unit_test(test_allocation_under_way),
		cmocka_unit_test(test_allocation_under_way_once),
		cmocka_unit_test(test_older_is_freed_first),
		cmocka_unit_test(test_known_free_frames),
		cmocka_unit_test(test_reserved_frames),
		cmocka_unit_test(test_memory_is_plugged_in),
		cmocka_unit_test(test_many_frames),
		cmocka_unit_test(test_many_frames_again),
		cmocka_unit_test(test_own_frames),
		cmocka_unit_test(test_snapshot_impossible),
		cmocka_unit_test(test_unknown_without_end),
		cmocka_unit_test(test_unknown_after_end),
		cmocka_unit_test(test_older_large_kmalloc),
		cmocka_unit_test(test_unsure_explains_so_much),
		cmocka_unit_test(test_slab_is_remembered),
		cmocka_unit_test(test_pages_freed_in_use),
		cmocka_unit_test(test_pages_freed_early),
		cmocka_unit_test(test_object_in_free_pages),
		cmocka_unit_test(test_older_object_in_pages),
		cmocka_unit_test(test_cache_address_used_again),
		cmocka_unit_test(test_no_cache),
		cmocka_unit_test(test_cache_is_merged),
		cmocka_unit_test(test_cache_gets_its_name_late),
		cmocka_unit_test(test_cache_links),
		cmocka_unit_test(test_cache_destroyed_in_use),
		cmocka_unit_test(test_kfree_of_a_caches_object),
		cmocka_unit_test(test_kmem_cache_free_of_kmalloc),
		cmocka_unit_test(test_any_api_frees_what_is_older),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_request_steps),
		cmocka_unit_test(test_peak),
		cmocka_unit_test(test_peak_of_parts),
		cmocka_unit_test(test_peak_of_older),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_move),
		cmocka_unit_test(test_move_huge),
		cmocka_unit_test(test_move_older),
		cmocka_unit_test(test_move_impossible),
		cmocka_unit_test(test_phases),
		cmocka_unit_test(test_phases_of_many),
		cmocka_unit_test(test_phases_impossible),
		cmocka_unit_test(test_until),
		cmocka_unit_test(test_node_ranges),
		cmocka_unit_test(test_nodes),
		cmocka_unit_test(test_lifetime_steps),
		cmocka_unit_test(test_lifetime_mean),
		cmocka_unit_test(test_lifetimes),
		cmocka_unit_test(test_lifetimes_of_pages),
		cmocka_unit_test(test_memory_follows_live),
		cmocka_unit_test(test_memory_of_few),
		cmocka_unit_test(test_memory_of_pages),
		cmocka_unit_test(test_frames_stay),
		cmocka_unit_test(test_frames_random),
		cmocka_unit_test(test_pages_each),
		cmocka_unit_test(test_block_parts),
		cmocka_unit_test(test_abi1_frees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
