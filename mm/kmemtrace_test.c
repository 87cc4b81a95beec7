// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of mm/kmemtrace.c, which includes this file.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/relay.h>
#include <linux/sizes.h>

struct subbufs_case {
	const char	*name;
	u64		memory;
	unsigned int	cpus;
	unsigned long	size;
	bool		given;
	unsigned long	asked;
	unsigned long	expected;
};

#define SUBBUF	KMEMTRACE_SUBBUF_SIZE

static const struct subbufs_case subbufs_cases[] __initconst = {
	{ "default, 16 GiB, 2 CPUs", 16ULL * SZ_1G, 2, SUBBUF, false, 0, 256 },
	{ "default, 1 GiB, 2 CPUs", SZ_1G, 2, SUBBUF, false, 0, 146 },
	{ "default, 256 MiB, 2 CPUs", SZ_256M, 2, SUBBUF, false, 0, 36 },
	{ "default, 128 MiB, 4 CPUs", SZ_128M, 4, SUBBUF, false, 0, 9 },
	{ "default, tiny", SZ_8M, 8, SUBBUF, false, 0, 2 },
	{ "asked", SZ_1G, 2, SUBBUF, true, 100, 100 },
	{ "asked for 0", SZ_1G, 2, SUBBUF, true, 0, 2 },
	{ "asked for 1", SZ_1G, 2, SUBBUF, true, 1, 2 },
	{ "asked for an 8th", SZ_1G, 2, SUBBUF, true, 146, 146 },
	{ "asked for more", SZ_1G, 2, SUBBUF, true, 147, 146 },
	{ "asked for everything", SZ_128M, 4, SUBBUF, true, ULONG_MAX, 9 },
	{ "default, small ones", 16ULL * SZ_1G, 2, SZ_64K, false, 0, 1792 },
	{ "default, large ones", 16ULL * SZ_1G, 2, SZ_16M, false, 0, 7 },
	{ "more than relay takes", 4096ULL * SZ_1G, 1, SUBBUF, true, ULONG_MAX, 9362 },
};

static void __init kmemtrace_test_subbufs(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(subbufs_cases); i++) {
		const struct subbufs_case *c = &subbufs_cases[i];
		u64 pages = c->memory >> PAGE_SHIFT;

		if (pages > ULONG_MAX)
			continue;
		KUNIT_EXPECT_EQ_MSG(test,
				    kmemtrace_n_subbufs(pages, c->cpus,
							c->size, c->given,
							c->asked),
				    c->expected, "%s", c->name);
	}
}

/* Two sub-buffers fit into an 8th of the memory, but for the smallest ones. */
static void __init kmemtrace_test_subbuf_size(struct kunit *test)
{
	const unsigned long gib = SZ_1G >> PAGE_SHIFT;
	const unsigned long mib64 = SZ_64M >> PAGE_SHIFT;
	const unsigned long least = KMEMTRACE_MIN_SUBBUF;

	KUNIT_EXPECT_EQ(test, kmemtrace_subbuf_size(gib, 2, 0), least);
	KUNIT_EXPECT_EQ(test, kmemtrace_subbuf_size(gib, 2, 2 * least),
			2 * least);
	KUNIT_EXPECT_EQ(test, kmemtrace_subbuf_size(gib, 2, least + 1),
			least + PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, kmemtrace_subbuf_size(gib, 2, ULONG_MAX), SZ_16M);
	KUNIT_EXPECT_EQ(test, kmemtrace_subbuf_size(mib64, 2, SZ_16M), SZ_2M);
	KUNIT_EXPECT_EQ(test, kmemtrace_subbuf_size(mib64, 512, SZ_16M), least);
	KUNIT_EXPECT_EQ(test, kmemtrace_subbuf_size(mib64, 512, SUBBUF), SUBBUF);
}

/* The tail of a sub-buffer is nothing but pads, and zeros in them. */
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

