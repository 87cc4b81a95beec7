// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace as a module, for a kernel without the patches.
 *
 * The recorder's sources are those of the patches. This file does what the kernel does
 * for a built-in recorder: it calls its initcalls and passes on its parameters. It also
 * undoes all that when the module is unloaded.
 */
#define pr_fmt(fmt) "kmemtrace: " fmt

#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/kmemtrace.h>
#include <linux/marker_channel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include "mm/kmemtrace/core.h"
#include "mm/kmemtrace/record.h"
#include "mm/slab.h"
#include "sites.h"
#include "symbols.h"
#include "unload.h"

int kmemtrace_call_marker_channel_setup_files(void);
int kmemtrace_call_kmemtrace_memory_init(void);
int kmemtrace_call_marker_clock_measure(void);
int kmemtrace_call_kmemtrace_watch_suspend(void);
int kmemtrace_call_kmemtrace_create_files(void);
int kmemtrace_call_kmemtrace_parse_enable(char *arg);
int kmemtrace_call_kmemtrace_parse_baseline(char *arg);
int kmemtrace_call_kmemtrace_parse_mode(char *arg);
int kmemtrace_call_kmemtrace_parse_sample(char *arg);
int kmemtrace_call_kmemtrace_parse_with_param(char *arg);
int kmemtrace_call_kmemtrace_parse_subbufs(char *arg);
int kmemtrace_call_kmemtrace_parse_subbuf_size(char *arg);
int kmemtrace_call_kmemtrace_parse_clock(char *arg);

static char *enable, *baseline, *mode, *sample, *with, *subbufs, *subbuf_size, *clock;
module_param(enable, charp, 0444);
MODULE_PARM_DESC(enable, "yes: begin to trace now");
module_param(baseline, charp, 0444);
MODULE_PARM_DESC(baseline, "no: record events only, not the pages that are live");
module_param(mode, charp, 0444);
MODULE_PARM_DESC(mode, "overwrite: when a buffer is full, replace the oldest records");
module_param(sample, charp, 0444);
MODULE_PARM_DESC(sample, "record one of so many slab objects");
module_param(with, charp, 0444);
MODULE_PARM_DESC(with, "stack,task: record the call path and the task of allocations");
module_param(subbufs, charp, 0444);
MODULE_PARM_DESC(subbufs, "number of sub-buffers of each CPU");
module_param(subbuf_size, charp, 0444);
MODULE_PARM_DESC(subbuf_size, "bytes of a sub-buffer");
module_param(clock, charp, 0444);
MODULE_PARM_DESC(clock, "auto, cycles or local");

struct kmemtrace_param {
	char	**value;
	int	(*parse)(char *arg);
};

static const struct kmemtrace_param kmemtrace_params[] __initconst = {
	{ &enable,	kmemtrace_call_kmemtrace_parse_enable },
	{ &baseline,	kmemtrace_call_kmemtrace_parse_baseline },
	{ &mode,	kmemtrace_call_kmemtrace_parse_mode },
	{ &sample,	kmemtrace_call_kmemtrace_parse_sample },
	{ &with,	kmemtrace_call_kmemtrace_parse_with_param },
	{ &subbufs,	kmemtrace_call_kmemtrace_parse_subbufs },
	{ &subbuf_size,	kmemtrace_call_kmemtrace_parse_subbuf_size },
	{ &clock,	kmemtrace_call_kmemtrace_parse_clock },
};

/* ---- is this the kernel that the module was built for? ---- */

static void __init kmemtrace_construct(void *object)
{
}

/* Compare what mm/slab.h says with what the kernel says. */
static bool __init kmemtrace_knows(struct kmem_cache *cache, const char *name)
{
	void *object = kmem_cache_alloc(cache, GFP_KERNEL);
	bool good = object && kmemtrace_cache_of(object) == cache &&
		    cache->object_size == kmem_cache_size(cache) &&
		    cache->size >= cache->object_size && cache->refcount == 1 &&
		    !strcmp(cache->name, name);

	if (object)
		kmem_cache_free(cache, object);
	return good;
}

static int __init kmemtrace_check_caches(void)
{
	const char *name = "kmemtrace_check";
	struct kmem_cache *cache;
	bool good;

	/* One with a constructor is not merged with others. */
	cache = kmem_cache_create(name, 200, 0, 0, kmemtrace_construct);
	if (!cache)
		return -ENOMEM;
	good = kmemtrace_knows(cache, name);
	kmem_cache_destroy(cache);
	if (good)
		return 0;
	pr_err("slab caches of this kernel are not as in its headers: build the module for this kernel\n");
	return -EINVAL;
}

/* A lockdown forbids more than a message of debugfs tells. */
static int __init kmemtrace_check_lockdown(void)
{
	if (security_locked_down(LOCKDOWN_TRACEFS)) {
		pr_err("the kernel is locked down for confidentiality: nobody may read records\n");
		return -EPERM;
	}
	if (security_locked_down(LOCKDOWN_DEBUGFS))
		pr_warn("the kernel is locked down: kmemtraced can't switch tracing on; load the module with enable=yes\n");
	return 0;
}

/* ---- loading and unloading ---- */

static int __init kmemtrace_find_all(void)
{
	int ret = kmemtrace_find_symbols();

	if (ret)
		return ret;
	ret = kmemtrace_check_caches();
	if (!ret)
		ret = kmemtrace_find_sites();
	if (!ret)
		kmemtrace_callsite_init();
	else
		kmemtrace_forget_sites();
	kmemtrace_forget_symbols();
	return ret;
}

/* Undo kmemtrace_start(), all or a part. */
static void kmemtrace_end_all(void)
{
	unsigned int cpu;

	/* No process has a file open, and from here on none can open one. */
	debugfs_remove(kmemtrace_channel.dir);
	if (kmemtrace_channel.release.func) {
		kmemtrace_give_up();
		cancel_work_sync(&kmemtrace_channel.release);
		for_each_possible_cpu(cpu)
			irq_work_sync(&per_cpu(kmemtrace_channel_cpu,
					       cpu).wakeup);
		cancel_work_sync(&kmemtrace_channel.grow);
	}
	kmemtrace_unregister_all();
	kmemtrace_forget_sites();
}

static int __init kmemtrace_start(void)
{
	int ret;

	for (int i = 0; i < ARRAY_SIZE(kmemtrace_params); i++)
		if (*kmemtrace_params[i].value)
			kmemtrace_params[i].parse(*kmemtrace_params[i].value);
	ret = kmemtrace_call_marker_channel_setup_files();
	if (ret)
		return ret;
	ret = kmemtrace_call_kmemtrace_memory_init();
	if (ret)
		return ret;
	kmemtrace_call_marker_clock_measure();
	kmemtrace_init();
	ret = kmemtrace_call_kmemtrace_watch_suspend();
	return ret ?: kmemtrace_call_kmemtrace_create_files();
}

static int __init kmemtrace_load(void)
{
	int ret = kmemtrace_check_lockdown();

	if (!ret)
		ret = kmemtrace_find_all();
	if (ret)
		return ret;
	ret = kmemtrace_start();
	if (ret) {
		kmemtrace_channel.dir = NULL;
		kmemtrace_end_all();
		return ret;
	}
	return 0;
}
module_init(kmemtrace_load);

static void __exit kmemtrace_unload(void)
{
	kmemtrace_end_all();
}
module_exit(kmemtrace_unload);

MODULE_DESCRIPTION("Record each allocation and each free of kernel memory");
MODULE_LICENSE("GPL");
