// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of marker channels. The channel has two sub-buffers of four records;
 * the tests are pinned to a CPU.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/marker_channel.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>
#include "marker_channel_internal.h"

#define RECORD		sizeof(u64)
#define PER_SUBBUF	4
#define N_SUBBUFS	2

DEFINE_STATIC_MARKER_CHANNEL(test_channel, NULL);

static unsigned int test_cpu;

/* Write one record; return false if there is no room. */
static bool write_record(u64 value)
{
	unsigned long flags;
	u64 *slot;

	local_irq_save(flags);
	slot = marker_channel_begin(&test_channel_cpu, RECORD);
	if (slot)
		*slot = value;
	local_irq_restore(flags);
	return slot;
}

static u64 lost(void)
{
	struct marker_channel_loss loss = marker_channel_lost(&test_channel,
							      test_cpu);

	/* All records have the same size. */
	return loss.bytes == loss.records * RECORD ? loss.records : U64_MAX;
}

static struct rchan_buf *test_buf(void)
{
	return per_cpu_ptr(&test_channel_cpu, test_cpu)->buf;
}

static u64 *subbuf_start(size_t index)
{
	return test_buf()->start + index * test_channel.subbuf_size;
}

/*
 * Consume the oldest published sub-buffer, which must hold the numbers from @first on.
 * Return its bytes.
 */
static size_t consume(struct kunit *test, u64 first)
{
	struct rchan_buf *buf = test_buf();
	size_t index = buf->subbufs_consumed %
		       per_cpu_ptr(&test_channel_cpu, test_cpu)->n_subbufs;
	size_t bytes = test_channel.subbuf_size - buf->padding[index];
	u64 *record = subbuf_start(index);

	KUNIT_ASSERT_LT(test, buf->subbufs_consumed, buf->subbufs_produced);
	for (size_t i = 0; i < bytes / RECORD; i++)
		KUNIT_EXPECT_EQ(test, record[i], first + i);
	buf->subbufs_consumed++;
	return bytes;
}

static struct marker_channel_cpu *test_part(void)
{
	return per_cpu_ptr(&test_channel_cpu, test_cpu);
}

/* Prepare and start a generation that overwrites. */
static void start_ring(struct kunit *test)
{
	marker_channel_stop(&test_channel);
	marker_channel_discard(&test_channel);
	KUNIT_ASSERT_EQ(test, marker_channel_prepare(&test_channel, true), 0);
	marker_channel_start(&test_channel);
}

/*
 * Consume the oldest sub-buffer of a ring as a reader does: it must be the one with number
 * @sequence, and hold the numbers from @first on, also if the CPU writes many records
 * between the claim and the end.
 */
static void consume_ring(struct kunit *test, u64 sequence, u64 first, u64 *next)
{
	struct marker_channel_cpu *part = test_part();
	struct marker_channel_span span, again;

	mutex_lock(&part->read_lock);
	KUNIT_ASSERT_TRUE(test, marker_channel_claim(part, &span));
	for (int i = 0; i < 10 * PER_SUBBUF; i++)
		KUNIT_EXPECT_TRUE(test, write_record((*next)++));
	KUNIT_ASSERT_TRUE(test, marker_channel_claim(part, &again));
	KUNIT_EXPECT_EQ(test, span.sequence, sequence);
	KUNIT_EXPECT_EQ(test, again.sequence, sequence);
	KUNIT_EXPECT_EQ(test, again.position, span.position);
	KUNIT_EXPECT_EQ(test, span.bytes, PER_SUBBUF * RECORD);
	for (u64 i = 0; i < PER_SUBBUF; i++)
		KUNIT_EXPECT_EQ(test, ((const u64 *)span.from)[i], first + i);
	marker_channel_consume(part);
	mutex_unlock(&part->read_lock);
}

static int channel_test_init(struct kunit *test)
{
	int ret;

	/* The test runs in the same thread as this, its exit in another. */
	test_cpu = raw_smp_processor_id();
	ret = set_cpus_allowed_ptr(current, cpumask_of(test_cpu));
	if (ret)
		return ret;
	marker_channel_init(&test_channel, PER_SUBBUF * RECORD, N_SUBBUFS);
	return marker_channel_prepare(&test_channel, false);
}

static void channel_test_exit(struct kunit *test)
{
	marker_channel_stop(&test_channel);
	marker_channel_discard(&test_channel);
	test_channel.ops = NULL;
}

