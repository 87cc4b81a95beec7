/* SPDX-License-Identifier: GPL-2.0 */
/* How frames are linked, for kmemtrace. */
#ifndef __ASM_KMEMTRACE_H
#define __ASM_KMEMTRACE_H

#include <linux/compiler.h>
#include <asm/memory.h>

/*
 * The frame pointer points to the two words of a frame record. The return address may be
 * signed. All kernel text is above the linear map, so the bits of the signature are set
 * without it.
 */
static __always_inline unsigned long *
arch_kmemtrace_caller_frame(const unsigned long *frame)
{
	return (unsigned long *)READ_ONCE_NOCHECK(frame[0]);
}

#define arch_kmemtrace_caller_frame arch_kmemtrace_caller_frame

static __always_inline unsigned long
arch_kmemtrace_return_address(const unsigned long *frame)
{
	return READ_ONCE_NOCHECK(frame[1]) | _PAGE_END(VA_BITS_MIN);
}

#include <asm-generic/kmemtrace.h>

#endif /* __ASM_KMEMTRACE_H */
