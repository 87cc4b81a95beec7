// SPDX-License-Identifier: GPL-2.0
/*
 * Markers that are hit on all CPUs while the debugfs file marker_test/run is 1.
 * marker_test/hits is the number of hits of each marker, also by other modules.
 */
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include "compat.h"
#include "marker_hits.h"

DEFINE_MARKER(marker_test_typed);
EXPORT_MARKER_SYMBOL_GPL(marker_test_typed);

static DEFINE_PER_CPU(struct task_struct *, hitter);
static DEFINE_PER_CPU(struct hrtimer, hit_timer);
static atomic64_t hits;
static DEFINE_MUTEX(run_mutex);
static bool running;
static struct dentry *dir;

/**
 * marker_test_hit - hit each marker once, and count the hit
 * @hit: function with one site of each marker
 */
void marker_test_hit(void (*hit)(unsigned long number))
{
	hit(atomic64_inc_return(&hits));
}
EXPORT_SYMBOL_GPL(marker_test_hit);

static noinline void hit_both(unsigned long number)
{
	marker_call(marker_test_typed, number, hit_both);
	trace_mark(marker_test_adhoc, "number %lu who %s", number, "hits");
}

/* Sites in an interrupt. */
static noinline void hit_in_irq(unsigned long number)
{
	marker_call(marker_test_typed, number, hit_in_irq);
	trace_mark(marker_test_adhoc, "number %lu who %s", number, "irq");
}

static enum hrtimer_restart hit_timer_fn(struct hrtimer *timer)
{
	marker_test_hit(hit_in_irq);
	hrtimer_forward_now(timer, NSEC_PER_MSEC);
	return HRTIMER_RESTART;
}

static int hitter_fn(void *unused)
{
	struct hrtimer *timer = this_cpu_ptr(&hit_timer);

	hrtimer_setup(timer, hit_timer_fn, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(timer, NSEC_PER_MSEC, HRTIMER_MODE_REL_PINNED_HARD);
	while (!kthread_should_stop()) {
		for (int i = 0; i < 100; i++)
			marker_test_hit(hit_both);
		/* Let the threads that load modules run. */
		schedule_timeout_interruptible(1);
	}
	hrtimer_cancel(timer);
	return 0;
}

static void stop(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct task_struct *task = per_cpu(hitter, cpu);

		if (task)
			kthread_stop(task);
		per_cpu(hitter, cpu) = NULL;
	}
	running = false;
}

static int start(void)
{
	unsigned int cpu;

	running = true;
	for_each_online_cpu(cpu) {
		struct task_struct *task =
			kthread_run_on_cpu(hitter_fn, NULL, cpu, "hitter/%u");

		if (IS_ERR(task)) {
			stop();
			return PTR_ERR(task);
		}
		per_cpu(hitter, cpu) = task;
	}
	return 0;
}

static int run_set(void *data, u64 value)
{
	int ret = 0;

	mutex_lock(&run_mutex);
	if (value && !running)
		ret = start();
	else if (!value && running)
		stop();
	mutex_unlock(&run_mutex);
	return ret;
}
DEFINE_DEBUGFS_ATTRIBUTE(run_fops, NULL, run_set, "%llu\n");

static int hits_get(void *data, u64 *value)
{
	*value = atomic64_read(&hits);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(hits_fops, hits_get, NULL, "%llu\n");

static int __init hits_init(void)
{
	dir = debugfs_create_dir("marker_test", NULL);
	debugfs_create_file("run", 0200, dir, NULL, &run_fops);
	debugfs_create_file("hits", 0400, dir, NULL, &hits_fops);
	return 0;
}
module_init(hits_init);

static void __exit hits_exit(void)
{
	debugfs_remove(dir);
	stop();
}
module_exit(hits_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Markers for the tests");
