/* SPDX-License-Identifier: GPL-2.0 */
/* Modules can't link to this function: symbols.c finds it. */
#ifndef _COMPAT_LINUX_SCHED_CLOCK_H
#define _COMPAT_LINUX_SCHED_CLOCK_H

#include_next <linux/sched/clock.h>
#include <symbols.h>

#ifdef CONFIG_HAVE_UNSTABLE_SCHED_CLOCK
#define sched_clock_stable	KMEMTRACE_CALL(sched_clock_stable)
#endif

#endif /* _COMPAT_LINUX_SCHED_CLOCK_H */
