/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of kmemtrace: the TSC. */
#ifndef _ASM_X86_KMEMTRACE_H
#define _ASM_X86_KMEMTRACE_H

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

#include <asm-generic/kmemtrace.h>

#endif /* _ASM_X86_KMEMTRACE_H */
