/* SPDX-License-Identifier: GPL-2.0 */
/* The probes on the markers of the allocators. */
#ifndef _MM_KMEMTRACE_PROBES_H
#define _MM_KMEMTRACE_PROBES_H

#include <linux/kmemtrace.h>
#include <linux/types.h>

int kmemtrace_register_probes(bool fast, unsigned int one_of);
void kmemtrace_unregister_probes(void);
unsigned long kmemtrace_failures(void);

#if IS_ENABLED(CONFIG_KUNIT)
marker_probe_kmalloc probe_kmalloc_fast;
marker_probe_kfree probe_kfree_fast;
#endif

#endif /* _MM_KMEMTRACE_PROBES_H */
