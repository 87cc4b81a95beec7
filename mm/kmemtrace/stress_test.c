// SPDX-License-Identifier: GPL-2.0
/*
 * A KUnit test of recording, included by core.c. On each CPU a task, a softirq, a hard
 * interrupt and, on x86, an NMI call probes and number their events. A reader consumes
 * the sub-buffers, and at times sleeps. Each event must be in the stream exactly once,
 * or be counted as lost.
 */
#include <kunit/test.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/relay.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include "../slab.h"
#include "compat.h"

#define STRESS_SUBBUF		SZ_64K
#define STRESS_SUBBUFS		4
#define STRESS_MS		1000
#define STRESS_PERIOD_NS	(100 * NSEC_PER_USEC)
#define STRESS_SITE		0x5700UL

enum stress_context {
	STRESS_TASK,
	STRESS_SOFTIRQ,
	STRESS_HARDIRQ,
	STRESS_NMI,
	STRESS_CONTEXTS,
};

/**
 * struct stress - the writers and the reader of one CPU
 * @written: number of events by context; each context numbers its own from 0 on
 * @expected: lowest number that the next event of a context may have in the stream
 * @read: events found in the stream
 * @reported: events lost by the LOST records of the stream
 * @sequence: number of the next sub-buffer
 * @last: time of the last record
 * @cycles: @last is in cycles
 * @wrong: errors in the stream
 * @timer: the hard interrupt
 * @softirq: raised by @timer
 * @task: the writing task
 * @reader: the reading task
 * @nmi: an NMI was sent and hasn't arrived
 */
struct stress {
	u64			written[STRESS_CONTEXTS];
	u64			expected[STRESS_CONTEXTS];
	u64			read;
	u64			reported;
	u64			sequence;
	u64			last;
	bool			cycles;
	unsigned int		wrong;
	struct hrtimer		timer;
	struct tasklet_struct	softirq;
	struct task_struct	*task;
	struct task_struct	*reader;
	atomic_t		nmi;
};

static DEFINE_PER_CPU(struct stress, stress);
static struct kmem_cache *stress_cache;

/* ---- writers ---- */

static void *stress_ptr(u64 number)
{
	return (void *)(uintptr_t)((number + 2) * 16);
}

static void stress_write(enum stress_context context)
{
	u64 number = raw_cpu_ptr(&stress)->written[context]++;

	if (number % 2)
		probe_kmalloc_fast(NULL, STRESS_SITE + context,
				   stress_ptr(number), ~(u32)number,
				   stress_cache, GFP_ATOMIC, context);
	else
		probe_kfree_fast(NULL, STRESS_SITE + context,
				 stress_ptr(number));
}

#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/apic.h>
#include <asm/nmi.h>

#define STRESS_NAME	"kmemtrace_stress"

static int stress_nmi(unsigned int type, struct pt_regs *regs)
{
	if (!atomic_xchg(&raw_cpu_ptr(&stress)->nmi, 0))
		return NMI_DONE;
	stress_write(STRESS_NMI);
	return NMI_HANDLED;
}

static int stress_nmi_start(void)
{
	return register_nmi_handler(NMI_LOCAL, stress_nmi, 0, STRESS_NAME);
}

/* Send an NMI to another CPU, if there is one: it may interrupt anything there. */
static void stress_nmi_raise(void)
{
	unsigned int cpu = cpumask_next(smp_processor_id(), cpu_online_mask);

	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first(cpu_online_mask);
	if (!atomic_xchg(&per_cpu(stress, cpu).nmi, 1))
		apic->send_IPI(cpu, NMI_VECTOR);
}

static void stress_nmi_stop(void)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		while (atomic_read(&per_cpu(stress, cpu).nmi))
			cpu_relax();
	unregister_nmi_handler(NMI_LOCAL, STRESS_NAME);
}
#else
static int stress_nmi_start(void) { return 0; }
static void stress_nmi_raise(void) { }
static void stress_nmi_stop(void) { }
#endif

static void stress_softirq(struct tasklet_struct *tasklet)
{
	stress_write(STRESS_SOFTIRQ);
}

static enum hrtimer_restart stress_hardirq(struct hrtimer *timer)
{
	stress_write(STRESS_HARDIRQ);
	tasklet_hi_schedule(&raw_cpu_ptr(&stress)->softirq);
	stress_nmi_raise();
	stress_write(STRESS_HARDIRQ);
	hrtimer_forward_now(timer, ns_to_ktime(STRESS_PERIOD_NS));
	return HRTIMER_RESTART;
}

