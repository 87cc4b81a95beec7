/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The frames of an architecture, as kmemtrace uses them.
 *
 * <asm/kmemtrace.h> of an architecture may define these functions, each with a macro of
 * the same name, and includes this file. The default assumes that frames are not linked.
 */
#ifndef __ASM_GENERIC_KMEMTRACE_H
#define __ASM_GENERIC_KMEMTRACE_H

#include <linux/compiler.h>

/*
 * Both read the frames of functions that have called another one. A frame is
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
