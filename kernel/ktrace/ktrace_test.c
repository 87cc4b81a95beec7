// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of ktrace: names, ids, the selection, and what is armed in which state. */
#include <kunit/test.h>
#include <linux/list.h>
#include <linux/marker.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <uapi/linux/ktrace.h>
#include "ktrace.h"

DECLARE_MARKER(ktrace_test_typed,
	MARKER_PARAMS(u64 number),
	MARKER_ARGS(number),
	"number %llu")
DEFINE_MARKER(ktrace_test_typed);

static noinline void hit_all(void)
{
	marker_call(ktrace_test_typed, 1);
	trace_mark(ktrace_test_one, "number %d", 2);
	trace_mark(ktrace_test_two, "text %s", "three");
}

static const char * const test_names[] = {
	"ktrace_test_typed", "ktrace_test_one", "ktrace_test_two",
};

/* The selection before a test. */
static char *former;

/* Return the event of a marker of this file. */
static struct ktrace_event *find(struct kunit *test, const char *name)
{
	struct ktrace_event *event, *found = NULL;

	list_for_each_entry(event, &ktrace_events, list)
		if (!strcmp(event->name->name, name))
			found = found ?: event;
	KUNIT_ASSERT_NOT_NULL(test, found);
	return found;
}

/* ktrace_mutex is held. A failed assertion ends a test before unlock(). */
static bool locked;

static void lock(void)
{
	mutex_lock(&ktrace_mutex);
	locked = true;
}

static void unlock(void)
{
	locked = false;
	mutex_unlock(&ktrace_mutex);
}

static int ktrace_test_init(struct kunit *test)
{
	if (ktrace_state() != KTRACE_OFF)
		kunit_skip(test, "recording is on");
	lock();
	ktrace_add_vmlinux();
	former = kstrdup(ktrace_selection(), GFP_KERNEL);
	unlock();
	return former ? 0 : -ENOMEM;
}

/* KUnit calls this in another task than the test. */
static void ktrace_test_exit(struct kunit *test)
{
	/* after kunit_skip() */
	if (!former)
		return;
	if (!locked)
		lock();
	ktrace_switch(KTRACE_OFF);
	ktrace_reset();
	ktrace_select(former);
	unlock();
	kfree(former);
	former = NULL;
}

/* ---- names and ids ---- */

static void ktrace_test_ids(struct kunit *test)
{
	unsigned int last = KTRACE_ID_FIRST - 1;
	struct ktrace_event *event;

	lock();
	list_for_each_entry(event, &ktrace_events, list) {
		KUNIT_EXPECT_EQ(test, event->event.id, last + 1);
		KUNIT_EXPECT_TRUE(test,
				  event->event.cpu == ktrace_channel.cpu);
		KUNIT_EXPECT_GT(test, event->markers, 0);
		last = event->event.id;
	}
	KUNIT_EXPECT_STREQ(test, find(test, "ktrace_test_typed")->format,
			   "number %llu");
	KUNIT_EXPECT_STREQ(test, find(test, "ktrace_test_two")->format,
			   "text %s");
	unlock();
}

/* Each marker of the kernel has an event, and is counted once. */
static void ktrace_test_vmlinux(struct kunit *test)
{
	struct ktrace_event *event;
	unsigned int markers = 0;

	lock();
	ktrace_add_vmlinux();
	list_for_each_entry(event, &ktrace_events, list)
		markers += event->markers;
	KUNIT_EXPECT_EQ(test, markers, __stop___markers - __start___markers);
	KUNIT_EXPECT_TRUE(test, ktrace_is_present(find(test, "ktrace_test_one")->name));
	unlock();
}

/* ---- the selection ---- */

/* Select, and expect which of the markers of this file are wanted: a letter for each. */
static void expect_selected(struct kunit *test, const char *patterns,
			    const char *letters)
{
	KUNIT_EXPECT_EQ(test, ktrace_select(patterns), 0);
	KUNIT_EXPECT_STREQ(test, ktrace_selection(), patterns);
	for (int i = 0; i < ARRAY_SIZE(test_names); i++)
		KUNIT_EXPECT_EQ_MSG(test, find(test, test_names[i])->name->wanted,
				    letters[i] == '1', "%s: %s", patterns,
				    test_names[i]);
}

static void ktrace_test_select(struct kunit *test)
{
	lock();
	expect_selected(test, "ktrace_test_one", "010");
	expect_selected(test, "ktrace_test_on", "000");
	expect_selected(test, "ktrace_test_one_", "000");
	expect_selected(test, "*", "111");
	expect_selected(test, "", "000");
	expect_selected(test, "ktrace_test_*", "111");
	expect_selected(test, "ktrace_test_t*", "101");
	expect_selected(test, "ktrace_test_t?o", "001");
	expect_selected(test, "ktrace_test_[o]*", "010");
	expect_selected(test, "ktrace_test_[!o]*", "101");
	expect_selected(test, "*_typed,*_two", "101");
	expect_selected(test, "none,ktrace_test_two,none", "001");
	expect_selected(test, ",,ktrace_test_two,,", "001");
	expect_selected(test, ",", "000");
	unlock();
}

/* A pattern that is too long changes nothing, wherever it is. */
static void ktrace_test_long(struct kunit *test)
{
	char text[300];

	lock();
	expect_selected(test, "ktrace_test_one", "010");
	memset(text, 'x', sizeof(text));
	strscpy(text + 128, ",*", sizeof(text) - 128);
	KUNIT_EXPECT_EQ(test, ktrace_select(text), -ENAMETOOLONG);
	memcpy(text, "*,", 2);
	memset(text + 2, '*', 128);
	text[2 + 128] = '\0';
	KUNIT_EXPECT_EQ(test, ktrace_select(text), -ENAMETOOLONG);
	KUNIT_EXPECT_STREQ(test, ktrace_selection(), "ktrace_test_one");
	KUNIT_EXPECT_FALSE(test, find(test, "ktrace_test_two")->name->wanted);
	text[2 + 127] = '\0';
	expect_selected(test, text, "111");
	unlock();
}

