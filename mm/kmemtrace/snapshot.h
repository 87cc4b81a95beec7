/* SPDX-License-Identifier: GPL-2.0 */
/* What is live when tracing begins. */
#ifndef _MM_KMEMTRACE_SNAPSHOT_H
#define _MM_KMEMTRACE_SNAPSHOT_H

void kmemtrace_snapshot(void);

#endif /* _MM_KMEMTRACE_SNAPSHOT_H */
