/* SPDX-License-Identifier: GPL-2.0 */
/* Modules can't link to these functions: symbols.c finds them. */
#ifndef _COMPAT_LINUX_MEMORY_HOTPLUG_H
#define _COMPAT_LINUX_MEMORY_HOTPLUG_H

#include_next <linux/memory_hotplug.h>
#include <symbols.h>

/* Without memory hotplug, the kernel's header defines them. */
#ifdef CONFIG_MEMORY_HOTPLUG
#define get_online_mems		KMEMTRACE_CALL(get_online_mems)
#define put_online_mems		KMEMTRACE_CALL(put_online_mems)
#endif

#endif /* _COMPAT_LINUX_MEMORY_HOTPLUG_H */
