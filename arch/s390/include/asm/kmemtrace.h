/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of kmemtrace: the TOD clock. */
#ifndef _ASM_S390_KMEMTRACE_H
#define _ASM_S390_KMEMTRACE_H

#include <linux/compiler.h>
#include <linux/stddef.h>
#include <linux/timex.h>
#include <asm/stacktrace.h>

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

/*
 * __builtin_frame_address(0) is the address of the back chain in the frame of the
 * caller. The function has saved its registers before that word.
 */
#define KMEMTRACE_BACK_CHAIN	offsetof(struct stack_frame, back_chain)

static __always_inline unsigned long *
arch_kmemtrace_caller_frame(const unsigned long *frame)
{
	return (unsigned long *)(READ_ONCE_NOCHECK(*frame) +
				 KMEMTRACE_BACK_CHAIN);
}

#define arch_kmemtrace_caller_frame arch_kmemtrace_caller_frame

static __always_inline unsigned long
arch_kmemtrace_return_address(const unsigned long *frame)
{
	const struct stack_frame *stack =
		(void *)((unsigned long)frame - KMEMTRACE_BACK_CHAIN);

	return READ_ONCE_NOCHECK(stack->gprs[8]);
}

#include <asm-generic/kmemtrace.h>

#endif /* _ASM_S390_KMEMTRACE_H */
