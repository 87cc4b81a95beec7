/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of newer kernels. */
#ifndef _MM_KMEMTRACE_COMPAT_H
#define _MM_KMEMTRACE_COMPAT_H

#include <linux/mm.h>
#include <linux/page-flags.h>

#ifndef KMEMTRACE_HAS_MOVABLE_OPS
static inline bool page_has_movable_ops(struct page *page)
{
	return __PageMovable(page);
}
#endif

#ifndef KMEMTRACE_HAS_UNACCEPTED
static inline bool PageUnaccepted(struct page *page)
{
	return false;
}
#endif

#endif /* _MM_KMEMTRACE_COMPAT_H */
