/* SPDX-License-Identifier: GPL-2.0 */
/* The task that runs on a CPU, as events of allocations have it. */
#ifndef _MM_KMEMTRACE_TASK_H
#define _MM_KMEMTRACE_TASK_H

#include <linux/types.h>

void kmemtrace_reset_tasks(bool records);
size_t kmemtrace_fill_task(void *to, u64 now);
void kmemtrace_emit_task(void);

#endif /* _MM_KMEMTRACE_TASK_H */
