// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace - record each allocation and each free of kernel memory.
 *
 * Probes on the markers of the allocators fill one record for each event, in place,
 * in the buffer of the CPU they run on. Tracing can begin as soon as the allocators
 * are up; debugfs files follow when debugfs exists. This file switches it on and off.
 *
 * No file here calls one that stands behind it in this list: clock, subbuf, record,
 * cache, frames, callsite, probes, snapshot, size, core, debugfs.
 * See Documentation/trace/kmemtrace.rst.
 */
#define pr_fmt(fmt) "kmemtrace: " fmt

#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/kmemtrace.h>
#include <linux/lockdep.h>
#include <linux/marker_channel.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/suspend.h>
#include "clock.h"
#include "core.h"
#include "frames.h"
#include "probes.h"
#include "record.h"
#include "size.h"
#include "snapshot.h"
#include "subbuf.h"

/* Held while tracing is switched, and all through a snapshot. */
static DEFINE_MUTEX(kmemtrace_mutex);

/* Written with kmemtrace_mutex held. */
static bool kmemtrace_enabled;

/* True while the machine is about to sleep. Protected by kmemtrace_mutex. */
static bool kmemtrace_sleeps;

static bool kmemtrace_enable_param __initdata =
	IS_ENABLED(CONFIG_KMEMTRACE_DEFAULT_ENABLED);

static const struct marker_channel_ops kmemtrace_channel_ops = {
	.begin	= kmemtrace_begin_subbuf,
	.fill	= kmemtrace_fill_subbuf,
	.buffer	= kmemtrace_emit_own,
};

/*
 * The probes are there before the channel starts, and until it has stopped, so that
 * the trace begins and ends at one moment for all kinds of event.
 */
static int kmemtrace_switch_on(void)
{
	int ret;

	lockdep_assert_held(&kmemtrace_mutex);
	if (kmemtrace_enabled)
		return 0;
	ret = marker_channel_prepare(&kmemtrace_channel);
	if (ret)
		return ret;
	if (kmemtrace_sleeps)
		kmemtrace_use_cycles(false);
	else
		kmemtrace_choose_clock();
	kmemtrace_callsite_init();
	ret = kmemtrace_register_probes(kmemtrace_counts_cycles());
	if (ret) {
		/* This frees the buffers. */
		marker_channel_stop(&kmemtrace_channel);
		return ret;
	}
	kmemtrace_reset_events();
	kmemtrace_reset_reported();
	marker_channel_start(&kmemtrace_channel);
	WRITE_ONCE(kmemtrace_enabled, true);
	if (system_state == SYSTEM_BOOTING)
		kmemtrace_boot_phase(KMEMTRACE_PHASE_ARMED);
	kmemtrace_snapshot();
	return 0;
}

static void kmemtrace_switch_off(void)
{
	lockdep_assert_held(&kmemtrace_mutex);
	if (!kmemtrace_enabled)
		return;
	marker_channel_stop(&kmemtrace_channel);
	kmemtrace_unregister_probes();
	WRITE_ONCE(kmemtrace_enabled, false);
}

/**
 * kmemtrace_is_enabled - tell whether events are recorded
 *
 * Return: true from the first record on, though the snapshot takes a while.
 */
bool kmemtrace_is_enabled(void)
{
	return READ_ONCE(kmemtrace_enabled);
}

/**
 * kmemtrace_enable - switch tracing on or off
 * @enable: on
 *
 * Context: task, may sleep until a snapshot is done.
 * Return: 0; -EINTR if a signal came before; what marker_channel_prepare() returns.
 */
int kmemtrace_enable(bool enable)
{
	int ret = 0;

	if (mutex_lock_interruptible(&kmemtrace_mutex))
		return -EINTR;
	if (enable)
		ret = kmemtrace_switch_on();
	else
		kmemtrace_switch_off();
	mutex_unlock(&kmemtrace_mutex);
	return ret;
}

/**
 * kmemtrace_give_up - switch tracing off and free what was recorded
 *
 * Context: task, may sleep.
 */
void kmemtrace_give_up(void)
{
	mutex_lock(&kmemtrace_mutex);
	kmemtrace_switch_off();
	marker_channel_discard(&kmemtrace_channel);
	mutex_unlock(&kmemtrace_mutex);
}

/*
 * While the machine sleeps, CLOCK_MONOTONIC stands still, and the counter goes on or
 * begins at 0. So cycles end here. local_clock() may go on as well; the flushes before
 * and after the sleep let sub-buffers begin close to it, each with both clocks.
 */
static int kmemtrace_suspend(struct notifier_block *nb, unsigned long action,
			     void *data)
{
	mutex_lock(&kmemtrace_mutex);
	switch (action) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
		kmemtrace_sleeps = true;
		kmemtrace_use_cycles(false);
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
		kmemtrace_sleeps = false;
		break;
	}
	marker_channel_flush(&kmemtrace_channel);
	mutex_unlock(&kmemtrace_mutex);
	return NOTIFY_OK;
}

static int __init kmemtrace_watch_suspend(void)
{
	pm_notifier(kmemtrace_suspend, 0);
	return 0;
}
late_initcall(kmemtrace_watch_suspend);

static int __init kmemtrace_parse_enable(char *arg)
{
	if (arg && !strcmp(arg, "yes"))
		kmemtrace_enable_param = true;
	else if (arg && !strcmp(arg, "no"))
		kmemtrace_enable_param = false;
	else
		pr_warn("kmemtrace.enable=%s is neither yes nor no, staying %s\n",
			arg ?: "", kmemtrace_enable_param ? "yes" : "no");
	return 0;
}
early_param("kmemtrace.enable", kmemtrace_parse_enable);

/**
 * kmemtrace_init - start tracing if the command line or the configuration asks for it
 *
 * Context: boot CPU, directly after mm_core_init(): relay needs the page and
 * slab allocators, per-CPU memory and vmap().
 */
void __init kmemtrace_init(void)
{
	size_t subbuf_size, n_subbufs;
	int ret;

	kmemtrace_channel.ops = &kmemtrace_channel_ops;
	kmemtrace_size_buffers(&subbuf_size, &n_subbufs);
	marker_channel_init(&kmemtrace_channel, subbuf_size, n_subbufs);
	if (!kmemtrace_enable_param)
		return;

	mutex_lock(&kmemtrace_mutex);
	ret = kmemtrace_switch_on();
	mutex_unlock(&kmemtrace_mutex);
	if (ret)
		pr_err("not enabled: %d\n", ret);
	else
		pr_info("enabled, %zu sub-buffers of %zu KiB a CPU\n",
			n_subbufs, subbuf_size / 1024);
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "core_test.c"
#include "stress_test.c"
#endif
