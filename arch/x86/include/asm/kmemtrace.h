/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of kmemtrace: the TSC. */
#ifndef _ASM_X86_KMEMTRACE_H
#define _ASM_X86_KMEMTRACE_H

#include <linux/compiler.h>
#include <asm/tsc.h>

static inline u64 arch_kmemtrace_frequency(void)
{
	return tsc_khz * 1000ULL;
}

#define arch_kmemtrace_frequency arch_kmemtrace_frequency

static inline bool arch_kmemtrace_synchronous(void)
{
	return boot_cpu_has(X86_FEATURE_CONSTANT_TSC) &&
	       boot_cpu_has(X86_FEATURE_NONSTOP_TSC);
}

#define arch_kmemtrace_synchronous arch_kmemtrace_synchronous

static inline bool arch_kmemtrace_unstable(void)
{
	return check_tsc_unstable();
}

#define arch_kmemtrace_unstable arch_kmemtrace_unstable

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

#include <asm-generic/kmemtrace.h>

#endif /* _ASM_X86_KMEMTRACE_H */
