/* SPDX-License-Identifier: GPL-2.0 */
/* How frames are linked, for kmemtrace. */
#ifndef _ASM_S390_KMEMTRACE_H
#define _ASM_S390_KMEMTRACE_H

#include <linux/compiler.h>
#include <linux/stddef.h>
#include <asm/stacktrace.h>

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
