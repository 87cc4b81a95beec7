/* SPDX-License-Identifier: GPL-2.0 */
/* Modules can't link to this function: symbols.c finds it. */
#ifndef _COMPAT_LINUX_FILTER_H
#define _COMPAT_LINUX_FILTER_H

#include_next <linux/filter.h>
#include <symbols.h>

/* Without a compiler for BPF, the kernel's header defines it: there is no such code. */
#ifdef CONFIG_BPF_JIT
#define is_bpf_text_address	KMEMTRACE_CALL(is_bpf_text_address)
#endif

#endif /* _COMPAT_LINUX_FILTER_H */
