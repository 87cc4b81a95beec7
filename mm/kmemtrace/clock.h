/* SPDX-License-Identifier: GPL-2.0 */
/* Which clock the timestamps have. */
#ifndef _MM_KMEMTRACE_CLOCK_H
#define _MM_KMEMTRACE_CLOCK_H

#include <linux/types.h>

void kmemtrace_choose_clock(void);
void kmemtrace_use_cycles(bool cycles);
bool kmemtrace_counts_cycles(void);

#endif /* _MM_KMEMTRACE_CLOCK_H */
