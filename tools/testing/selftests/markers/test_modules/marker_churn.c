// SPDX-License-Identifier: GPL-2.0
/*
 * Two threads register and unregister probes on markers that come and go. Each probe
 * checks that it is called only while it is registered. The parameters count
 * registrations and errors.
 */
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "marker_hits.h"

static unsigned long registrations;
module_param(registrations, ulong, 0444);
MODULE_PARM_DESC(registrations, "number of registrations");
static unsigned long errors;
module_param(errors, ulong, 0444);
MODULE_PARM_DESC(errors, "failed registrations, and calls of unregistered probes");

/* The data of one thread's probes. */
struct churn {
	struct task_struct	*task;
	bool			on;
	unsigned long		calls;
};

static struct churn churns[2];

static void called(struct churn *churn)
{
	if (!READ_ONCE(churn->on))
		WRITE_ONCE(errors, READ_ONCE(errors) + 1);
	WRITE_ONCE(churn->calls, READ_ONCE(churn->calls) + 1);
}

static void probe_typed(void *data, unsigned long number, const void *who)
{
	called(data);
}

static void probe_own(void *data, unsigned long number)
{
	called(data);
}

static void probe_generic(void *data, const struct marker_layout *layout,
			  const void *record)
{
	called(data);
}

static void check(int ret)
{
	if (ret)
		WRITE_ONCE(errors, READ_ONCE(errors) + 1);
	else
		WRITE_ONCE(registrations, READ_ONCE(registrations) + 1);
}

/* A module that is being loaded may bring the markers at any moment. */
static void register_all(struct churn *churn)
{
	check(register_marker_marker_test_typed(probe_typed, churn));
	check(marker_generic_register("marker_test_typed", "number %lu who %p",
				      probe_generic, churn));
	check(marker_generic_register("marker_test_adhoc", MARKER_TEST_ADHOC,
				      probe_generic, churn));
	check(marker_probe_register("marker_test_own", "number %lu",
				    "unsigned long number", probe_own, churn));
	check(marker_generic_register("marker_test_own_adhoc", "number %lu",
				      probe_generic, churn));
}

static void unregister_all(struct churn *churn)
{
	int failed = 0;

	failed |= remove_marker_marker_test_typed(probe_typed, churn);
	failed |= marker_generic_unregister("marker_test_typed", probe_generic,
					    churn);
	failed |= marker_generic_unregister("marker_test_adhoc", probe_generic,
					    churn);
	failed |= marker_probe_remove("marker_test_own", probe_own, churn);
	failed |= marker_generic_unregister("marker_test_own_adhoc",
					    probe_generic, churn);
	marker_synchronize_unregister();
	if (failed)
		WRITE_ONCE(errors, READ_ONCE(errors) + 1);
}

static int churn_fn(void *data)
{
	struct churn *churn = data;

	while (!kthread_should_stop()) {
		WRITE_ONCE(churn->on, true);
		register_all(churn);
		schedule_timeout_interruptible(1);
		unregister_all(churn);
		WRITE_ONCE(churn->on, false);
	}
	return 0;
}

static void churn_stop(void)
{
	for (int i = 0; i < ARRAY_SIZE(churns); i++)
		if (churns[i].task)
			kthread_stop(churns[i].task);
}

static int __init churn_init(void)
{
	for (int i = 0; i < ARRAY_SIZE(churns); i++) {
		struct task_struct *task = kthread_run(churn_fn, &churns[i],
						       "churn/%d", i);

		if (IS_ERR(task)) {
			churn_stop();
			return PTR_ERR(task);
		}
		churns[i].task = task;
	}
	return 0;
}
module_init(churn_init);

static void __exit churn_exit(void)
{
	churn_stop();
	marker_synchronize_unregister();
}
module_exit(churn_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Probes that come and go, for the tests");
