/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of kmemtrace: the architected timer. */
#ifndef __ASM_KMEMTRACE_H
#define __ASM_KMEMTRACE_H

#include <clocksource/arm_arch_timer.h>

static inline u64 arch_kmemtrace_frequency(void)
{
	return arch_timer_get_rate();
}

#define arch_kmemtrace_frequency arch_kmemtrace_frequency

/* The kernel sets the rate of the timer once it has found the timer usable. */
static inline bool arch_kmemtrace_synchronous(void)
{
	return arch_timer_get_rate();
}

#define arch_kmemtrace_synchronous arch_kmemtrace_synchronous

#include <asm-generic/kmemtrace.h>

#endif /* __ASM_KMEMTRACE_H */
