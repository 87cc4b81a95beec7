// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of core.c, which includes this file. */
#include <kunit/test.h>
#include <linux/preempt.h>
#include <linux/relay.h>
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

	if (marker_channel_prepare(&kmemtrace_channel)) {
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
	if (kmemtrace_enabled) {
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

static struct kunit_case kmemtrace_core_cases[] = {
	KUNIT_CASE(kmemtrace_test_phase),
	{ }
};

static struct kunit_suite kmemtrace_core_suite = {
	.name = "kmemtrace",
	.test_cases = kmemtrace_core_cases,
};

kunit_test_suite(kmemtrace_core_suite);
