/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of kmemtrace: the architected timer. */
#ifndef __ASM_KMEMTRACE_H
#define __ASM_KMEMTRACE_H

#include <clocksource/arm_arch_timer.h>
#include <linux/percpu.h>
#include <asm/arch_timer.h>
#include <asm/memory.h>

/*
 * get_cycles() calls a function by a pointer, for which a probe had to save its registers.
 * Without workarounds, the virtual counter is what that function reads, or it has the same
 * value as the physical one.
 */
static __always_inline u64 arch_kmemtrace_counter(void)
{
	return arch_timer_read_cntvct_el0();
}

#define arch_kmemtrace_counter arch_kmemtrace_counter

#if IS_ENABLED(CONFIG_ARM_ARCH_TIMER_OOL_WORKAROUND)
/* Return true if this CPU needs a workaround to read the counter. */
static inline bool arch_kmemtrace_unstable(void)
{
	return raw_cpu_read(timer_unstable_counter_workaround);
}

#define arch_kmemtrace_unstable arch_kmemtrace_unstable
#endif

/*
 * The counter runs from power-on. Until the kernel has set up the timer, the rate is that
 * of CNTFRQ_EL0, where the firmware stores it. The device tree may correct it: a trace has
 * the rate in each clock record, and the last one is valid.
 */
static inline u64 arch_kmemtrace_frequency(void)
{
	return arch_timer_get_rate() ?: arch_timer_get_cntfrq();
}

#define arch_kmemtrace_frequency arch_kmemtrace_frequency

/* All CPUs read the same system counter, which has a constant rate and doesn't stop. */
static inline bool arch_kmemtrace_synchronous(void)
{
	return true;
}

#define arch_kmemtrace_synchronous arch_kmemtrace_synchronous

/*
 * The frame pointer points to the two words of a frame record. The return address may be
 * signed. All kernel text is above the linear map, so the bits of the signature are set
 * without it.
 */
static __always_inline unsigned long *
arch_kmemtrace_caller_frame(const unsigned long *frame)
{
	return (unsigned long *)READ_ONCE_NOCHECK(frame[0]);
}

#define arch_kmemtrace_caller_frame arch_kmemtrace_caller_frame

static __always_inline unsigned long
arch_kmemtrace_return_address(const unsigned long *frame)
{
	return READ_ONCE_NOCHECK(frame[1]) | _PAGE_END(VA_BITS_MIN);
}

#include <asm-generic/kmemtrace.h>

#endif /* __ASM_KMEMTRACE_H */
