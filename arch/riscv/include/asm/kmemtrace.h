/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of kmemtrace: the time CSR. */
#ifndef _ASM_RISCV_KMEMTRACE_H
#define _ASM_RISCV_KMEMTRACE_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/delay.h>

/* 0 until time_init(). Earlier timestamps are cycles, too: see the last clock records. */
static inline u64 arch_kmemtrace_frequency(void)
{
	return riscv_timebase;
}

#define arch_kmemtrace_frequency arch_kmemtrace_frequency

/*
 * The specification requires a constant rate, and that the counters of all harts differ
 * by no more than one tick.
 */
static inline bool arch_kmemtrace_synchronous(void)
{
	return true;
}

#define arch_kmemtrace_synchronous arch_kmemtrace_synchronous

#ifdef CONFIG_FRAME_POINTER
/* The frame pointer points behind the two words of a frame record. */
static __always_inline unsigned long *
arch_kmemtrace_caller_frame(const unsigned long *frame)
{
	return (unsigned long *)READ_ONCE_NOCHECK(frame[-2]);
}

#define arch_kmemtrace_caller_frame arch_kmemtrace_caller_frame

static __always_inline unsigned long
arch_kmemtrace_return_address(const unsigned long *frame)
{
	return READ_ONCE_NOCHECK(frame[-1]);
}
#endif

#include <asm-generic/kmemtrace.h>

#endif /* _ASM_RISCV_KMEMTRACE_H */
