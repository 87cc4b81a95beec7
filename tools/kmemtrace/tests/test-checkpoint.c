// SPDX-License-Identifier: GPL-2.0
/*
 * The state of the ledger, stored and restored: a ledger that was restored goes on as the other
 * one, and a state that no ledger has is refused.
 */
#include "test.h"

#include "books/checkpoint.h"
#include "ledger-steps.h"
#include "test-files.h"

static const struct step first_half[] = {
	PHASE(1, 0, ARMED),
	CACHE(2, CREATED, 1, 0xc000, 64, "widget"),
	STACK(3, 0, 7, SITE_A, SITE_B),
	CGROUP(4, CREATED, 5, 1, 0x2f61000000000000),
	ALLOC_FROM(10, 0, CACHE, SITE_A, 0x1000, 64, 0xc000),
	ALLOC_WHO(20, 0, KMALLOC, SITE_B, 0x2000, 64, 0, 7),
	ALLOC(30, 1, PAGES, SITE_C, 0x8000, PAGE, PAGE),
	FREE(LATER, 0, KMALLOC, SITE_C, 0x3000),
	FAILED(LATER + 1, KMALLOC, SITE_A, 100, 0),
};

static const struct step second_half[] = {
	FREE(2 * LATER, 1, CACHE, SITE_B, 0x1000),
	FREE_PAGES(2 * LATER + 10, 0, SITE_B, 0x8000, PAGE),
	FREE(3 * LATER, 0, KMALLOC, SITE_C, 0x2000),
	FREE(4 * LATER, 0, KMALLOC, SITE_C, 0x2000),
};

/* Read the first half; other steps will follow. */
static void begin(struct ledger *l)
{
	assert_int_equal(ledger_init(l, &test_ctx, PAGE, 2), 0);
	go_on_until(l, first_half, sizeof(first_half) / sizeof(*first_half), INT64_MAX);
	assert_int_equal(ledger_update(l), 0);
}

/* Store the state of @from, and restore it in @to. Return whether it was accepted. */
static bool pass_on(struct ledger *from, struct ledger *to)
{
	struct archive out = { .ctx = &test_ctx }, in = { .ctx = &test_ctx, .reads = true };
	bool is_good;

	checkpoint_archive(from, &out);
	in.bytes = out.bytes;
	in.size = out.size;
	assert_int_equal(ledger_init(to, &test_ctx, PAGE, 2), 0);
	checkpoint_archive(to, &in);
	is_good = !in.is_damaged && in.at == in.size;
	archive_free(&out);
	return is_good;
}

static void test_goes_on(void **state)
{
	const size_t nr = sizeof(second_half) / sizeof(*second_half);
	struct ledger l, restored;

	(void)state;
	begin(&l);
	assert_true(checkpoint_is_possible(&l));
	assert_true(pass_on(&l, &restored));
	go_on(&l, second_half, nr);
	go_on(&restored, second_half, nr);
	assert_int_equal(live_bytes(&l, SPACE_SLAB), live_bytes(&restored, SPACE_SLAB));
	assert_int_equal(nr_findings(&l), 2);
	assert_int_equal(nr_findings(&restored), 2);
	assert_memory_equal(&l.history, &restored.history, sizeof(l.history));
	assert_memory_equal(l.stats.totals, restored.stats.totals, sizeof(l.stats.totals));
	assert_string_equal(restored.caches.list[1].name, "widget");
	assert_string_equal(restored.who.cgroups[1].path, "/a");
	assert_int_equal(restored.stats.nr_failures, 1);
	ledger_free(&l);
	ledger_free(&restored);
}

/* Changes of a state that no ledger makes. */
static void lose_live(struct ledger *l)
{
	unsigned int i;

	for (i = 0; i < NR_SHARDS; i++)
		l->shards[i].objects[SPACE_SLAB].live = 0;
}

static void lose_frames(struct ledger *l)
{
	l->who.paths[1].is_named = false;
}

static void repeat_phase(struct ledger *l)
{
	l->history.phases[1] = l->history.phases[0];
	l->history.nr_phases = 2;
}

static void stretch_steps(struct ledger *l)
{
	l->history.width = UINT64_MAX;
}

static void stop_steps(struct ledger *l)
{
	l->history.width = 0;
}

static void raise_step(struct ledger *l)
{
	l->kinds.pieces[0][0].rest |= (uint64_t)KIND_STEP_MASK << KIND_STEP_SHIFT;
}

static void change_cache(struct ledger *l)
{
	l->kinds.pieces[0][0].class = class_key(77, 64);
}

static void change_who(struct ledger *l)
{
	l->kinds.pieces[0][0].who = who_key(77, 0);
}

static void change_party(struct ledger *l)
{
	l->kinds.pieces[0][0].who = who_key(0, 77);
}

static void change_slot(struct ledger *l)
{
	struct frames *f = &l->shards[ledger_shard_of(l, 0x8000)].frames;

	frames_get(f, 8)->kind = 77;
}

static void change_finding(struct ledger *l)
{
	l->stats.findings[0].class = NR_FINDINGS;
}

static void repeat_cgroup(struct ledger *l)
{
	l->who.cgroups[1].number = 0;
}

static void wait_elsewhere(struct ledger *l)
{
	struct shard *s = &l->shards[ledger_shard_of(l, 0x1000)];

	s->waiting[0].c = (struct change) { .ptr = UINT64_C(1) << 40 | 0x41000, .alloc = 8 };
	s->nr_waiting = 1;
}

static void wait_for_all(struct ledger *l)
{
	struct shard *s = &l->shards[ledger_shard_of(l, 0x1000)];

	s->waiting[0].c = (struct change) {
		.ptr = 0x1000, .alloc = UINT64_C(1) << 60, .space = SPACE_PAGES,
		.type = KMEMTRACE_TYPE_PAGES,
	};
	s->nr_waiting = 1;
}

static void test_refuses(void **state)
{
	static void (* const changes[])(struct ledger *l) = {
		lose_live, lose_frames, repeat_phase, stretch_steps, stop_steps, raise_step,
		change_cache, change_who, change_party, change_slot, change_finding,
		repeat_cgroup, wait_elsewhere, wait_for_all,
	};
	struct ledger l, restored;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		begin(&l);
		changes[i](&l);
		if (pass_on(&l, &restored))
			fail_msg("change %zu is accepted", i);
		ledger_free(&restored);
		ledger_free(&l);
	}
}

/* A part of a state is no state. */
static void test_refuses_parts(void **state)
{
	struct archive out = { .ctx = &test_ctx }, in;
	struct ledger l, restored;
	size_t cut;

	(void)state;
	begin(&l);
	checkpoint_archive(&l, &out);
	for (cut = 0; cut < out.size; cut += out.size / 50) {
		in = (struct archive) {
			.ctx = &test_ctx, .reads = true, .bytes = out.bytes, .size = cut,
		};
		assert_int_equal(ledger_init(&restored, &test_ctx, PAGE, 2), 0);
		checkpoint_archive(&restored, &in);
		assert_true(in.is_damaged);
		ledger_free(&restored);
	}
	archive_free(&out);
	ledger_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_goes_on),
		cmocka_unit_test(test_refuses),
		cmocka_unit_test(test_refuses_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
