/* SPDX-License-Identifier: GPL-2.0 */
/* Records markers, see Documentation/trace/ktrace.rst. */
#ifndef _LINUX_KTRACE_H
#define _LINUX_KTRACE_H

#ifdef CONFIG_KTRACE
void ktrace_init(void);
#else
static inline void ktrace_init(void) { }
#endif

#endif /* _LINUX_KTRACE_H */
