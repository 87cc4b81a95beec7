/* SPDX-License-Identifier: GPL-2.0 */
/* Modules can't link to this code: symbols.c finds it. */
#ifndef _COMPAT_LINUX_FTRACE_H
#define _COMPAT_LINUX_FTRACE_H

#include_next <linux/ftrace.h>
#include <symbols.h>

#define return_to_handler	kmemtrace_return_to_handler

#endif /* _COMPAT_LINUX_FTRACE_H */
