/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of markers: the TOD clock. */
#ifndef _ASM_S390_MARKER_CLOCK_H
#define _ASM_S390_MARKER_CLOCK_H

#include <linux/compiler.h>
#include <linux/timex.h>
#include <linux/types.h>

/*
 * The kernel sets the clock of all CPUs while it runs stop_machine(), and adds the
 * difference to tod_clock_base. So with interrupts off, the result doesn't jump.
 */
static __always_inline u64 arch_marker_counter(void)
{
	return get_tod_clock_fast() - tod_clock_base.tod;
}

#define arch_marker_counter arch_marker_counter

/* Bit 51 of the clock counts microseconds, bit 63 is the last one. */
static inline u64 arch_marker_frequency(void)
{
	return 4096ULL * USEC_PER_SEC;
}

#define arch_marker_frequency arch_marker_frequency

/* The architecture keeps the clocks of all CPUs synchronous. */
static inline bool arch_marker_synchronous(void)
{
	return true;
}

#define arch_marker_synchronous arch_marker_synchronous

#include <asm-generic/marker_clock.h>

#endif /* _ASM_S390_MARKER_CLOCK_H */
