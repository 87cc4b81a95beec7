// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace - record each allocation and each free of kernel memory.
 *
 * Probes on the markers of the allocators write one record for each event, in place,
 * into the buffer of their CPU. Tracing can begin as soon as the allocators are up; the
 * debugfs files follow when debugfs exists. This file switches tracing on and off.
 *
 * A file calls only files before it in this list: clock, record, path, task, callsite, stacks,
 * cgroups, kinds, subbuf, who, cache, frames, callsite_walk, refs, probes, hotplug,
 * snapshot_frames, snapshot_memory, snapshot, core, debugfs.
 * See Documentation/trace/kmemtrace.rst.
 */
#define pr_fmt(fmt) "kmemtrace: " fmt

#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/kmemtrace.h>
#include <linux/kstrtox.h>
#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/marker_channel.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/suspend.h>
#include <uapi/linux/kmemtrace.h>
#include "clock.h"
#include "core.h"
#include "frames.h"
#include "probes.h"
#include "record.h"
#include "snapshot.h"
#include "stacks.h"
#include "subbuf.h"
#include "who.h"

/* Held while tracing is switched on or off, and during a snapshot. */
static DEFINE_MUTEX(kmemtrace_mutex);

/* Written with kmemtrace_mutex held. */
static enum kmemtrace_state kmemtrace_state_now;

/* True from the begin of a system suspend to its end. Protected by kmemtrace_mutex. */
static bool kmemtrace_sleeps;

static bool kmemtrace_enable_param __initdata =
	IS_ENABLED(CONFIG_KMEMTRACE_DEFAULT_ENABLED);
static enum kmemtrace_state kmemtrace_mode_param __initdata = KMEMTRACE_ON;

/*
 * Whether tracing begins with a record of what is live, or ends with it if records are
 * overwritten. Protected by kmemtrace_mutex.
 */
static bool kmemtrace_baseline = true;

/* One of so many slab objects is recorded. Protected by kmemtrace_mutex. */
static unsigned int kmemtrace_sample = 1;

/*
 * A boot has hundreds of thousands of events before user space can read, most of them on one
 * CPU, which need not be the one that boots: 328,000 and 838,000 on two small virtual machines,
 * 879,000 where a distribution's initramfs loads modules. They take 20 to 56 MB.
 */
static struct marker_channel_size kmemtrace_size __initdata = {
	.owner		= "kmemtrace",
	.subbuf_size	= MARKER_CHANNEL_SUBBUF,
	.default_bytes	= SZ_64M,
	.grows		= true,
};

static const struct marker_channel_ops kmemtrace_channel_ops = {
	.begin	= kmemtrace_begin_subbuf,
	.fill	= kmemtrace_fill_subbuf,
	.buffer	= kmemtrace_emit_own,
};

/*
 * The probes are registered before the channel starts, and until it has stopped. So the
 * trace begins and ends at one moment for all types of events.
 */
static void kmemtrace_stop(void)
{
	lockdep_assert_held(&kmemtrace_mutex);
	if (kmemtrace_state_now == KMEMTRACE_OFF)
		return;
	marker_channel_stop(&kmemtrace_channel);
	kmemtrace_unregister_probes();
	kmemtrace_end_who();
	WRITE_ONCE(kmemtrace_state_now, KMEMTRACE_OFF);
}

/*
 * A snapshot at the begin would be overwritten. One that is interrupted has no end, and the
 * trace has all events nevertheless.
 */
static int kmemtrace_switch_off(void)
{
	int ret = 0;

	if (kmemtrace_state_now == KMEMTRACE_OVERWRITES) {
		ret = kmemtrace_snapshot(kmemtrace_baseline);
		kmemtrace_emit_stacks();
	}
	kmemtrace_stop();
	return ret;
}

static int kmemtrace_switch_on(enum kmemtrace_state state)
{
	const bool overwrites = state == KMEMTRACE_OVERWRITES;
	int ret;

	lockdep_assert_held(&kmemtrace_mutex);
	ret = marker_channel_prepare(&kmemtrace_channel, overwrites);
	if (ret)
		return ret;
	if (kmemtrace_sleeps)
		kmemtrace_use_cycles(false);
	else
		kmemtrace_choose_clock();
	kmemtrace_callsite_init();
	ret = kmemtrace_begin_who(overwrites);
	if (!ret)
		ret = kmemtrace_register_probes(kmemtrace_counts_cycles(),
						kmemtrace_sample);
	if (ret) {
		kmemtrace_end_who();
		/* This frees the buffers. */
		marker_channel_stop(&kmemtrace_channel);
		return ret;
	}
	kmemtrace_reset_reported();
	marker_channel_start(&kmemtrace_channel);
	WRITE_ONCE(kmemtrace_state_now, state);
	if (system_state == SYSTEM_BOOTING)
		kmemtrace_boot_phase(KMEMTRACE_PHASE_ARMED);
	if (state == KMEMTRACE_OVERWRITES)
		return 0;
	ret = kmemtrace_snapshot(kmemtrace_baseline);
	if (ret) {
		kmemtrace_stop();
		marker_channel_discard(&kmemtrace_channel);
	}
	return ret;
}

