// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of who.c, which includes this file. */
#include <kunit/test.h>

static void who_test_words(struct kunit *test)
{
	char kinds[KMEMTRACE_MAX_WITH] = "refs=kunit";
	char words[KMEMTRACE_MAX_WITH + 8] = "stack";

	KUNIT_EXPECT_EQ(test, kmemtrace_parse_with("none"), 0);
	KUNIT_EXPECT_EQ(test, kmemtrace_parse_with("stack"), KMEMTRACE_WITH_STACK);
	KUNIT_EXPECT_EQ(test, kmemtrace_parse_with("task,stack"),
			KMEMTRACE_WITH_STACK | KMEMTRACE_WITH_TASK);
	KUNIT_EXPECT_EQ(test, kmemtrace_parse_with(""), -EINVAL);
	KUNIT_EXPECT_EQ(test, kmemtrace_parse_with("stack,"), -EINVAL);
	KUNIT_EXPECT_EQ(test, kmemtrace_parse_with("stack,none"), -EINVAL);
	KUNIT_EXPECT_EQ(test, kmemtrace_parse_with("refs="), -EINVAL);
	KUNIT_EXPECT_EQ(test, kmemtrace_parse_with("refs=nothing"), -EINVAL);
	KUNIT_EXPECT_EQ(test, kmemtrace_parse_with("task,refs=kunit"),
			IS_ENABLED(CONFIG_KMEMTRACE_REFS) ?
			KMEMTRACE_WITH_TASK | KMEMTRACE_WITH_REFS |
			KMEMTRACE_WITH_STACK : -EINVAL);
	for (int i = 0; i < KMEMTRACE_MAX_KINDS; i++)
		strlcat(kinds, ",refs=kunit", sizeof(kinds));
	KUNIT_EXPECT_EQ(test, kmemtrace_parse_with(kinds), -EINVAL);
	for (int i = 0; i < KMEMTRACE_MAX_WITH / strlen(",stack"); i++)
		strlcat(words, ",stack", sizeof(words));
	KUNIT_EXPECT_EQ(test, kmemtrace_parse_with(words), -EINVAL);
}

/* A task is recorded at the begin of each sub-buffer, if the trace has tasks. */
static void who_test_task(struct kunit *test)
{
	struct kmemtrace_task record = { };

	kmemtrace_reset_tasks(false);
	KUNIT_EXPECT_EQ(test, kmemtrace_fill_task(&record, 7), 0);
	kmemtrace_reset_tasks(true);
	preempt_disable();
	KUNIT_EXPECT_EQ(test, kmemtrace_fill_task(&record, 7), sizeof(record));
	preempt_enable();
	kmemtrace_reset_tasks(false);
	KUNIT_EXPECT_EQ(test, record.event_id, KMEMTRACE_EVENT_TASK);
	KUNIT_EXPECT_EQ(test, record.pid, current->pid);
	KUNIT_EXPECT_EQ(test, record.timestamp, 7);
	KUNIT_EXPECT_STREQ(test, record.comm, current->comm);
}

/* The programs of kmemtrace have their own context, and tests of them have not. */
static void who_test_own(struct kunit *test)
{
	static const struct {
		char name[TASK_COMM_LEN];
		enum kmemtrace_context context;
	} cases[] = {
		{ "kmemtraced", KMEMTRACE_CONTEXT_OWN },
		{ "kmemtrace-expor", KMEMTRACE_CONTEXT_OWN },
		{ "kmemtraced-test", KMEMTRACE_CONTEXT_TASK },
		{ "kmemtrace", KMEMTRACE_CONTEXT_TASK },
		{ "kmemtop", KMEMTRACE_CONTEXT_TASK },
		{ "", KMEMTRACE_CONTEXT_TASK },
	};
	char before[TASK_COMM_LEN];
	u64 who;

	get_task_comm(before, current);
	for (int i = 0; i < ARRAY_SIZE(cases); i++) {
		set_task_comm(current, cases[i].name);
		who = kmemtrace_who(_RET_IP_, __builtin_frame_address(0));
		KUNIT_EXPECT_EQ_MSG(test, kmemtrace_is_own(),
				    cases[i].context == KMEMTRACE_CONTEXT_OWN,
				    "%s", cases[i].name);
		KUNIT_EXPECT_EQ(test, (who & KMEMTRACE_WHO_CONTEXT) >>
				      KMEMTRACE_WHO_CONTEXT_SHIFT,
				cases[i].context);
	}
	set_task_comm(current, before);
}

static struct kunit_case who_test_cases[] = {
	KUNIT_CASE(who_test_own),
	KUNIT_CASE(who_test_words),
	KUNIT_CASE(who_test_task),
	{ }
};

static struct kunit_suite who_test_suite = {
	.name = "kmemtrace_who",
	.test_cases = who_test_cases,
};

kunit_test_suite(who_test_suite);
