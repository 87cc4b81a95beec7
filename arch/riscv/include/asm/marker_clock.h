/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of markers: the time CSR. */
#ifndef _ASM_RISCV_MARKER_CLOCK_H
#define _ASM_RISCV_MARKER_CLOCK_H

#include <linux/types.h>
#include <asm/delay.h>

/* 0 until time_init(). Earlier timestamps are cycles, too: see the last clock records. */
static inline u64 arch_marker_frequency(void)
{
	return riscv_timebase;
}

#define arch_marker_frequency arch_marker_frequency

/*
 * The specification requires a constant rate, and that the counters of all harts differ
 * by no more than one tick.
 */
static inline bool arch_marker_synchronous(void)
{
	return true;
}

#define arch_marker_synchronous arch_marker_synchronous

#include <asm-generic/marker_clock.h>

#endif /* _ASM_RISCV_MARKER_CLOCK_H */
