/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What kmemtrace asks an architecture about its cycle counter.
 *
 * <asm/kmemtrace.h> of an architecture defines what it knows better, each function
 * with a macro of the same name, and includes this file for the rest. The defaults
 * are those of a counter about which nothing is known.
 */
#ifndef __ASM_GENERIC_KMEMTRACE_H
#define __ASM_GENERIC_KMEMTRACE_H

#include <linux/compiler.h>
#include <linux/timex.h>
#include <linux/types.h>

#ifndef arch_kmemtrace_counter
/* Return the counter of this CPU, 0 if there is none. Context: any, NMI included. */
static __always_inline u64 arch_kmemtrace_counter(void)
{
	return get_cycles();
}
#endif

#ifndef arch_kmemtrace_frequency
/* Return the cycles a second, 0 while they are unknown. */
static inline u64 arch_kmemtrace_frequency(void)
{
	return 0;
}
#endif

#ifndef arch_kmemtrace_synchronous
/*
 * Return true if all CPUs are known to read one counter, which has one rate and goes
 * on while they are idle.
 */
static inline bool arch_kmemtrace_synchronous(void)
{
	return false;
}
#endif

#ifndef arch_kmemtrace_unstable
/* Return true once the kernel has found that the counters of its CPUs differ. */
static inline bool arch_kmemtrace_unstable(void)
{
	return false;
}
#endif

#endif /* __ASM_GENERIC_KMEMTRACE_H */
