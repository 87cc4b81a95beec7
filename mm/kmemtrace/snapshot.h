/* SPDX-License-Identifier: GPL-2.0 */
/* What is live when tracing begins. */
#ifndef _MM_KMEMTRACE_SNAPSHOT_H
#define _MM_KMEMTRACE_SNAPSHOT_H

#include <linux/types.h>

struct seq_file;

int kmemtrace_snapshot(bool baseline);
void kmemtrace_show_source(struct seq_file *m, bool baseline);

#endif /* _MM_KMEMTRACE_SNAPSHOT_H */
