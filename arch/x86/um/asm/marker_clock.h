/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock of markers: the TSC of the host. UML knows neither its rate nor whether
 * all CPUs share it.
 */
#ifndef __ASM_UM_MARKER_CLOCK_H
#define __ASM_UM_MARKER_CLOCK_H

#include <linux/compiler.h>
#include <linux/time-internal.h>
#include <linux/types.h>

/* get_cycles() of UML is 0. */
static __always_inline u64 arch_marker_counter(void)
{
	return __builtin_ia32_rdtsc();
}

#define arch_marker_counter arch_marker_counter

/* In time-travel mode, CLOCK_MONOTONIC is independent of the host's time. */
static inline bool arch_marker_unstable(void)
{
	return time_travel_mode != TT_MODE_OFF;
}

#define arch_marker_unstable arch_marker_unstable

#include <asm-generic/marker_clock.h>

#endif /* __ASM_UM_MARKER_CLOCK_H */
