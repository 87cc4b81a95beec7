/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cycle counter and the frames of an architecture, as kmemtrace uses them.
 *
 * <asm/kmemtrace.h> of an architecture may define any of these functions, each with a
 * macro of the same name, and includes this file for the others. The defaults assume
 * that nothing is known about the counter, and that frames are not linked.
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
/* Return the cycles per second, or 0 while unknown. */
static inline u64 arch_kmemtrace_frequency(void)
{
	return 0;
}
#endif

#ifndef arch_kmemtrace_synchronous
/*
 * Return true if it is known that all CPUs read the same counter, that it has a
 * constant rate, and that it doesn't stop while CPUs are idle.
 */
static inline bool arch_kmemtrace_synchronous(void)
{
	return false;
}
#endif

#ifndef arch_kmemtrace_unstable
/* Return true once the kernel has found that the counters of the CPUs differ. */
static inline bool arch_kmemtrace_unstable(void)
{
	return false;
}
#endif

/*
 * The next two read the frames of functions that have called another one. A frame is
 * known by __builtin_frame_address(0) of its function. An architecture defines both if
 * each function links its frame to that of its caller before it calls another one.
 */
#ifdef arch_kmemtrace_caller_frame
#define KMEMTRACE_LINKED_FRAMES	true
#else
#define KMEMTRACE_LINKED_FRAMES	false

/* Return the frame of the caller, or NULL if frames are not linked. */
static __always_inline unsigned long *
arch_kmemtrace_caller_frame(const unsigned long *frame)
{
	return NULL;
}

/* Return the address to which the function returns. */
static __always_inline unsigned long
arch_kmemtrace_return_address(const unsigned long *frame)
{
	return 0;
}
#endif

#endif /* __ASM_GENERIC_KMEMTRACE_H */