static void ktrace_test_want(struct kunit *test)
{
	struct ktrace_event *one;

	lock();
	one = find(test, "ktrace_test_one");
	expect_selected(test, "", "000");
	KUNIT_EXPECT_EQ(test, ktrace_want(one->name, true), 0);
	KUNIT_EXPECT_TRUE(test, one->name->wanted);
	KUNIT_EXPECT_STREQ(test, ktrace_selection(), "");
	KUNIT_EXPECT_FALSE(test, find(test, "ktrace_test_two")->name->wanted);
	expect_selected(test, "ktrace_test_two", "001");
	unlock();
}

/* ---- states ---- */

/* Expect which of the markers of this file are armed: a letter for each. */
static void expect_armed(struct kunit *test, const char *letters)
{
	for (int i = 0; i < ARRAY_SIZE(test_names); i++) {
		struct ktrace_event *event = find(test, test_names[i]);

		KUNIT_EXPECT_PTR_EQ(test, event->name->armed,
				    letters[i] == '1' ? event : NULL);
	}
	KUNIT_EXPECT_EQ(test, __marker_enabled_ktrace_test_typed(),
			letters[0] == '1');
}

/* Return the number of events, recorded or lost, since recording was switched on. */
static u64 count_events(void)
{
	unsigned int cpu;
	u64 sum = 0;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(ktrace_channel.cpu, cpu)->events);
	return sum;
}

/* Markers are armed while recording is on, and wanted. */
static void ktrace_test_arm(struct kunit *test)
{
	lock();
	expect_selected(test, "ktrace_test_t*", "101");
	expect_armed(test, "000");
	KUNIT_ASSERT_EQ(test, ktrace_switch(KTRACE_ON), 0);
	expect_armed(test, "101");
	hit_all();
	KUNIT_EXPECT_EQ(test, count_events(), 2);
	KUNIT_EXPECT_EQ(test, ktrace_want(find(test, "ktrace_test_one")->name,
					  true), 0);
	KUNIT_EXPECT_EQ(test, ktrace_want(find(test, "ktrace_test_typed")->name,
					  false), 0);
	expect_armed(test, "011");
	hit_all();
	KUNIT_EXPECT_EQ(test, count_events(), 4);
	expect_selected(test, "ktrace_test_typed", "100");
	expect_armed(test, "100");
	hit_all();
	KUNIT_EXPECT_EQ(test, count_events(), 5);
	KUNIT_EXPECT_EQ(test, ktrace_switch(KTRACE_OFF), 0);
	expect_armed(test, "000");
	hit_all();
	KUNIT_EXPECT_EQ(test, count_events(), 5);
	unlock();
}

static void ktrace_test_states(struct kunit *test)
{
	lock();
	expect_selected(test, "ktrace_test_*", "111");
	KUNIT_EXPECT_EQ(test, ktrace_switch(KTRACE_OFF), 0);
	KUNIT_ASSERT_EQ(test, ktrace_switch(KTRACE_ON), 0);
	KUNIT_EXPECT_EQ(test, ktrace_state(), KTRACE_ON);
	KUNIT_EXPECT_EQ(test, ktrace_switch(KTRACE_ON), 0);
	KUNIT_EXPECT_EQ(test, ktrace_switch(KTRACE_OVERWRITE), -EBUSY);
	KUNIT_EXPECT_EQ(test, ktrace_state(), KTRACE_ON);
	hit_all();
	KUNIT_EXPECT_EQ(test, ktrace_switch(KTRACE_OFF), 0);
	/* unread records */
	KUNIT_EXPECT_EQ(test, ktrace_switch(KTRACE_OVERWRITE), -EBUSY);
	KUNIT_EXPECT_EQ(test, ktrace_state(), KTRACE_OFF);
	expect_armed(test, "000");
	KUNIT_EXPECT_EQ(test, ktrace_reset(), 0);
	KUNIT_EXPECT_EQ(test, ktrace_state(), KTRACE_OFF);
	KUNIT_EXPECT_EQ(test, count_events(), 0);
	KUNIT_ASSERT_EQ(test, ktrace_switch(KTRACE_OVERWRITE), 0);
	KUNIT_EXPECT_EQ(test, ktrace_switch(KTRACE_ON), -EBUSY);
	hit_all();
	KUNIT_EXPECT_EQ(test, count_events(), 3);
	KUNIT_EXPECT_EQ(test, ktrace_reset(), 0);
	KUNIT_EXPECT_EQ(test, ktrace_state(), KTRACE_OVERWRITE);
	expect_armed(test, "111");
	KUNIT_EXPECT_EQ(test, count_events(), 0);
	hit_all();
	KUNIT_EXPECT_EQ(test, count_events(), 3);
	unlock();
}

static struct kunit_case ktrace_cases[] = {
	KUNIT_CASE(ktrace_test_ids),
	KUNIT_CASE(ktrace_test_vmlinux),
	KUNIT_CASE(ktrace_test_select),
	KUNIT_CASE(ktrace_test_long),
	KUNIT_CASE(ktrace_test_want),
	KUNIT_CASE(ktrace_test_arm),
	KUNIT_CASE(ktrace_test_states),
	{ }
};

static struct kunit_suite ktrace_suite = {
	.name = "ktrace",
	.init = ktrace_test_init,
	.exit = ktrace_test_exit,
	.test_cases = ktrace_cases,
};

kunit_test_suite(ktrace_suite);
