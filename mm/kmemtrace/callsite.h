/* SPDX-License-Identifier: GPL-2.0 */
/* Call sites that callsite_walk.c knows. */
#ifndef _MM_KMEMTRACE_CALLSITE_H
#define _MM_KMEMTRACE_CALLSITE_H

#include <linux/compiler.h>
#include <linux/kmemtrace.h>
#include <asm/kmemtrace.h>

#define KMEMTRACE_KNOWN		(KMEMTRACE_LINKED_FRAMES ? 1024 : 1)

extern unsigned long kmemtrace_sites[];

unsigned long kmemtrace_caller_from(unsigned long call_site,
				    unsigned long *frame);

/* Return where @table has @addr. Instructions are aligned to 4 bytes on most machines. */
static __always_inline unsigned long *kmemtrace_known(unsigned long *table,
						      unsigned long addr)
{
	return &table[addr / 4 % KMEMTRACE_KNOWN];
}

static __always_inline bool kmemtrace_is_in(unsigned long *table,
					    unsigned long addr)
{
	return READ_ONCE(*kmemtrace_known(table, addr)) == addr;
}

/* Return true if @call_site needs no kmemtrace_caller(). */
static __always_inline bool kmemtrace_is_caller(unsigned long call_site)
{
	return !KMEMTRACE_LINKED_FRAMES ||
	       kmemtrace_is_in(kmemtrace_sites, call_site);
}

/* Return the caller of the slab allocator or of its wrapper. Only for probes. */
#define kmemtrace_caller(_call_site)					\
	(kmemtrace_is_caller(_call_site) ? (_call_site) :		\
	 kmemtrace_caller_from(_call_site, __builtin_frame_address(0)))

#endif /* _MM_KMEMTRACE_CALLSITE_H */
