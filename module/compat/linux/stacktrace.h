/* SPDX-License-Identifier: GPL-2.0 */
/* Modules can't link to this function: symbols.c finds it. */
#ifndef _COMPAT_LINUX_STACKTRACE_H
#define _COMPAT_LINUX_STACKTRACE_H

#include_next <linux/stacktrace.h>
#include <symbols.h>

#define arch_stack_walk	KMEMTRACE_CALL(arch_stack_walk)

#endif /* _COMPAT_LINUX_STACKTRACE_H */
