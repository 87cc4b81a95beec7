/* SPDX-License-Identifier: GPL-2.0 */
/* A module unregisters its notifier when it is unloaded, so that it has to know it. */
#ifndef _COMPAT_LINUX_SUSPEND_H
#define _COMPAT_LINUX_SUSPEND_H

#include_next <linux/suspend.h>
#include <unload.h>

#undef pm_notifier
#define pm_notifier(_fn, _priority)	kmemtrace_notify_pm(_fn, _priority)

#endif /* _COMPAT_LINUX_SUSPEND_H */