static void channel_test_order(struct kunit *test)
{
	marker_channel_start(&test_channel);
	for (u64 i = 0; i < PER_SUBBUF + 1; i++)
		KUNIT_EXPECT_TRUE(test, write_record(i));
	KUNIT_EXPECT_EQ(test, consume(test, 0), PER_SUBBUF * RECORD);
	marker_channel_stop(&test_channel);
	KUNIT_EXPECT_EQ(test, consume(test, PER_SUBBUF), RECORD);
	KUNIT_EXPECT_EQ(test, lost(), 0);
}

static void channel_test_loss(struct kunit *test)
{
	u64 room = N_SUBBUFS * PER_SUBBUF;

	marker_channel_start(&test_channel);
	for (u64 i = 0; i < room; i++)
		KUNIT_EXPECT_TRUE(test, write_record(i));
	KUNIT_EXPECT_FALSE(test, write_record(room));
	KUNIT_EXPECT_FALSE(test, write_record(room));
	KUNIT_EXPECT_EQ(test, lost(), 2);

	/* As soon as there is room again, no record is lost. */
	consume(test, 0);
	KUNIT_EXPECT_TRUE(test, write_record(room));
	KUNIT_EXPECT_EQ(test, lost(), 2);
}

/* The number of a sub-buffer that a reader has stays, whatever is overwritten meanwhile. */
static void channel_test_overwrite(struct kunit *test)
{
	u64 next = 0;

	start_ring(test);
	for (int i = 0; i < 3 * PER_SUBBUF; i++)
		KUNIT_EXPECT_TRUE(test, write_record(next++));
	/* The third is the current one, the second the oldest one that is left. */
	consume_ring(test, 1, PER_SUBBUF, &next);
	/* While the reader had one, the CPU used the other one, and did not publish it. */
	KUNIT_EXPECT_TRUE(test, write_record(next++));
	consume_ring(test, 12, 12 * PER_SUBBUF, &next);
	KUNIT_EXPECT_EQ(test, lost(), 0);
}

static void channel_test_stopped(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, write_record(0));
	KUNIT_EXPECT_EQ(test, lost(), 0);
	marker_channel_start(&test_channel);
	KUNIT_EXPECT_TRUE(test, write_record(0));
	marker_channel_stop(&test_channel);
	KUNIT_EXPECT_FALSE(test, write_record(1));
	KUNIT_EXPECT_EQ(test, lost(), 0);
}

static void channel_test_resize(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, marker_channel_resize(&test_channel, 1), -ERANGE);
	KUNIT_EXPECT_EQ(test, marker_channel_resize(&test_channel, UINT_MAX),
			-ERANGE);
	KUNIT_EXPECT_EQ(test, marker_channel_resize(&test_channel, 3), -EBUSY);
	marker_channel_stop(&test_channel);
	KUNIT_EXPECT_EQ(test, marker_channel_resize(&test_channel, 3), 0);
	KUNIT_EXPECT_EQ(test, marker_channel_largest(&test_channel), 3);
	KUNIT_ASSERT_EQ(test, marker_channel_prepare(&test_channel, false), 0);
	marker_channel_start(&test_channel);
	for (u64 i = 0; i < 3 * PER_SUBBUF; i++)
		KUNIT_EXPECT_TRUE(test, write_record(i));
	KUNIT_EXPECT_FALSE(test, write_record(0));
}

/* Let buffers grow to @most sub-buffers, by @spare of all CPUs, once. */
static void grow(size_t most, size_t spare)
{
	test_channel.n_spare = spare;
	WRITE_ONCE(test_channel.n_most, most);
	queue_work(system_unbound_wq, &test_channel.grow);
	flush_work(&test_channel.grow);
	WRITE_ONCE(test_channel.n_most, 0);
}

