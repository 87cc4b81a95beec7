/* SPDX-License-Identifier: GPL-2.0 */
/* How frames are linked, for kmemtrace. */
#ifndef _ASM_X86_KMEMTRACE_H
#define _ASM_X86_KMEMTRACE_H

#include <linux/compiler.h>

#ifdef CONFIG_UNWINDER_FRAME_POINTER
/* Each function begins with a push of the frame pointer. */
static __always_inline unsigned long *
arch_kmemtrace_caller_frame(const unsigned long *frame)
{
	return (unsigned long *)READ_ONCE_NOCHECK(frame[0]);
}

#define arch_kmemtrace_caller_frame arch_kmemtrace_caller_frame

static __always_inline unsigned long
arch_kmemtrace_return_address(const unsigned long *frame)
{
	return READ_ONCE_NOCHECK(frame[1]);
}
#endif

#ifdef CONFIG_UNWINDER_ORC
struct orc_entry;

/* The unwind data of the kernel: relative addresses, sorted, and an entry for each. */
extern int __start_orc_unwind_ip[];
extern int __stop_orc_unwind_ip[];
extern struct orc_entry __start_orc_unwind[];
#endif

#include <asm-generic/kmemtrace.h>

#endif /* _ASM_X86_KMEMTRACE_H */
