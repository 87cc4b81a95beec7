// SPDX-License-Identifier: GPL-2.0
/* Memory that is plugged in while tracing is on. */
#include <linux/init.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/notifier.h>
#include "frames.h"

/* The page allocator gets the memory after this. */
static int __meminit kmemtrace_memory_notify(struct notifier_block *nb,
					     unsigned long action, void *data)
{
	struct memory_notify *memory = data;

	if (action == MEM_GOING_ONLINE)
		kmemtrace_emit_reserved(pfn_to_nid(memory->start_pfn),
					memory->start_pfn, memory->nr_pages);
	return NOTIFY_OK;
}

static int __init kmemtrace_memory_init(void)
{
	return hotplug_memory_notifier(kmemtrace_memory_notify,
				       DEFAULT_CALLBACK_PRI);
}
core_initcall(kmemtrace_memory_init);
