/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of kmemtrace: the TOD clock. */
#ifndef _ASM_S390_KMEMTRACE_H
#define _ASM_S390_KMEMTRACE_H

#include <linux/compiler.h>
#include <linux/timex.h>

/*
 * The kernel sets the clock of all CPUs while it runs stop_machine(), and adds the
 * difference to tod_clock_base. So with interrupts off, the result doesn't jump.
 */
static __always_inline u64 arch_kmemtrace_counter(void)
{
	return get_tod_clock_fast() - tod_clock_base.tod;
}

#define arch_kmemtrace_counter arch_kmemtrace_counter

/* Bit 51 of the clock counts microseconds, bit 63 is the last one. */
static inline u64 arch_kmemtrace_frequency(void)
{
	return 4096ULL * USEC_PER_SEC;
}

#define arch_kmemtrace_frequency arch_kmemtrace_frequency

/* The architecture keeps the clocks of all CPUs synchronous. */
static inline bool arch_kmemtrace_synchronous(void)
{
	return true;
}

#define arch_kmemtrace_synchronous arch_kmemtrace_synchronous

#include <asm-generic/kmemtrace.h>

#endif /* _ASM_S390_KMEMTRACE_H */
