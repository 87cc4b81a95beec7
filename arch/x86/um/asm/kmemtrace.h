/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of kmemtrace: the TSC of the host. UML knows neither its rate nor whether
 * all CPUs share it.
 */
#ifndef __ASM_UM_KMEMTRACE_H
#define __ASM_UM_KMEMTRACE_H

#include <linux/compiler.h>
#include <linux/time-internal.h>

/* get_cycles() of UML is 0. */
static __always_inline u64 arch_kmemtrace_counter(void)
{
	return __builtin_ia32_rdtsc();
}

#define arch_kmemtrace_counter arch_kmemtrace_counter

/* In time-travel mode, CLOCK_MONOTONIC is independent of the host's time. */
static inline bool arch_kmemtrace_unstable(void)
{
	return time_travel_mode != TT_MODE_OFF;
}

#define arch_kmemtrace_unstable arch_kmemtrace_unstable

#ifdef CONFIG_FRAME_POINTER
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

#endif /* __ASM_UM_KMEMTRACE_H */
