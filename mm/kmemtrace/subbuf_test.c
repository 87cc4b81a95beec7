// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of subbuf.c, which includes this file. */
#include <kunit/test.h>
#include <linux/gfp.h>
#include <linux/irqflags.h>
#include <linux/string.h>

/* Only pads fill the tail of a sub-buffer, and only zeros fill them. */
static void kmemtrace_test_pads(struct kunit *test)
{
	const size_t bytes = KMEMTRACE_MAX_PAD + 24;
	u8 *tail = kunit_kmalloc(test, bytes + 1, GFP_KERNEL);
	struct kmemtrace_pad *pad = (void *)tail;

	KUNIT_ASSERT_NOT_NULL(test, tail);
	memset(tail, 0xff, bytes + 1);
	kmemtrace_fill_subbuf(tail, bytes);
	KUNIT_EXPECT_EQ(test, pad->event_id, KMEMTRACE_EVENT_PAD);
	KUNIT_EXPECT_EQ(test, pad->event_size, KMEMTRACE_MAX_PAD);
	KUNIT_EXPECT_NULL(test, memchr_inv(pad + 1, 0, KMEMTRACE_MAX_PAD -
					   sizeof(*pad)));
	pad = (void *)pad + pad->event_size;
	KUNIT_EXPECT_EQ(test, pad->event_id, KMEMTRACE_EVENT_PAD);
	KUNIT_EXPECT_EQ(test, pad->event_size, 24);
	KUNIT_EXPECT_NULL(test, memchr_inv(pad + 1, 0, 24 - sizeof(*pad)));
	KUNIT_EXPECT_EQ(test, tail[bytes], 0xff);
}

/* The stream reports each loss once. */
static void kmemtrace_test_lost(struct kunit *test)
{
	struct marker_channel_cpu end = {
		.lost = { .records = 5, .bytes = 300 },
		.lost_nmi = { .records = 2, .bytes = 112 },
		.lost_since = 1000,
	};
	struct kmemtrace_reported saved, *reported;
	struct kmemtrace_lost lost;
	unsigned long flags;

	local_irq_save(flags);
	reported = this_cpu_ptr(&kmemtrace_reported);
	saved = *reported;
	*reported = (struct kmemtrace_reported) { };
	KUNIT_EXPECT_EQ(test, kmemtrace_emit_lost(&end, &lost), sizeof(lost));
	KUNIT_EXPECT_EQ(test, lost.records, 7);
	KUNIT_EXPECT_EQ(test, lost.bytes, 412);
	KUNIT_EXPECT_EQ(test, lost.nested, 2);
	KUNIT_EXPECT_EQ(test, lost.since, 1000);
	KUNIT_EXPECT_EQ(test, end.lost_since, 0);
	KUNIT_EXPECT_EQ(test, kmemtrace_emit_lost(&end, &lost), 0);
	end.lost_nmi.records++;
	end.lost_nmi.bytes += 56;
	KUNIT_EXPECT_EQ(test, kmemtrace_emit_lost(&end, &lost), sizeof(lost));
	KUNIT_EXPECT_EQ(test, lost.records, 1);
	KUNIT_EXPECT_EQ(test, lost.nested, 1);
	KUNIT_EXPECT_EQ(test, lost.since, 0);
	/* Records that were overwritten are no loss. */
	*reported = (struct kmemtrace_reported) { };
	end.overwritten = (struct marker_channel_loss) { 4, 240 };
	KUNIT_EXPECT_EQ(test, kmemtrace_emit_lost(&end, &lost), sizeof(lost));
	KUNIT_EXPECT_EQ(test, lost.records, 8);
	KUNIT_EXPECT_EQ(test, lost.bytes, 468);
	KUNIT_EXPECT_EQ(test, lost.nested, 3);
	KUNIT_EXPECT_EQ(test, kmemtrace_emit_lost(&end, &lost), 0);
	*reported = saved;
	local_irq_restore(flags);
}

static struct kunit_case kmemtrace_subbuf_cases[] = {
	KUNIT_CASE(kmemtrace_test_pads),
	KUNIT_CASE(kmemtrace_test_lost),
	{ }
};

static struct kunit_suite kmemtrace_subbuf_suite = {
	.name = "kmemtrace_subbuf",
	.test_cases = kmemtrace_subbuf_cases,
};

kunit_test_suite(kmemtrace_subbuf_suite);
