// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of core.c, which includes this file. */
#include <kunit/test.h>
#include <linux/kasan.h>
#include <linux/preempt.h>
#include <linux/relay.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

/* Return the first record of this CPU behind that of the clock, or NULL. */
static const struct kmemtrace_phase *first_record(void)
{
	struct rchan_buf *buf = this_cpu_ptr(&kmemtrace_channel_cpu)->buf;

	if (!buf || !buf->subbufs_produced)
		return NULL;
	return buf->start + sizeof(struct kmemtrace_clock);
}

static void check_phase(struct kunit *test, const struct kmemtrace_phase *phase)
{
	const struct kmemtrace_pad *next = (const void *)(phase + 1);

	KUNIT_EXPECT_EQ(test, phase->event_id, KMEMTRACE_EVENT_PHASE);
	KUNIT_EXPECT_EQ(test, phase->phase, KMEMTRACE_PHASE_FREED);
	KUNIT_EXPECT_EQ(test, phase->event_size, sizeof(*phase));
	KUNIT_EXPECT_EQ(test, phase->cpu, smp_processor_id());
	KUNIT_EXPECT_NULL(test, memchr_inv(phase->zero, 0,
					   sizeof(phase->zero)));
	KUNIT_EXPECT_EQ(test, next->event_id, KMEMTRACE_EVENT_PAD);
}

static void record_phase(struct kunit *test)
{
	const struct kmemtrace_phase *phase;

	if (marker_channel_prepare(&kmemtrace_channel, false)) {
		KUNIT_FAIL(test, "no buffers\n");
		return;
	}
	kmemtrace_boot_phase(KMEMTRACE_PHASE_SMP);
	kmemtrace_reset_reported();
	marker_channel_start(&kmemtrace_channel);
	kmemtrace_boot_phase(KMEMTRACE_PHASE_FREED);
	marker_channel_stop(&kmemtrace_channel);
	phase = first_record();
	KUNIT_EXPECT_NOT_NULL(test, phase);
	if (phase)
		check_phase(test, phase);
	marker_channel_discard(&kmemtrace_channel);
}

/* A phase becomes a record only while the channel runs. */
static void kmemtrace_test_phase(struct kunit *test)
{
	size_t subbuf_size = kmemtrace_channel.subbuf_size;
	size_t n_subbufs = kmemtrace_channel.n_subbufs;

	mutex_lock(&kmemtrace_mutex);
	migrate_disable();
	if (kmemtrace_state_now != KMEMTRACE_OFF) {
		KUNIT_FAIL(test, "tracing is on: the channel isn't free\n");
	} else {
		kmemtrace_channel.subbuf_size = MARKER_CHANNEL_MIN_SUBBUF;
		kmemtrace_channel.n_subbufs = 2;
		record_phase(test);
		kmemtrace_channel.subbuf_size = subbuf_size;
		kmemtrace_channel.n_subbufs = n_subbufs;
	}
	migrate_enable();
	mutex_unlock(&kmemtrace_mutex);
}

/* ---- a sample ---- */

#define TEST_SAMPLE	4
#define TEST_OBJECTS	128

/* Objects of less than a page, then as many of a page, and how many events each has. */
static void *test_objects[2 * TEST_OBJECTS];
static unsigned int test_events[2 * TEST_OBJECTS];

static void test_count(const struct kmemtrace_event *event)
{
	if (event->event_id != KMEMTRACE_EVENT_ALLOC &&
	    event->event_id != KMEMTRACE_EVENT_FREE)
		return;
	if (event->type_id != KMEMTRACE_TYPE_KMALLOC)
		return;
	for (int i = 0; i < ARRAY_SIZE(test_objects); i++)
		if (event->ptr == (unsigned long)kasan_reset_tag(test_objects[i]))
			test_events[i]++;
}

/* Count the events in a buffer that was not read. Its last sub-buffer may be in part. */
static void test_count_all(const struct rchan_buf *buf)
{
	const size_t size = kmemtrace_channel.subbuf_size;

	for (size_t i = 0; i <= buf->subbufs_produced; i++) {
		const struct kmemtrace_event *event;

		for (size_t at = 0; at < size; at += event->event_size) {
			event = buf->start + i * size + at;
			if (!event->event_size)
				break;
			test_count(event);
		}
	}
}

static void test_use_objects(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(test_objects); i++) {
		test_objects[i] = kmalloc(i < TEST_OBJECTS ? 200 : PAGE_SIZE,
					  GFP_KERNEL);
		KUNIT_EXPECT_NOT_NULL(test, test_objects[i]);
	}
	for (int i = 0; i < ARRAY_SIZE(test_objects); i++)
		kfree(test_objects[i]);
}

static void test_expect_events(struct kunit *test)
{
	unsigned int in_sample = 0;

	for (int i = 0; i < ARRAY_SIZE(test_objects); i++) {
		u64 ptr = (unsigned long)kasan_reset_tag(test_objects[i]);
		bool expected = i >= TEST_OBJECTS ||
				kmemtrace_in_sample(ptr, TEST_SAMPLE);

		/* Another object may have had the address. */
		if (expected)
			KUNIT_EXPECT_GE(test, test_events[i], 2);
		else
			KUNIT_EXPECT_EQ(test, test_events[i], 0);
		in_sample += expected && i < TEST_OBJECTS;
	}
	KUNIT_EXPECT_GT(test, in_sample, 0);
	KUNIT_EXPECT_LT(test, in_sample, TEST_OBJECTS);
}

/* A sample has both events of an object, or none; it has all objects of a page. */
static void kmemtrace_test_sample(struct kunit *test)
{
	bool baseline = kmemtrace_has_baseline();

	if (IS_ENABLED(CONFIG_SLOB)) {
		KUNIT_EXPECT_EQ(test, kmemtrace_set_sample(TEST_SAMPLE), -EINVAL);
		return;
	}
	memset(test_events, 0, sizeof(test_events));
	KUNIT_EXPECT_EQ(test, kmemtrace_set_sample(3), -EINVAL);
	KUNIT_EXPECT_EQ(test, kmemtrace_set_sample(0), -EINVAL);
	KUNIT_ASSERT_EQ(test, kmemtrace_set_sample(TEST_SAMPLE), 0);
	KUNIT_ASSERT_EQ(test, kmemtrace_set_baseline(false), 0);
	migrate_disable();
	KUNIT_EXPECT_EQ(test, kmemtrace_switch(KMEMTRACE_ON), 0);
	KUNIT_EXPECT_EQ(test, kmemtrace_set_sample(1), -EBUSY);
	test_use_objects(test);
	kmemtrace_switch(KMEMTRACE_OFF);
	test_count_all(this_cpu_ptr(&kmemtrace_channel_cpu)->buf);
	migrate_enable();
	test_expect_events(test);
	kmemtrace_give_up();
	kmemtrace_set_sample(1);
	kmemtrace_set_baseline(baseline);
}

static struct kunit_case kmemtrace_core_cases[] = {
	KUNIT_CASE(kmemtrace_test_phase),
	KUNIT_CASE(kmemtrace_test_sample),
	{ }
};

static struct kunit_suite kmemtrace_core_suite = {
	.name = "kmemtrace",
	.test_cases = kmemtrace_core_cases,
};

kunit_test_suite(kmemtrace_core_suite);