/* A buffer that is half full grows, loses nothing, and keeps what was read of it. */
static void channel_test_grow(struct kunit *test)
{
	struct marker_channel_cpu *pcpu = per_cpu_ptr(&test_channel_cpu,
						      test_cpu);
	struct rchan_buf *small;

	marker_channel_start(&test_channel);
	small = test_buf();
	grow(4, 2);
	KUNIT_EXPECT_PTR_EQ(test, test_buf(), small);
	for (u64 i = 0; i < PER_SUBBUF + 1; i++)
		KUNIT_EXPECT_TRUE(test, write_record(i));
	test_buf()->bytes_consumed = RECORD;
	grow(4, 3);
	KUNIT_EXPECT_EQ(test, pcpu->n_subbufs, 4);
	KUNIT_EXPECT_EQ(test, test_channel.n_spare, 1);
	KUNIT_EXPECT_EQ(test, test_buf()->bytes_consumed, RECORD);
	KUNIT_EXPECT_EQ(test, consume(test, 0), PER_SUBBUF * RECORD);
	/* The current sub-buffer was published with its one record. */
	KUNIT_EXPECT_EQ(test, consume(test, PER_SUBBUF), RECORD);
	for (u64 i = 0; i < 2 * PER_SUBBUF; i++)
		KUNIT_EXPECT_TRUE(test, write_record(i));
	KUNIT_EXPECT_EQ(test, lost(), 0);
}

/* One that is mapped stays. So does one that begins again with its first sub-buffer. */
static void channel_test_grow_not(struct kunit *test)
{
	struct marker_channel_cpu *pcpu = per_cpu_ptr(&test_channel_cpu,
						      test_cpu);

	marker_channel_start(&test_channel);
	for (u64 i = 0; i < PER_SUBBUF + 1; i++)
		KUNIT_EXPECT_TRUE(test, write_record(i));
	pcpu->mapped = true;
	grow(4, 2);
	KUNIT_EXPECT_EQ(test, pcpu->n_subbufs, N_SUBBUFS);
	KUNIT_EXPECT_EQ(test, test_channel.n_spare, 2);
	pcpu->mapped = false;
	consume(test, 0);
	for (u64 i = 0; i < PER_SUBBUF; i++)
		KUNIT_EXPECT_TRUE(test, write_record(i));
	grow(4, 2);
	KUNIT_EXPECT_EQ(test, pcpu->n_subbufs, N_SUBBUFS);
	/* Nothing was published for it. */
	for (u64 i = PER_SUBBUF; i < 2 * PER_SUBBUF - 1; i++)
		KUNIT_EXPECT_TRUE(test, write_record(i));
	KUNIT_EXPECT_EQ(test, lost(), 0);
}

/* A full buffer grows, too. It ends when there is nothing left to grow by. */
static void channel_test_grow_full(struct kunit *test)
{
	marker_channel_start(&test_channel);
	for (u64 i = 0; i < N_SUBBUFS * PER_SUBBUF + 1; i++)
		KUNIT_EXPECT_EQ(test, write_record(i),
				i < N_SUBBUFS * PER_SUBBUF);
	grow(4, 1);
	KUNIT_EXPECT_EQ(test, marker_channel_largest(&test_channel), 3);
	KUNIT_EXPECT_EQ(test, test_channel.n_spare, 0);
	for (u64 i = 0; i < PER_SUBBUF; i++)
		KUNIT_EXPECT_TRUE(test, write_record(i));
	KUNIT_EXPECT_FALSE(test, write_record(0));
	KUNIT_EXPECT_EQ(test, consume(test, 0), PER_SUBBUF * RECORD);
	KUNIT_EXPECT_EQ(test, lost(), 2);
}

static void channel_test_generations(struct kunit *test)
{
	marker_channel_start(&test_channel);
	KUNIT_EXPECT_EQ(test, marker_channel_prepare(&test_channel, false), -EBUSY);
	KUNIT_EXPECT_TRUE(test, write_record(0));
	marker_channel_stop(&test_channel);
	KUNIT_EXPECT_EQ(test, marker_channel_prepare(&test_channel, false), -EBUSY);
	KUNIT_EXPECT_EQ(test, consume(test, 0), RECORD);
	KUNIT_EXPECT_EQ(test, marker_channel_prepare(&test_channel, false), 0);
	marker_channel_start(&test_channel);
	KUNIT_EXPECT_TRUE(test, write_record(7));
	marker_channel_stop(&test_channel);
	KUNIT_EXPECT_EQ(test, consume(test, 7), RECORD);
}

/* A late work item of a reader does not free the buffers of the next generation. */
static void channel_test_release(struct kunit *test)
{
	test_channel.release.func(&test_channel.release);
	KUNIT_EXPECT_NOT_NULL(test, test_buf());
	KUNIT_EXPECT_EQ(test, marker_channel_prepare(&test_channel, false), -EBUSY);
	marker_channel_start(&test_channel);
	KUNIT_EXPECT_TRUE(test, write_record(0));
}

