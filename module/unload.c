// SPDX-License-Identifier: GPL-2.0
/*
 * A built-in recorder registers callbacks for good. A module has to unregister them, so
 * that this file keeps what was registered.
 */
#include <linux/bug.h>
#include <linux/cpuhotplug.h>
#include <linux/kernel.h>
#include <linux/memory.h>
#include <linux/notifier.h>
#include <linux/suspend.h>
#include <linux/types.h>
#include "unload.h"

/* The buffers and the files of the channel have a state each. */
static enum cpuhp_state kmemtrace_states[2];
static unsigned int kmemtrace_nr_states;

/* The channel's node in the state of its files. That of its buffers goes with these. */
static enum cpuhp_state kmemtrace_files_state;
static struct hlist_node *kmemtrace_files_node;

static struct notifier_block kmemtrace_memory_nb, kmemtrace_pm_nb;

/* The recorder's cpuhp_setup_state_multi(). */
#undef cpuhp_setup_state_multi
int kmemtrace_setup_cpuhp(int state, const char *name,
			  int (*startup)(unsigned int cpu,
					 struct hlist_node *node),
			  int (*teardown)(unsigned int cpu,
					  struct hlist_node *node))
{
	int ret;

	if (WARN_ON(kmemtrace_nr_states == ARRAY_SIZE(kmemtrace_states)))
		return -ENOSPC;
	ret = cpuhp_setup_state_multi(state, name, startup, teardown);
	if (ret > 0)
		kmemtrace_states[kmemtrace_nr_states++] = ret;
	return ret;
}

/* The recorder's cpuhp_state_add_instance(). */
#undef cpuhp_state_add_instance
int kmemtrace_add_instance(int state, struct hlist_node *node)
{
	int ret = cpuhp_state_add_instance(state, node);

	if (ret)
		return ret;
	kmemtrace_files_state = state;
	kmemtrace_files_node = node;
	return 0;
}

/* The recorder's hotplug_memory_notifier(). */
int kmemtrace_notify_memory(kmemtrace_notifier_fn *fn, int priority)
{
	kmemtrace_memory_nb.notifier_call = fn;
	kmemtrace_memory_nb.priority = priority;
	return register_memory_notifier(&kmemtrace_memory_nb);
}

/* The recorder's pm_notifier(). */
int kmemtrace_notify_pm(kmemtrace_notifier_fn *fn, int priority)
{
	kmemtrace_pm_nb.notifier_call = fn;
	kmemtrace_pm_nb.priority = priority;
	return register_pm_notifier(&kmemtrace_pm_nb);
}

/**
 * kmemtrace_unregister_all - unregister what was registered through this file
 *
 * Context: task, may sleep; the channel has no buffers and no files any more.
 */
void kmemtrace_unregister_all(void)
{
	if (kmemtrace_pm_nb.notifier_call)
		unregister_pm_notifier(&kmemtrace_pm_nb);
	if (kmemtrace_memory_nb.notifier_call)
		unregister_memory_notifier(&kmemtrace_memory_nb);
	if (kmemtrace_files_node)
		cpuhp_state_remove_instance_nocalls(kmemtrace_files_state,
						    kmemtrace_files_node);
	while (kmemtrace_nr_states)
		cpuhp_remove_multi_state(kmemtrace_states[--kmemtrace_nr_states]);
}