/**
 * kmemtrace_state - return whether events are recorded
 *
 * Return: the state; it is new from the first record on, also while the snapshot is taken.
 */
enum kmemtrace_state kmemtrace_state(void)
{
	return READ_ONCE(kmemtrace_state_now);
}

/**
 * kmemtrace_switch - switch tracing on or off
 * @state: the new state
 *
 * Context: task, may sleep until a snapshot is complete.
 * Return: 0; -EINTR if a signal came before that: then tracing is off, unless the signal came
 * while another task switched it; -EBUSY to switch from one way of recording to another; an
 * error of marker_channel_prepare().
 */
int kmemtrace_switch(enum kmemtrace_state state)
{
	int ret = 0;

	if (mutex_lock_interruptible(&kmemtrace_mutex))
		return -EINTR;
	if (state == KMEMTRACE_OFF)
		ret = kmemtrace_switch_off();
	else if (kmemtrace_state_now == KMEMTRACE_OFF)
		ret = kmemtrace_switch_on(state);
	else if (kmemtrace_state_now != state)
		ret = -EBUSY;
	mutex_unlock(&kmemtrace_mutex);
	return ret;
}

/* Lock the settings of the next trace. Return 0 or -errno; then they are not locked. */
static int kmemtrace_lock_off(void)
{
	if (mutex_lock_interruptible(&kmemtrace_mutex))
		return -EINTR;
	if (kmemtrace_state_now == KMEMTRACE_OFF)
		return 0;
	mutex_unlock(&kmemtrace_mutex);
	return -EBUSY;
}

/**
 * kmemtrace_has_baseline - return whether a trace has a snapshot of what is live
 *
 * Return: true if it does.
 */
bool kmemtrace_has_baseline(void)
{
	return READ_ONCE(kmemtrace_baseline);
}

/**
 * kmemtrace_set_baseline - choose whether the next trace has a snapshot of what is live
 * @baseline: true if it shall
 *
 * Context: task, may sleep.
 * Return: 0; -EBUSY while tracing is on; -EINTR if a signal came.
 */
int kmemtrace_set_baseline(bool baseline)
{
	int ret = kmemtrace_lock_off();

	if (ret)
		return ret;
	WRITE_ONCE(kmemtrace_baseline, baseline);
	mutex_unlock(&kmemtrace_mutex);
	return 0;
}

/**
 * kmemtrace_get_sample - return N if a trace has one of N slab objects
 *
 * Return: N; 1 if it has all.
 */
unsigned int kmemtrace_get_sample(void)
{
	return READ_ONCE(kmemtrace_sample);
}

/* SLOB does not know the size of an object that is freed. */
static bool kmemtrace_can_sample(u64 one_of)
{
	return one_of == 1 ||
	       (!IS_ENABLED(CONFIG_SLOB) && is_power_of_2(one_of) &&
		one_of <= KMEMTRACE_MAX_SAMPLE);
}

/**
 * kmemtrace_set_sample - choose how many slab objects the next trace has
 * @one_of: one of so many, see kmemtrace_in_sample()
 *
 * Context: task, may sleep.
 * Return: 0; -EINVAL if @one_of is no power of two, or too large, or the slab allocator is
 * SLOB; -EBUSY while tracing is on; -EINTR if a signal came.
 */
int kmemtrace_set_sample(u64 one_of)
{
	int ret = kmemtrace_can_sample(one_of) ? kmemtrace_lock_off() : -EINVAL;

	if (ret)
		return ret;
	WRITE_ONCE(kmemtrace_sample, one_of);
	mutex_unlock(&kmemtrace_mutex);
	return 0;
}

/**
 * kmemtrace_set_with - choose what the next trace records with each allocation
 * @words: see kmemtrace_parse_with()
 *
 * Context: task, may sleep.
 * Return: 0; -EINVAL for other words; -EBUSY while tracing is on; -EINTR if a signal came.
 */
int kmemtrace_set_with(const char *words)
{
	const int with = kmemtrace_parse_with(words);
	int ret = with < 0 ? with : kmemtrace_lock_off();

	if (ret)
		return ret;
	kmemtrace_use_with(words, with);
	mutex_unlock(&kmemtrace_mutex);
	return 0;
}

