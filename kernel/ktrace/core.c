// SPDX-License-Identifier: GPL-2.0
/*
 * ktrace - record any marker.
 *
 * Generated code of the markers writes the records, see <linux/marker_event.h>. This
 * file switches recording on and off. A file calls only files before it in this list:
 * names, core, buffers, files.
 * See Documentation/trace/ktrace.rst.
 */
#define pr_fmt(fmt) "ktrace: " fmt

#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/ktrace.h>
#include <linux/lockdep.h>
#include <linux/marker_clock.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/suspend.h>
#include "ktrace.h"

/* Written with ktrace_mutex held. */
static enum ktrace_state ktrace_is;
/* True from the begin of a system suspend to its end. Protected by ktrace_mutex. */
static bool ktrace_sleeps;

static struct marker_channel_size ktrace_size __initdata = {
	.owner		= "ktrace",
	.subbuf_size	= MARKER_CHANNEL_SUBBUF,
	.default_bytes	= 16 * MARKER_CHANNEL_SUBBUF,
};

static enum marker_clock_choice ktrace_clock_param __ro_after_init;
static char *ktrace_param __initdata;
static enum ktrace_state ktrace_mode_param __initdata = KTRACE_ON;

/**
 * ktrace_state - return whether events are recorded
 *
 * Return: the state.
 */
enum ktrace_state ktrace_state(void)
{
	return READ_ONCE(ktrace_is);
}

/* The markers are armed before the channel starts, and until it has stopped. */
static int ktrace_switch_on(enum ktrace_state state)
{
	int ret;

	ret = marker_channel_prepare(&ktrace_channel, state == KTRACE_OVERWRITE);
	if (ret)
		return ret;
	WRITE_ONCE(ktrace_channel.cycles,
		   !ktrace_sleeps && marker_clock_choose(ktrace_clock_param));
	ktrace_add_vmlinux();
	ktrace_arm_all();
	marker_channel_start(&ktrace_channel);
	WRITE_ONCE(ktrace_is, state);
	return 0;
}

static void ktrace_switch_off(void)
{
	marker_channel_stop(&ktrace_channel);
	ktrace_disarm_all();
	WRITE_ONCE(ktrace_is, KTRACE_OFF);
}

/**
 * ktrace_switch - switch recording on or off
 * @state: the new state
 *
 * Context: task, may sleep; ktrace_mutex is held.
 * Return: 0; -EBUSY to switch from one way of recording to another, or while the last
 * recording is not read; an error of marker_channel_prepare().
 */
int ktrace_switch(enum ktrace_state state)
{
	lockdep_assert_held(&ktrace_mutex);
	if (state == ktrace_is)
		return 0;
	if (state == KTRACE_OFF) {
		ktrace_switch_off();
		return 0;
	}
	return ktrace_is == KTRACE_OFF ? ktrace_switch_on(state) : -EBUSY;
}

/**
 * ktrace_reset - forget what was recorded, and go on with empty buffers
 *
 * Context: task, may sleep; ktrace_mutex is held.
 * Return: 0, or -errno if recording could not go on; it is off then.
 */
int ktrace_reset(void)
{
	enum ktrace_state state = ktrace_is;

	lockdep_assert_held(&ktrace_mutex);
	if (state != KTRACE_OFF)
		ktrace_switch_off();
	marker_channel_discard(&ktrace_channel);
	return ktrace_switch(state);
}

/**
 * ktrace_give_up - switch recording off and discard all records
 *
 * Context: task, may sleep.
 */
void ktrace_give_up(void)
{
	mutex_lock(&ktrace_mutex);
	ktrace_switch(KTRACE_OFF);
	marker_channel_discard(&ktrace_channel);
	mutex_unlock(&ktrace_mutex);
}

/*
 * While the system is suspended, CLOCK_MONOTONIC stops, and the cycle counter continues
 * or restarts at 0. So timestamps are no cycles after that. The flushes before and after
 * the suspend make sub-buffers begin close to it, and each begins with a record of both
 * clocks.
 */
static int ktrace_suspend(struct notifier_block *nb, unsigned long action,
			  void *data)
{
	mutex_lock(&ktrace_mutex);
	switch (action) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
		ktrace_sleeps = true;
		WRITE_ONCE(ktrace_channel.cycles, false);
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
		ktrace_sleeps = false;
		break;
	}
	marker_channel_flush(&ktrace_channel);
	mutex_unlock(&ktrace_mutex);
	return NOTIFY_OK;
}

static int __init ktrace_watch_suspend(void)
{
	pm_notifier(ktrace_suspend, 0);
	return 0;
}
late_initcall(ktrace_watch_suspend);

/* ---- the command line ---- */

static int __init ktrace_parse(char *arg)
{
	ktrace_param = arg;
	return 0;
}
early_param("ktrace", ktrace_parse);

static int __init ktrace_parse_mode(char *arg)
{
	ktrace_mode_param = marker_channel_parse_mode(&ktrace_size, arg) ?
			    KTRACE_OVERWRITE : KTRACE_ON;
	return 0;
}
early_param("ktrace.mode", ktrace_parse_mode);

static int __init ktrace_parse_clock(char *arg)
{
	if (marker_clock_parse(arg, &ktrace_clock_param))
		pr_warn("ktrace.clock=%s is neither auto nor cycles nor local, using auto\n",
			arg ?: "");
	return 0;
}
early_param("ktrace.clock", ktrace_parse_clock);

static int __init ktrace_parse_subbufs(char *arg)
{
	marker_channel_parse_subbufs(&ktrace_size, arg);
	return 0;
}
early_param("ktrace.subbufs", ktrace_parse_subbufs);

static int __init ktrace_parse_subbuf_size(char *arg)
{
	marker_channel_parse_subbuf_size(&ktrace_size, arg);
	return 0;
}
early_param("ktrace.subbuf_size", ktrace_parse_subbuf_size);

/**
 * ktrace_init - start recording if the command line requests it
 *
 * Context: boot CPU, directly after mm_core_init(): relay needs the page and
 * slab allocators, per-CPU memory and vmap().
 */
void __init ktrace_init(void)
{
	int ret;

	marker_channel_init_size(&ktrace_channel, &ktrace_size);
	if (!ktrace_param)
		return;
	mutex_lock(&ktrace_mutex);
	ret = ktrace_select(ktrace_param) ?: ktrace_switch(ktrace_mode_param);
	mutex_unlock(&ktrace_mutex);
	if (ret)
		pr_err("ktrace=%s: not enabled: %d\n", ktrace_param, ret);
	else
		pr_info("enabled, %zu sub-buffers of %zu KiB a CPU\n",
			ktrace_channel.n_subbufs,
			ktrace_channel.subbuf_size / 1024);
}
