/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of markers: the TSC. */
#ifndef _ASM_X86_MARKER_CLOCK_H
#define _ASM_X86_MARKER_CLOCK_H

#include <linux/types.h>
#include <asm/tsc.h>

static inline u64 arch_marker_frequency(void)
{
	return tsc_khz * 1000ULL;
}

#define arch_marker_frequency arch_marker_frequency

static inline bool arch_marker_synchronous(void)
{
	return boot_cpu_has(X86_FEATURE_CONSTANT_TSC) &&
	       boot_cpu_has(X86_FEATURE_NONSTOP_TSC);
}

#define arch_marker_synchronous arch_marker_synchronous

static inline bool arch_marker_unstable(void)
{
	return check_tsc_unstable();
}

#define arch_marker_unstable arch_marker_unstable

#include <asm-generic/marker_clock.h>

#endif /* _ASM_X86_MARKER_CLOCK_H */
