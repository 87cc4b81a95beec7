/* SPDX-License-Identifier: GPL-2.0 */
/* Modules can't link to the trampoline of kretprobes: symbols.c finds it. */
#ifndef _COMPAT_LINUX_KPROBES_H
#define _COMPAT_LINUX_KPROBES_H

#include_next <linux/kprobes.h>
#include <symbols.h>

#define is_kretprobe_trampoline(_addr)	((_addr) == kmemtrace_trampoline)

#endif /* _COMPAT_LINUX_KPROBES_H */
