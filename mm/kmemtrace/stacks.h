/* SPDX-License-Identifier: GPL-2.0 */
/* The numbers of call paths. */
#ifndef _MM_KMEMTRACE_STACKS_H
#define _MM_KMEMTRACE_STACKS_H

#include <linux/types.h>

int kmemtrace_begin_stacks(bool keep);
void kmemtrace_end_stacks(void);
u32 kmemtrace_stack(unsigned long call_site, unsigned long *frame);
void kmemtrace_emit_stacks(void);

#endif /* _MM_KMEMTRACE_STACKS_H */
