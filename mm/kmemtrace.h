/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of kmemtrace share. */
#ifndef __MM_KMEMTRACE_H
#define __MM_KMEMTRACE_H

void kmemtrace_callsite_init(void);

#endif /* __MM_KMEMTRACE_H */
