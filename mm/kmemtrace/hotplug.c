// SPDX-License-Identifier: GPL-2.0
/* Memory that is plugged in or unplugged while tracing is on. */
#include <linux/init.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/notifier.h>
#include "frames.h"

/*
 * The page allocator gets the memory after MEM_GOING_ONLINE, and has lost it before
 * MEM_OFFLINE. Most of it is free then, but some may still be allocated: pages with a
 * hardware error, and those that a driver such as virtio-mem took out.
 */
static int __meminit kmemtrace_memory_notify(struct notifier_block *nb,
					     unsigned long action, void *data)
{
	struct memory_notify *memory = data;

	if (action == MEM_GOING_ONLINE || action == MEM_OFFLINE)
		kmemtrace_emit_reserved(pfn_to_nid(memory->start_pfn),
					memory->start_pfn, memory->nr_pages,
					false);
	return NOTIFY_OK;
}

static int __init kmemtrace_memory_init(void)
{
	return hotplug_memory_notifier(kmemtrace_memory_notify, 0);
}
core_initcall(kmemtrace_memory_init);