/* Stopping an unused channel publishes nothing and frees the buffers. */
static void channel_test_unused(struct kunit *test)
{
	marker_channel_start(&test_channel);
	KUNIT_EXPECT_NOT_NULL(test, test_buf());
	marker_channel_stop(&test_channel);
	KUNIT_EXPECT_NULL(test, test_buf());
}

/* The record of an NMI is counted as lost: the NMI may have interrupted a writer. */
static void channel_test_nested(struct kunit *test)
{
	unsigned long flags;
	void *outer, *inner;

	marker_channel_start(&test_channel);
	local_irq_save(flags);
	outer = marker_channel_begin(&test_channel_cpu, RECORD);
	__preempt_count_add(NMI_OFFSET);
	inner = marker_channel_begin(&test_channel_cpu, RECORD);
	__preempt_count_sub(NMI_OFFSET);
	if (outer)
		*(u64 *)outer = 1;
	local_irq_restore(flags);
	KUNIT_EXPECT_NOT_NULL(test, outer);
	KUNIT_EXPECT_NULL(test, inner);
	KUNIT_EXPECT_EQ(test, lost(), 1);
	KUNIT_EXPECT_TRUE(test, write_record(2));
	marker_channel_stop(&test_channel);
	KUNIT_EXPECT_EQ(test, consume(test, 1), 2 * RECORD);
}

#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/apic.h>
#include <asm/nmi.h>

#define NMI_NAME	"marker_channel_test"
#define NMI_RECORD	U64_MAX

static atomic_t nmis_sent, nmis_seen;

/*
 * Handle only NMIs that the test sent. Another NMI that comes while the test's is
 * pending may be taken for it, which makes no difference to the test.
 */
static int test_nmi(unsigned int type, struct pt_regs *regs)
{
	if (raw_smp_processor_id() != test_cpu ||
	    atomic_read(&nmis_seen) == atomic_read(&nmis_sent))
		return NMI_DONE;
	write_record(NMI_RECORD);
	atomic_inc(&nmis_seen);
	return NMI_HANDLED;
}

/* Send an NMI to the CPU of the tests; return false if none comes within a second. */
static bool raise_nmi(void)
{
	u64 end = ktime_get_mono_fast_ns() + NSEC_PER_SEC;
	int sent = atomic_inc_return(&nmis_sent);

	apic->send_IPI(test_cpu, NMI_VECTOR);
	while (atomic_read(&nmis_seen) != sent) {
		if (ktime_get_mono_fast_ns() > end) {
			atomic_dec(&nmis_sent);
			return false;
		}
		cpu_relax();
	}
	return true;
}

/* The record of an NMI is counted at any moment; that of the writer stays intact. */
static void channel_test_nmi(struct kunit *test)
{
	unsigned long flags;
	bool raised;
	u64 *slot;

	KUNIT_ASSERT_EQ(test, 0, register_nmi_handler(NMI_LOCAL, test_nmi, 0,
						      NMI_NAME));
	marker_channel_start(&test_channel);
	raised = raise_nmi();
	KUNIT_EXPECT_EQ(test, lost(), 1);

	local_irq_save(flags);
	slot = marker_channel_begin(&test_channel_cpu, RECORD);
	raised &= raise_nmi();
	if (slot) {
		*slot = 1;
		raised &= raise_nmi();
	}
	raised &= raise_nmi();
	local_irq_restore(flags);
	unregister_nmi_handler(NMI_LOCAL, NMI_NAME);

	KUNIT_EXPECT_TRUE(test, raised);
	KUNIT_EXPECT_NOT_NULL(test, slot);
	KUNIT_EXPECT_EQ(test, lost(), 4);
	KUNIT_EXPECT_TRUE(test, write_record(2));
	marker_channel_stop(&test_channel);
	KUNIT_EXPECT_EQ(test, consume(test, 1), 2 * RECORD);
}

#define STORM_SUBBUF	SZ_64K
#define STORM_NMIS	10000

