/* SPDX-License-Identifier: GPL-2.0 */
/* Modules can't link to the trampoline of rethooks: symbols.c finds it. */
#ifndef _COMPAT_LINUX_RETHOOK_H
#define _COMPAT_LINUX_RETHOOK_H

#include_next <linux/rethook.h>
#include <symbols.h>

#define is_rethook_trampoline(_addr)	((_addr) == kmemtrace_trampoline)

#endif /* _COMPAT_LINUX_RETHOOK_H */
