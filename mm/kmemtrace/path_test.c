// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of call paths in interrupts and softirqs, included by path.c. */
#include <kunit/test.h>
#include <linux/bottom_half.h>
#include <linux/instruction_pointer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/timer.h>

/* The path of the last interrupt or softirq, and where its call sites are. */
static struct kmemtrace_path path_test_path;
static bool path_test_done;

static noinline void path_test_walk(void)
{
	kmemtrace_path_walk(&path_test_path, _RET_IP_, __builtin_frame_address(0));
	/* Pairs with smp_load_acquire() in the test, which reads the path. */
	smp_store_release(&path_test_done, true);
}

static void path_test_tasklet_func(struct tasklet_struct *tasklet)
{
	path_test_walk();
	/* no sibling call: this function is on the stack */
	barrier();
}

static DECLARE_TASKLET(path_test_tasklet, path_test_tasklet_func);

static void path_test_work_func(struct irq_work *work)
{
	/* Some architectures run it in a softirq or a thread. */
	if (in_hardirq())
		path_test_walk();
	barrier();
}

static struct irq_work path_test_work = IRQ_WORK_INIT_HARD(path_test_work_func);

/* Return true if the path has an address in the function from @start on. */
static bool path_test_has(unsigned long start)
{
	unsigned long size, offset;

	for (unsigned int i = 0; i < path_test_path.depth; i++)
		if (kallsyms_lookup_size_offset(path_test_path.frames[i],
						&size, &offset) &&
		    path_test_path.frames[i] - offset == start)
			return true;
	return false;
}

static void path_test_check(struct kunit *test, unsigned long first,
			    unsigned long interrupted)
{
	KUNIT_ASSERT_TRUE(test, path_test_done);
	for (unsigned int i = 0; i < path_test_path.depth; i++)
		kunit_info(test, "%pS\n", (void *)path_test_path.frames[i]);
	KUNIT_EXPECT_TRUE(test, path_test_has(first));
	KUNIT_EXPECT_FALSE(test, path_test_has(interrupted));
	KUNIT_EXPECT_GT(test, path_test_path.depth, 1);
	KUNIT_EXPECT_FALSE(test, path_test_path.is_cut);
}

/* The path of a softirq does not have the function that let it run. */
static noinline void path_test_softirq(struct kunit *test)
{
	for (int i = 0; i < 3; i++) {
		path_test_done = false;
		local_bh_disable();
		tasklet_schedule(&path_test_tasklet);
		local_bh_enable();
		path_test_check(test, (unsigned long)path_test_tasklet_func,
				(unsigned long)path_test_softirq);
	}
}

/* The path of an interrupt does not have the function that was interrupted. */
static noinline void path_test_interrupt(struct kunit *test)
{
	for (int i = 0; i < 3; i++) {
		unsigned long end = jiffies + 10 * HZ;

		path_test_done = false;
		irq_work_queue(&path_test_work);
		/* Pairs with smp_store_release() in path_test_walk(). */
		while (!smp_load_acquire(&path_test_done) &&
		       time_before(jiffies, end))
			cpu_relax();
		path_test_check(test, (unsigned long)path_test_work_func,
				(unsigned long)path_test_interrupt);
	}
}

static int path_test_init(struct kunit *test)
{
	return kmemtrace_path_init();
}

static void path_test_exit(struct kunit *test)
{
	kmemtrace_path_exit();
}

static struct kunit_case path_test_cases[] = {
	KUNIT_CASE(path_test_softirq),
	KUNIT_CASE(path_test_interrupt),
	{ }
};

static struct kunit_suite path_test_suite = {
	.name = "kmemtrace_path",
	.init = path_test_init,
	.exit = path_test_exit,
	.test_cases = path_test_cases,
};

kunit_test_suite(path_test_suite);