static void stress_timer_start(void *unused)
{
	hrtimer_start(&raw_cpu_ptr(&stress)->timer,
		      ns_to_ktime(STRESS_PERIOD_NS),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static int stress_task(void *unused)
{
	while (!kthread_should_stop()) {
		for (int i = 0; i < 256; i++)
			stress_write(STRESS_TASK);
		cond_resched();
	}
	return 0;
}

/* ---- the reader ---- */

/* Return true if @event is the one that stress_write() records for @number. */
static bool stress_right(const struct kmemtrace_event *event, u64 number)
{
	const struct kmemtrace_slab_event *slab = (const void *)event;
	u64 context = event->call_site - STRESS_SITE;

	if (event->ptr != (unsigned long)stress_ptr(number))
		return false;
	if (number % 2)
		return event->event_id == KMEMTRACE_EVENT_ALLOC &&
		       event->event_size == sizeof(*slab) &&
		       event->type_id == KMEMTRACE_TYPE_KMALLOC &&
		       event->bytes_req == ~(u32)number &&
		       event->bytes_alloc == stress_cache->size &&
		       event->gfp_flags == (__force u32)GFP_ATOMIC &&
		       event->node == context &&
		       slab->cache == (unsigned long)stress_cache;
	return event->event_id == KMEMTRACE_EVENT_FREE &&
	       event->event_size == sizeof(*event) && event->node == -1 &&
	       !event->bytes_req && !event->bytes_alloc && !event->gfp_flags;
}

static void stress_read_event(struct stress *s,
			      const struct kmemtrace_event *event)
{
	u64 context = event->call_site - STRESS_SITE;
	u64 number = event->ptr / 16 - 2;

	if (context >= STRESS_CONTEXTS || number < s->expected[context] ||
	    !stress_right(event, number)) {
		s->wrong++;
		return;
	}
	s->expected[context] = number + 1;
	s->read++;
}

static void stress_read_clock(struct stress *s,
			      const struct kmemtrace_clock *clock)
{
	bool cycles = clock->clock == KMEMTRACE_CLOCK_CYCLES;

	s->wrong += clock->sequence != s->sequence++;
	if (cycles != s->cycles)
		s->last = 0;
	s->cycles = cycles;
}

/* Read a sub-buffer, up to a record that is longer than the rest of it. */
static void stress_read(struct stress *s, const void *from, const void *end)
{
	const struct kmemtrace_event *event;

	for (; from < end; from += event->event_size) {
		event = from;
		if (!event->event_size || event->event_size > end - from) {
			s->wrong++;
			return;
		}
		if (event->event_id == KMEMTRACE_EVENT_PAD)
			continue;
		if (event->event_id == KMEMTRACE_EVENT_CLOCK)
			stress_read_clock(s, from);
		else if (event->event_id == KMEMTRACE_EVENT_LOST)
			s->reported += ((const struct kmemtrace_lost *)from)->records;
		else
			stress_read_event(s, event);
		s->wrong += (u64)event->timestamp < s->last;
		s->last = event->timestamp;
	}
}

/* Consume all complete sub-buffers, as marker_channel_read() does. */
static void stress_drain(unsigned int cpu)
{
	struct marker_channel_cpu *end = per_cpu_ptr(kmemtrace_channel.cpu, cpu);
	struct rchan_buf *buf;
	size_t index;
	void *from;

	/* Pairs with the release in marker_channel_add_buf(). */
	buf = smp_load_acquire(&end->buf);
	/* Pairs with the release in marker_channel_publish(). */
	while (buf && smp_load_acquire(&buf->subbufs_produced) !=
		      buf->subbufs_consumed) {
		index = buf->subbufs_consumed % STRESS_SUBBUFS;
		from = buf->start + index * STRESS_SUBBUF;
		stress_read(per_cpu_ptr(&stress, cpu), from,
			    from + STRESS_SUBBUF - buf->padding[index]);
		/* Pairs with the acquire in marker_channel_unread(). */
		smp_store_release(&buf->subbufs_consumed,
				  buf->subbufs_consumed + 1);
	}
}

/* Sleep long enough at times for events to be lost. */
static int stress_reader(void *data)
{
	unsigned int cpu = (unsigned long)data;

	for (int i = 1; !kthread_should_stop(); i++) {
		stress_drain(cpu);
		if (i % 16)
			usleep_range(100, 200);
		else
			msleep(20);
	}
	return 0;
}

/* ---- the test ---- */

static struct task_struct *stress_thread(int (*fn)(void *), unsigned int cpu,
					 const char *name)
{
	struct task_struct *task;

	task = kthread_create_on_cpu(fn, (void *)(unsigned long)cpu, cpu, name);
	if (!IS_ERR(task))
		wake_up_process(task);
	return task;
}

/* Called before any CPU writes: each sends NMIs to another. */
static void stress_prepare_cpu(unsigned int cpu)
{
	struct stress *s = per_cpu_ptr(&stress, cpu);

	memset(s, 0, sizeof(*s));
	tasklet_setup(&s->softirq, stress_softirq);
	hrtimer_setup(&s->timer, stress_hardirq, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static bool stress_start_cpu(unsigned int cpu)
{
	struct stress *s = per_cpu_ptr(&stress, cpu);

	s->reader = stress_thread(stress_reader, cpu, "stress_read/%u");
	s->task = stress_thread(stress_task, cpu, "stress_write/%u");
	smp_call_function_single(cpu, stress_timer_start, NULL, true);
	return !IS_ERR(s->reader) && !IS_ERR(s->task);
}

static void stress_stop_cpu(unsigned int cpu)
{
	struct stress *s = per_cpu_ptr(&stress, cpu);

	hrtimer_cancel(&s->timer);
	tasklet_kill(&s->softirq);
	if (!IS_ERR(s->task))
		kthread_stop(s->task);
	if (!IS_ERR(s->reader))
		kthread_stop(s->reader);
}

static void stress_last(void *unused)
{
	stress_write(STRESS_HARDIRQ);
}

/* Read the rest. The next sub-buffer reports the last losses. */
static void stress_end_cpu(unsigned int cpu)
{
	marker_channel_flush(&kmemtrace_channel);
	stress_drain(cpu);
	smp_call_function_single(cpu, stress_last, NULL, true);
	marker_channel_flush(&kmemtrace_channel);
	stress_drain(cpu);
}

static void stress_check_cpu(struct kunit *test, unsigned int cpu)
{
	struct marker_channel_loss lost = marker_channel_lost(&kmemtrace_channel,
							      cpu);
	struct stress *s = per_cpu_ptr(&stress, cpu);
	u64 written = 0;

	for (int i = 0; i < STRESS_CONTEXTS; i++)
		written += s->written[i];
	kunit_info(test, "cpu%u: task %llu, softirq %llu, hardirq %llu, NMI %llu; read %llu, lost %llu\n",
		   cpu, s->written[STRESS_TASK], s->written[STRESS_SOFTIRQ],
		   s->written[STRESS_HARDIRQ], s->written[STRESS_NMI], s->read,
		   lost.records);
	KUNIT_EXPECT_EQ(test, s->wrong, 0);
	KUNIT_EXPECT_EQ(test, s->read + lost.records, written);
	KUNIT_EXPECT_EQ(test, s->reported, lost.records);
	/* The test needs losses, and events of each context. */
	KUNIT_EXPECT_GT(test, lost.records, s->written[STRESS_NMI]);
	for (int i = 0; i < STRESS_NMI; i++)
		KUNIT_EXPECT_GT(test, s->written[i], 0);
	if (IS_ENABLED(CONFIG_X86_LOCAL_APIC))
		KUNIT_EXPECT_GT(test, s->written[STRESS_NMI], 0);
}

/* Run all writers. Halfway, all CPUs change the clock, if there are two clocks. */
static void stress_run(struct kunit *test)
{
	unsigned int cpu;

	KUNIT_ASSERT_EQ(test, marker_channel_prepare(&kmemtrace_channel, false), 0);
	kmemtrace_use_cycles(marker_clock_possible());
	kmemtrace_reset_reported();
	marker_channel_start(&kmemtrace_channel);
	KUNIT_EXPECT_EQ(test, stress_nmi_start(), 0);
	cpus_read_lock();
	for_each_online_cpu(cpu)
		stress_prepare_cpu(cpu);
	for_each_online_cpu(cpu)
		KUNIT_EXPECT_TRUE(test, stress_start_cpu(cpu));
	msleep(STRESS_MS / 2);
	kmemtrace_use_cycles(false);
	marker_channel_flush(&kmemtrace_channel);
	msleep(STRESS_MS / 2);
	for_each_online_cpu(cpu)
		stress_stop_cpu(cpu);
	stress_nmi_stop();
	for_each_online_cpu(cpu) {
		stress_end_cpu(cpu);
		stress_check_cpu(test, cpu);
	}
	cpus_read_unlock();
	marker_channel_stop(&kmemtrace_channel);
	marker_channel_discard(&kmemtrace_channel);
}

static void kmemtrace_test_stress(struct kunit *test)
{
	size_t subbuf_size = kmemtrace_channel.subbuf_size;
	size_t n_subbufs = kmemtrace_channel.n_subbufs;

	stress_cache = kmem_cache_create("kmemtrace_stress", 48, 0,
					 SLAB_NO_MERGE, NULL);
	KUNIT_ASSERT_NOT_NULL(test, stress_cache);
	mutex_lock(&kmemtrace_mutex);
	if (kmemtrace_state_now != KMEMTRACE_OFF) {
		KUNIT_FAIL(test, "tracing is on: the channel isn't free\n");
	} else {
		kmemtrace_channel.subbuf_size = STRESS_SUBBUF;
		kmemtrace_channel.n_subbufs = STRESS_SUBBUFS;
		stress_run(test);
		kmemtrace_channel.subbuf_size = subbuf_size;
		kmemtrace_channel.n_subbufs = n_subbufs;
	}
	mutex_unlock(&kmemtrace_mutex);
	kmem_cache_destroy(stress_cache);
}

static struct kunit_case kmemtrace_stress_cases[] = {
	KUNIT_CASE(kmemtrace_test_stress),
	{ }
};

static struct kunit_suite kmemtrace_stress_suite = {
	.name = "kmemtrace_stress",
	.test_cases = kmemtrace_stress_cases,
};

kunit_test_suite(kmemtrace_stress_suite);
