/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cycle counter of an architecture, as recorders of markers use it.
 *
 * <asm/marker_clock.h> of an architecture may define any of these functions, each with a
 * macro of the same name, and includes this file for the others. The defaults assume
 * that nothing is known about the counter.
 */
#ifndef __ASM_GENERIC_MARKER_CLOCK_H
#define __ASM_GENERIC_MARKER_CLOCK_H

#include <linux/compiler.h>
#include <linux/timex.h>
#include <linux/types.h>

#ifndef arch_marker_counter
/* Return the counter of this CPU, 0 if there is none. Context: any, NMI included. */
static __always_inline u64 arch_marker_counter(void)
{
	return get_cycles();
}
#endif

#ifndef arch_marker_frequency
/* Return the cycles per second, or 0 while unknown. */
static inline u64 arch_marker_frequency(void)
{
	return 0;
}
#endif

#ifndef arch_marker_synchronous
/*
 * Return true if it is known that all CPUs read the same counter, that it has a
 * constant rate, and that it doesn't stop while CPUs are idle.
 */
static inline bool arch_marker_synchronous(void)
{
	return false;
}
#endif

#ifndef arch_marker_unstable
/* Return true once the kernel has found that the counters of the CPUs differ. */
static inline bool arch_marker_unstable(void)
{
	return false;
}
#endif

#endif /* __ASM_GENERIC_MARKER_CLOCK_H */
