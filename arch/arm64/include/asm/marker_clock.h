/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of markers: the architected timer. */
#ifndef __ASM_MARKER_CLOCK_H
#define __ASM_MARKER_CLOCK_H

#include <clocksource/arm_arch_timer.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <asm/arch_timer.h>

/*
 * get_cycles() calls a function by a pointer, for which a probe had to save its registers.
 * Without workarounds, the virtual counter is what that function reads, or it has the same
 * value as the physical one.
 */
static __always_inline u64 arch_marker_counter(void)
{
	return arch_timer_read_cntvct_el0();
}

#define arch_marker_counter arch_marker_counter

#if IS_ENABLED(CONFIG_ARM_ARCH_TIMER_OOL_WORKAROUND)
/* Return true if this CPU needs a workaround to read the counter. */
static inline bool arch_marker_unstable(void)
{
	return raw_cpu_read(timer_unstable_counter_workaround);
}

#define arch_marker_unstable arch_marker_unstable
#endif

/*
 * The counter runs from power-on. Until the kernel has set up the timer, the rate is that
 * of CNTFRQ_EL0, where the firmware stores it. The device tree may correct it: a trace has
 * the rate in each clock record, and the last one is valid.
 */
static inline u64 arch_marker_frequency(void)
{
	return arch_timer_get_rate() ?: arch_timer_get_cntfrq();
}

#define arch_marker_frequency arch_marker_frequency

/* All CPUs read the same system counter, which has a constant rate and doesn't stop. */
static inline bool arch_marker_synchronous(void)
{
	return true;
}

#define arch_marker_synchronous arch_marker_synchronous

#include <asm-generic/marker_clock.h>

#endif /* __ASM_MARKER_CLOCK_H */