/* Runs on another CPU. The pauses let the interrupted CPU make progress. */
static int nmi_storm(void *data)
{
	for (int i = 0; i < STORM_NMIS && !kthread_should_stop(); i++) {
		if (!raise_nmi())
			break;
		udelay(5);
		cond_resched();
	}
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

/* Records of the task are numbered from 0, and are read in the same order. */
struct storm {
	u64 written;
	u64 read;
};

static void check_storm(struct kunit *test, struct storm *storm)
{
	struct rchan_buf *buf = test_buf();

	for (; buf && buf->subbufs_consumed < buf->subbufs_produced;
	     buf->subbufs_consumed++) {
		size_t i = buf->subbufs_consumed % N_SUBBUFS;
		u64 *record = subbuf_start(i);
		size_t nr = (STORM_SUBBUF - buf->padding[i]) / RECORD;

		for (; nr--; record++) {
			if (*record == storm->read)
				storm->read++;
			else
				KUNIT_FAIL(test, "%llu instead of %llu\n",
					   *record, storm->read);
		}
	}
}

static void pause_briefly(void)
{
	for (int i = 0; i < 100; i++)
		cpu_relax();
}

/* write_record() with a pause in which an NMI may come. */
static bool write_slowly(u64 value)
{
	unsigned long flags;
	u64 *slot;

	local_irq_save(flags);
	slot = marker_channel_begin(&test_channel_cpu, RECORD);
	if (slot) {
		pause_briefly();
		*slot = value;
	}
	local_irq_restore(flags);
	return slot;
}

/* NMIs interrupt a CPU that writes, for a second. */
static void channel_test_nmi_storm(struct kunit *test)
{
	unsigned int other = cpumask_any_but(cpu_online_mask, test_cpu);
	struct storm storm = { };
	struct task_struct *task;
	unsigned long end;
	int before, nmis;

	if (other >= nr_cpu_ids)
		kunit_skip(test, "needs two CPUs");
	marker_channel_stop(&test_channel);
	marker_channel_init(&test_channel, STORM_SUBBUF, N_SUBBUFS);
	KUNIT_ASSERT_EQ(test, marker_channel_prepare(&test_channel, false), 0);
	task = kthread_create(nmi_storm, NULL, "nmi_storm");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	kthread_bind(task, other);
	before = atomic_read(&nmis_seen);
	if (register_nmi_handler(NMI_LOCAL, test_nmi, 0, NMI_NAME)) {
		kthread_stop(task);
		KUNIT_FAIL(test, "no NMI handler\n");
		return;
	}

	marker_channel_start(&test_channel);
	wake_up_process(task);
	for (end = jiffies + HZ; time_before(jiffies, end); storm.written++) {
		KUNIT_EXPECT_TRUE(test, storm.written % 64 ?
				  write_record(storm.written) :
				  write_slowly(storm.written));
		check_storm(test, &storm);
		if (storm.written % 64 == 32)
			pause_briefly();
	}
	kthread_stop(task);
	marker_channel_stop(&test_channel);
	unregister_nmi_handler(NMI_LOCAL, NMI_NAME);

	nmis = atomic_read(&nmis_seen) - before;
	check_storm(test, &storm);
	KUNIT_EXPECT_EQ(test, storm.read, storm.written);
	KUNIT_EXPECT_EQ(test, lost(), nmis);
	KUNIT_EXPECT_GT(test, nmis, 0);
	kunit_info(test, "%llu records, %d NMIs\n", storm.written, nmis);
}

#endif /* CONFIG_X86_LOCAL_APIC */

#define TEST_BEGIN	1000
#define TEST_FILL	2000

static size_t test_begin(struct marker_channel_cpu *pcpu, size_t sequence,
			 void *to)
{
	*(u64 *)to = TEST_BEGIN + pcpu->lost.records + 100 * sequence;
	pcpu->lost_since = 0;
	return RECORD;
}

static void test_fill(void *to, size_t bytes)
{
	for (u64 *record = to; bytes; bytes -= RECORD)
		*record++ = TEST_FILL;
}

static size_t test_begin_nested(struct marker_channel_cpu *pcpu,
				size_t sequence, void *to)
{
	*(u64 *)to = write_record(0) ? 0 : TEST_BEGIN;
	pcpu->direct = false;
	return RECORD;
}

/* A callback that records while a sub-buffer begins loses this record only. */
static void channel_test_recursion(struct kunit *test)
{
	static const struct marker_channel_ops ops = {
		.begin = test_begin_nested,
	};
	unsigned long flags;
	void *slot;

	test_channel.ops = &ops;
	marker_channel_start(&test_channel);
	KUNIT_EXPECT_TRUE(test, write_record(TEST_BEGIN + 1));
	KUNIT_EXPECT_EQ(test, lost(), 1);

	/* There is room, but @direct is false. */
	local_irq_save(flags);
	KUNIT_EXPECT_FALSE(test, marker_channel_try(&test_channel_cpu, RECORD,
						    &slot));
	local_irq_restore(flags);
	KUNIT_EXPECT_TRUE(test, write_record(TEST_BEGIN + 2));
	marker_channel_stop(&test_channel);
	KUNIT_EXPECT_EQ(test, consume(test, TEST_BEGIN), 3 * RECORD);
}

static void test_fill_nested(void *to, size_t bytes)
{
	write_record(0);
	test_fill(to, bytes);
}

/* The same while a sub-buffer ends. */
static void channel_test_recursion_end(struct kunit *test)
{
	static const struct marker_channel_ops ops = {
		.fill = test_fill_nested,
	};

	test_channel.ops = &ops;
	marker_channel_start(&test_channel);
	KUNIT_EXPECT_TRUE(test, write_record(TEST_FILL - 1));
	marker_channel_flush(&test_channel);
	KUNIT_EXPECT_EQ(test, lost(), 1);
	KUNIT_EXPECT_TRUE(test, write_record(1));
	marker_channel_stop(&test_channel);
	KUNIT_EXPECT_EQ(test, lost(), 1);
}

/* Lose an event as each sub-buffer begins. */
static size_t test_begin_lost(struct marker_channel_cpu *pcpu, size_t sequence,
			      void *to)
{
	write_record(0);
	pcpu->events++;
	return 0;
}

/* Events that are overwritten are counted apart from those that find no room. */
static void channel_test_overwritten(struct kunit *test)
{
	static const struct marker_channel_ops ops = {
		.begin = test_begin_lost,
	};
	struct marker_channel_cpu *part = test_part();

	test_channel.ops = &ops;
	start_ring(test);
	for (int i = 0; i < 5 * PER_SUBBUF; i++) {
		KUNIT_EXPECT_TRUE(test, write_record(i));
		part->events++;
	}
	KUNIT_EXPECT_EQ(test, lost(), 5);
	KUNIT_EXPECT_EQ(test, part->overwritten.records, 3 * PER_SUBBUF);
	KUNIT_EXPECT_EQ(test, part->overwritten.bytes, 3 * PER_SUBBUF * RECORD);
}

/* A flush publishes the records so far, and no empty sub-buffer. */
static void channel_test_flush(struct kunit *test)
{
	marker_channel_start(&test_channel);
	marker_channel_flush(&test_channel);
	KUNIT_EXPECT_TRUE(test, write_record(0));
	marker_channel_flush(&test_channel);
	KUNIT_EXPECT_EQ(test, consume(test, 0), RECORD);
	KUNIT_EXPECT_TRUE(test, write_record(1));
	marker_channel_stop(&test_channel);
	KUNIT_EXPECT_EQ(test, consume(test, 1), RECORD);
	KUNIT_EXPECT_EQ(test, lost(), 0);
}

/* A CPU without a buffer loses its records, and these are counted. */
static void channel_test_no_buffer(struct kunit *test)
{
	struct rchan_buf *buf = test_buf();

	per_cpu_ptr(&test_channel_cpu, test_cpu)->buf = NULL;
	marker_channel_start(&test_channel);
	KUNIT_EXPECT_FALSE(test, write_record(0));
	KUNIT_EXPECT_FALSE(test, write_record(1));
	marker_channel_flush(&test_channel);
	marker_channel_flush_if_spare(&test_channel);
	KUNIT_EXPECT_EQ(test, lost(), 2);
	per_cpu_ptr(&test_channel_cpu, test_cpu)->buf = buf;
	KUNIT_EXPECT_TRUE(test, write_record(2));
	marker_channel_stop(&test_channel);
	KUNIT_EXPECT_EQ(test, consume(test, 2), RECORD);
	KUNIT_EXPECT_EQ(test, lost(), 2);
}

/* marker_channel_flush_if_spare() leaves room for the next record. */
static void channel_test_flush_if_spare(struct kunit *test)
{
	marker_channel_start(&test_channel);
	marker_channel_flush_if_spare(&test_channel);
	KUNIT_EXPECT_EQ(test, test_buf()->subbufs_produced, 0);
	KUNIT_EXPECT_TRUE(test, write_record(0));
	marker_channel_flush_if_spare(&test_channel);
	KUNIT_EXPECT_EQ(test, test_buf()->subbufs_produced, 1);
	KUNIT_EXPECT_TRUE(test, write_record(1));
	marker_channel_flush_if_spare(&test_channel);
	KUNIT_EXPECT_EQ(test, test_buf()->subbufs_produced, 1);
	KUNIT_EXPECT_TRUE(test, write_record(2));
	KUNIT_EXPECT_EQ(test, consume(test, 0), RECORD);
	marker_channel_flush_if_spare(&test_channel);
	KUNIT_EXPECT_EQ(test, consume(test, 1), 2 * RECORD);
	KUNIT_EXPECT_EQ(test, lost(), 0);

	marker_channel_stop(&test_channel);
	marker_channel_flush_if_spare(&test_channel);
	KUNIT_EXPECT_NULL(test, test_buf());
}

/* The owner begins each sub-buffer, learns of losses, and fills the last one. */
static void channel_test_ops(struct kunit *test)
{
	static const struct marker_channel_ops ops = {
		.begin = test_begin,
		.fill = test_fill,
	};
	struct marker_channel_cpu *pcpu = per_cpu_ptr(&test_channel_cpu,
						      test_cpu);
	u64 room = N_SUBBUFS * (PER_SUBBUF - 1), *third;

	test_channel.ops = &ops;
	marker_channel_start(&test_channel);
	for (u64 i = 0; i < room; i++)
		KUNIT_EXPECT_TRUE(test, write_record(TEST_BEGIN + 1 + i));
	KUNIT_EXPECT_EQ(test, pcpu->lost_since, 0);
	KUNIT_EXPECT_FALSE(test, write_record(0));
	KUNIT_EXPECT_NE(test, pcpu->lost_since, 0);
	KUNIT_EXPECT_EQ(test, consume(test, TEST_BEGIN), PER_SUBBUF * RECORD);
	KUNIT_EXPECT_TRUE(test, write_record(7));
	KUNIT_EXPECT_EQ(test, pcpu->lost_since, 0);
	marker_channel_stop(&test_channel);

	third = subbuf_start(0);
	KUNIT_EXPECT_EQ(test, third[0], TEST_BEGIN + 1 + 2 * 100);
	KUNIT_EXPECT_EQ(test, third[1], 7);
	KUNIT_EXPECT_EQ(test, third[2], TEST_FILL);
	KUNIT_EXPECT_EQ(test, third[3], TEST_FILL);
	KUNIT_EXPECT_EQ(test, pcpu->buf->padding[0], 0);
}

static struct kunit_case channel_test_cases[] = {
	KUNIT_CASE(channel_test_order),
	KUNIT_CASE(channel_test_loss),
	KUNIT_CASE(channel_test_overwrite),
	KUNIT_CASE(channel_test_stopped),
	KUNIT_CASE(channel_test_resize),
	KUNIT_CASE(channel_test_grow),
	KUNIT_CASE(channel_test_grow_not),
	KUNIT_CASE(channel_test_grow_full),
	KUNIT_CASE(channel_test_generations),
	KUNIT_CASE(channel_test_release),
	KUNIT_CASE(channel_test_unused),
	KUNIT_CASE(channel_test_nested),
	KUNIT_CASE(channel_test_ops),
	KUNIT_CASE(channel_test_recursion),
	KUNIT_CASE(channel_test_recursion_end),
	KUNIT_CASE(channel_test_overwritten),
	KUNIT_CASE(channel_test_flush),
	KUNIT_CASE(channel_test_flush_if_spare),
	KUNIT_CASE(channel_test_no_buffer),
#ifdef CONFIG_X86_LOCAL_APIC
	KUNIT_CASE(channel_test_nmi),
	KUNIT_CASE(channel_test_nmi_storm),
#endif
	{ }
};

static struct kunit_suite channel_test_suite = {
	.name = "marker_channel",
	.init = channel_test_init,
	.exit = channel_test_exit,
	.test_cases = channel_test_cases,
};

kunit_test_suite(channel_test_suite);

MODULE_DESCRIPTION("KUnit tests of marker channels");
MODULE_LICENSE("GPL");
