/* SPDX-License-Identifier: GPL-2.0 */
/* Switching kmemtrace on and off. */
#ifndef _MM_KMEMTRACE_CORE_H
#define _MM_KMEMTRACE_CORE_H

#include <linux/types.h>

bool kmemtrace_is_enabled(void);
int kmemtrace_enable(bool enable);
void kmemtrace_give_up(void);
bool kmemtrace_has_baseline(void);
int kmemtrace_set_baseline(bool baseline);

#endif /* _MM_KMEMTRACE_CORE_H */