/**
 * kmemtrace_give_up - switch tracing off and discard all records
 *
 * Context: task, may sleep.
 */
void kmemtrace_give_up(void)
{
	mutex_lock(&kmemtrace_mutex);
	kmemtrace_stop();
	marker_channel_discard(&kmemtrace_channel);
	mutex_unlock(&kmemtrace_mutex);
}

/*
 * While the system is suspended, CLOCK_MONOTONIC stops, and the cycle counter continues
 * or restarts at 0. So timestamps are no cycles after that. local_clock() may continue
 * as well. The flushes before and after the suspend make sub-buffers begin close to it,
 * and each begins with a record of both clocks.
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

static void __init kmemtrace_parse_word(const char *name, const char *arg,
					bool *value)
{
	if (arg && !strcmp(arg, "yes"))
		*value = true;
	else if (arg && !strcmp(arg, "no"))
		*value = false;
	else
		pr_warn("kmemtrace.%s=%s is neither yes nor no, staying %s\n",
			name, arg ?: "", *value ? "yes" : "no");
}

static int __init kmemtrace_parse_enable(char *arg)
{
	kmemtrace_parse_word("enable", arg, &kmemtrace_enable_param);
	return 0;
}
early_param("kmemtrace.enable", kmemtrace_parse_enable);

static int __init kmemtrace_parse_baseline(char *arg)
{
	kmemtrace_parse_word("baseline", arg, &kmemtrace_baseline);
	return 0;
}
early_param("kmemtrace.baseline", kmemtrace_parse_baseline);

static int __init kmemtrace_parse_mode(char *arg)
{
	kmemtrace_mode_param = marker_channel_parse_mode(&kmemtrace_size, arg) ?
			       KMEMTRACE_OVERWRITES : KMEMTRACE_ON;
	return 0;
}
early_param("kmemtrace.mode", kmemtrace_parse_mode);

static int __init kmemtrace_parse_sample(char *arg)
{
	unsigned int one_of;

	if (arg && !kstrtouint(arg, 0, &one_of) && kmemtrace_can_sample(one_of))
		kmemtrace_sample = one_of;
	else
		pr_warn("kmemtrace.sample=%s is no power of two from 1 to %u, or the slab allocator is SLOB, staying %u\n",
			arg ?: "", KMEMTRACE_MAX_SAMPLE, kmemtrace_sample);
	return 0;
}
early_param("kmemtrace.sample", kmemtrace_parse_sample);

static int __init kmemtrace_parse_with_param(char *arg)
{
	int with = kmemtrace_parse_with(arg ?: "");

	if (with >= 0)
		kmemtrace_use_with(arg, with);
	else
		pr_warn("kmemtrace.with=%s has a word that this kernel does not know, staying none\n",
			arg ?: "");
	return 0;
}
early_param("kmemtrace.with", kmemtrace_parse_with_param);

static int __init kmemtrace_parse_subbufs(char *arg)
{
	marker_channel_parse_subbufs(&kmemtrace_size, arg);
	return 0;
}
early_param("kmemtrace.subbufs", kmemtrace_parse_subbufs);

static int __init kmemtrace_parse_subbuf_size(char *arg)
{
	marker_channel_parse_subbuf_size(&kmemtrace_size, arg);
	return 0;
}
early_param("kmemtrace.subbuf_size", kmemtrace_parse_subbuf_size);

/**
 * kmemtrace_init - start tracing if the command line or the configuration requests it
 *
 * Context: boot CPU, directly after mm_core_init(): relay needs the page and
 * slab allocators, per-CPU memory and vmap().
 */
void __init kmemtrace_init(void)
{
	int ret;

	kmemtrace_channel.ops = &kmemtrace_channel_ops;
	marker_channel_init_size(&kmemtrace_channel, &kmemtrace_size);
	if (!kmemtrace_enable_param)
		return;

	mutex_lock(&kmemtrace_mutex);
	ret = kmemtrace_switch_on(kmemtrace_mode_param);
	mutex_unlock(&kmemtrace_mutex);
	if (ret)
		pr_err("not enabled: %d\n", ret);
	else
		pr_info("enabled, %zu sub-buffers of %zu KiB a CPU, %zu of the boot CPU\n",
			kmemtrace_channel.n_subbufs,
			kmemtrace_channel.subbuf_size / 1024,
			marker_channel_largest(&kmemtrace_channel));
}

#ifdef CONFIG_KMEMTRACE_KUNIT_TEST
#include "core_test.c"
#include "stress_test.c"
#endif
