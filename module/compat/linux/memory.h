/* SPDX-License-Identifier: GPL-2.0 */
/* A module unregisters its notifier when it is unloaded, so that it has to know it. */
#ifndef _COMPAT_LINUX_MEMORY_H
#define _COMPAT_LINUX_MEMORY_H

#include_next <linux/memory.h>
#include <unload.h>

#undef hotplug_memory_notifier
#define hotplug_memory_notifier(_fn, _priority) \
	kmemtrace_notify_memory(_fn, _priority)

#endif /* _COMPAT_LINUX_MEMORY_H */
