/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of kmemtrace: the TSC of the host. UML knows neither its rate nor whether
 * all CPUs share it.
 */
#ifndef __ASM_UM_KMEMTRACE_H
#define __ASM_UM_KMEMTRACE_H

#include <linux/time-internal.h>
#include <asm/msr.h>

/* get_cycles() of UML is 0. */
static __always_inline u64 arch_kmemtrace_counter(void)
{
	return rdtsc();
}

#define arch_kmemtrace_counter arch_kmemtrace_counter

/* In time-travel mode, CLOCK_MONOTONIC is independent of the host's time. */
static inline bool arch_kmemtrace_unstable(void)
{
	return time_travel_mode != TT_MODE_OFF;
}

#define arch_kmemtrace_unstable arch_kmemtrace_unstable

#include <asm-generic/kmemtrace.h>

#endif /* __ASM_UM_KMEMTRACE_H */