/* The stream tells of each loss once. */
static void kmemtrace_test_lost(struct kunit *test)
{
	struct marker_channel_cpu end = {
		.lost = { .records = 5, .bytes = 300 },
		.lost_nmi = { .records = 2, .bytes = 112 },
		.lost_since = 1000,
	};
	struct kmemtrace_told saved, *told;
	struct kmemtrace_lost lost;
	unsigned long flags;

	local_irq_save(flags);
	told = this_cpu_ptr(&kmemtrace_told);
	saved = *told;
	*told = (struct kmemtrace_told) { };
	KUNIT_EXPECT_EQ(test, kmemtrace_put_lost(&end, &lost), sizeof(lost));
	KUNIT_EXPECT_EQ(test, lost.records, 7);
	KUNIT_EXPECT_EQ(test, lost.bytes, 412);
	KUNIT_EXPECT_EQ(test, lost.nested, 2);
	KUNIT_EXPECT_EQ(test, lost.since, 1000);
	KUNIT_EXPECT_EQ(test, end.lost_since, 0);
	KUNIT_EXPECT_EQ(test, kmemtrace_put_lost(&end, &lost), 0);
	end.lost_nmi.records++;
	end.lost_nmi.bytes += 56;
	KUNIT_EXPECT_EQ(test, kmemtrace_put_lost(&end, &lost), sizeof(lost));
	KUNIT_EXPECT_EQ(test, lost.records, 1);
	KUNIT_EXPECT_EQ(test, lost.nested, 1);
	KUNIT_EXPECT_EQ(test, lost.since, 0);
	*told = saved;
	local_irq_restore(flags);
}

static void check_clocks(struct kunit *test, bool cycles)
{
	struct kmemtrace_clock first = { }, second = { };
	u64 before = ktime_get_mono_fast_ns();

	kmemtrace_read_clocks(&first, cycles);
	usleep_range(100, 200);
	kmemtrace_read_clocks(&second, cycles);
	KUNIT_EXPECT_GE(test, first.monotonic, before);
	KUNIT_EXPECT_GE(test, second.monotonic, first.monotonic);
	KUNIT_EXPECT_LE(test, second.monotonic, ktime_get_mono_fast_ns());
	KUNIT_EXPECT_GT(test, second.timestamp, first.timestamp);
	KUNIT_EXPECT_GE(test, first.error, hrtimer_resolution);
	KUNIT_EXPECT_EQ(test, first.frequency, second.frequency);
	if (!cycles)
		KUNIT_EXPECT_EQ(test, first.frequency, 0);
}

/* Pairs of both clocks are of one moment, and go on. */
static void kmemtrace_test_clocks(struct kunit *test)
{
	check_clocks(test, false);
	if (kmemtrace_cycles_possible())
		check_clocks(test, true);
	else
		KUNIT_EXPECT_FALSE(test, kmemtrace_cycles);
}

/* The first record of this CPU behind the time; NULL: there is none. */
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
	marker_channel_start(&kmemtrace_channel);
	kmemtrace_boot_phase(KMEMTRACE_PHASE_FREED);
	marker_channel_stop(&kmemtrace_channel);
	phase = first_record();
	KUNIT_EXPECT_NOT_NULL(test, phase);
	if (phase)
		check_phase(test, phase);
	marker_channel_discard(&kmemtrace_channel);
}

/* While tracing is on, a phase is a record; while it is off, nothing. */
static void kmemtrace_test_phase(struct kunit *test)
{
	size_t subbuf_size = kmemtrace_channel.subbuf_size;
	size_t n_subbufs = kmemtrace_channel.n_subbufs;

	mutex_lock(&kmemtrace_mutex);
	migrate_disable();
	if (kmemtrace_enabled) {
		KUNIT_FAIL(test, "tracing is on: the channel isn't free\n");
	} else {
		kmemtrace_channel.subbuf_size = KMEMTRACE_MIN_SUBBUF;
		kmemtrace_channel.n_subbufs = 2;
		record_phase(test);
		kmemtrace_channel.subbuf_size = subbuf_size;
		kmemtrace_channel.n_subbufs = n_subbufs;
	}
	migrate_enable();
	mutex_unlock(&kmemtrace_mutex);
}

static struct kunit_case kmemtrace_test_cases[] __refdata = {
	KUNIT_CASE(kmemtrace_test_subbufs),
	KUNIT_CASE(kmemtrace_test_subbuf_size),
	KUNIT_CASE(kmemtrace_test_pads),
	KUNIT_CASE(kmemtrace_test_lost),
	KUNIT_CASE(kmemtrace_test_clocks),
	KUNIT_CASE(kmemtrace_test_phase),
	{ }
};

static struct kunit_suite kmemtrace_test_suite = {
	.name = "kmemtrace",
	.test_cases = kmemtrace_test_cases,
};

kunit_test_init_section_suite(kmemtrace_test_suite);
