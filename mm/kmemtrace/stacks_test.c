// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of stacks.c, which includes this file. Tracing is off: no record is written. */
#include <kunit/test.h>

static u32 stacks_test_number(u64 hash, bool *is_new)
{
	struct kmemtrace_entry *entry = kmemtrace_find_entry(hash, is_new);

	return entry ? entry - kmemtrace_entries + 1 : 0;
}

/* A path keeps its number, others have other numbers, also if they begin at one entry. */
static void stacks_test_numbers(struct kunit *test)
{
	const u64 first = 5ULL << (64 - KMEMTRACE_STACKS_SHIFT);
	bool is_new;

	KUNIT_ASSERT_EQ(test, kmemtrace_begin_stacks(false), 0);
	for (u32 i = 1; i <= KMEMTRACE_STACK_TRIES; i++) {
		KUNIT_EXPECT_EQ(test, stacks_test_number(first + i, &is_new), 5 + i);
		KUNIT_EXPECT_TRUE(test, is_new);
	}
	KUNIT_EXPECT_EQ(test, stacks_test_number(first, &is_new), 0);
	for (u32 i = 1; i <= KMEMTRACE_STACK_TRIES; i++) {
		KUNIT_EXPECT_EQ(test, stacks_test_number(first + i, &is_new), 5 + i);
		KUNIT_EXPECT_FALSE(test, is_new);
	}
	KUNIT_EXPECT_EQ(test, stacks_test_number(U64_MAX, &is_new),
			KMEMTRACE_STACKS);
	kmemtrace_end_stacks();
}

/* What a trace that overwrites keeps of a path. */
static void stacks_test_kept(struct kunit *test)
{
	struct kmemtrace_path path = { .depth = 2, .frames = { 11, 22 } };
	struct kmemtrace_entry *entry;
	bool is_new;

	KUNIT_ASSERT_EQ(test, kmemtrace_begin_stacks(true), 0);
	for (u64 i = 1; i <= 2; i++) {
		entry = kmemtrace_find_entry(i << 60, &is_new);
		kmemtrace_emit_stack(entry, &path, is_new);
		/* No channel runs: the record has to come later. */
		KUNIT_EXPECT_FALSE(test, entry->is_recorded);
		KUNIT_EXPECT_EQ(test, entry->first, 2 * (i - 1));
		KUNIT_EXPECT_EQ(test, entry->depth, 2);
		KUNIT_EXPECT_EQ(test, memcmp(&kmemtrace_kept[entry->first], path.frames,
					     2 * sizeof(path.frames[0])), 0);
	}
	kmemtrace_emit_stack(entry, &path, false);
	KUNIT_EXPECT_EQ(test, atomic_read(&kmemtrace_nr_kept), 4);
	kmemtrace_end_stacks();
}

/* A path that finds no room for its addresses has a number nevertheless. */
static void stacks_test_full(struct kunit *test)
{
	struct kmemtrace_path path = { .depth = KMEMTRACE_MAX_FRAMES };
	struct kmemtrace_entry *entry;
	bool is_new;

	KUNIT_ASSERT_EQ(test, kmemtrace_begin_stacks(true), 0);
	atomic_set(&kmemtrace_nr_kept, KMEMTRACE_KEPT - KMEMTRACE_MAX_FRAMES + 1);
	entry = kmemtrace_find_entry(1, &is_new);
	kmemtrace_emit_stack(entry, &path, is_new);
	KUNIT_EXPECT_EQ(test, entry->depth, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&kmemtrace_nr_kept),
			KMEMTRACE_KEPT - KMEMTRACE_MAX_FRAMES + 1);
	kmemtrace_end_stacks();
}

static struct kunit_case stacks_test_cases[] = {
	KUNIT_CASE(stacks_test_numbers),
	KUNIT_CASE(stacks_test_kept),
	KUNIT_CASE(stacks_test_full),
	{ }
};

static struct kunit_suite stacks_test_suite = {
	.name = "kmemtrace_stacks",
	.test_cases = stacks_test_cases,
};

kunit_test_suite(stacks_test_suite);
