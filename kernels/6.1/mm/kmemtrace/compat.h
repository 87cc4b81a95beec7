/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of newer kernels that Linux 6.1 lacks. */
#ifndef _MM_KMEMTRACE_COMPAT_H
#define _MM_KMEMTRACE_COMPAT_H

#include <linux/gfp.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/page-flags.h>

#define alloc_pages_bulk	alloc_pages_bulk_array

static inline bool page_has_movable_ops(struct page *page)
{
	return __PageMovable(page);
}

static inline void SetPageMovableOps(struct page *page)
{
	page->mapping = (void *)PAGE_MAPPING_MOVABLE;
}

static inline void
hrtimer_setup(struct hrtimer *timer,
	      enum hrtimer_restart (*function)(struct hrtimer *timer),
	      clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}

#endif /* _MM_KMEMTRACE_COMPAT_H */
