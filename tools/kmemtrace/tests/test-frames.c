// SPDX-License-Identifier: GPL-2.0
/*
 * Page frames: runs of them, parts of blocks, their nodes.
 */
#include "test.h"

#include "ledger/pages.h"
#include "ledger-steps.h"
#include "test-files.h"

/* New frames evict unused ones, but the address of a known frame stays the same. */
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

/* A model has one state for each frame, and no runs. */
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
		/* The shard forgets no live frame. */
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

/* The model of all shards, and the state of a walk through them. */
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
	/* The next frame has another time, or both are unknown. */
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

/* Allocate blocks at random: pages_each() visits each frame once, in order. */
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

	/* All frames have one owner: pages_each() makes one call. */
	for (i = 0; i < NR_SHARDS; i++)
		allocate_part(&f[i], 0, ALL_FRAMES / NR_SHARDS, 5000);
	for (i = 0; i < ALL_FRAMES; i++)
		m.times[i] = 5000;
	m.next = 0;
	m.calls = 0;
	assert_int_equal(pages_each(shards, check_all, &m), 0);
	assert_int_equal(m.calls, 1);
	for (i = 0; i < NR_SHARDS; i++)
		frames_free(&f[i]);
}

/* Each frame of a block is in one part, and that part is in the shard of the frame. */
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

static void assert_node(const struct nodes *n, uint64_t ptr, int node)
{
	const struct node_range range = nodes_find(n, ptr);

	assert_int_equal(range.node, node);
	assert_in_range(ptr, range.first, range.last);
}

/* Add ranges in any order: neighbours on one node become one range. */
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

/* A large block on two nodes counts as one allocation, and its bytes for each node. */
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
	const struct kmemtrace_trace *trace;
	const struct table *t;
	struct ledger l;

	(void)state;
	RUN(&l, steps);
	trace = trace_of(&l);
	assert_int_equal(count_rows(trace, "nodes", NULL), 2);
	assert_int_equal(sum_where(trace, "nodes", "allocs", "allocator=pages,node=0"), 1);
	assert_int_equal(sum_where(trace, "nodes", "allocs", "allocator=pages,node=1"), 0);
	assert_int_equal(sum_where(trace, "nodes", "bytes", "allocator=pages,node=0"), bytes / 2);
	assert_int_equal(sum_where(trace, "nodes", "bytes", "allocator=pages,node=1"), bytes / 2);
	/* The relation has the node of a CPU, but not its number. */
	t = &l.stats.nodes[SPACE_PAGES];
	assert_int_equal(t->nr, 2);
	assert_non_null(table_find(t, node_key(0, 1, 0)));
	assert_non_null(table_find(t, node_key(0, 1, 1)));
	ledger_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames_stay),
		cmocka_unit_test(test_frames_random),
		cmocka_unit_test(test_pages_each),
		cmocka_unit_test(test_block_parts),
		cmocka_unit_test(test_node_ranges),
		cmocka_unit_test(test_nodes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
