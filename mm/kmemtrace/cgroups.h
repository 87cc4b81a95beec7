/* SPDX-License-Identifier: GPL-2.0 */
/* Memory cgroups, and the memory that is charged to them. */
#ifndef _MM_KMEMTRACE_CGROUPS_H
#define _MM_KMEMTRACE_CGROUPS_H

#include <linux/types.h>
#include <uapi/linux/kmemtrace.h>

struct mem_cgroup;

#ifdef CONFIG_KMEMTRACE_CGROUPS
void kmemtrace_emit_cgroup(enum kmemtrace_cgroup_op op,
			   struct mem_cgroup *memcg);
void kmemtrace_emit_cgroups(void);
void kmemtrace_emit_charge(u8 type_id, struct mem_cgroup *memcg, u64 ptr,
			   u64 bytes);
#else
static inline void kmemtrace_emit_cgroups(void) { }
#endif

#endif /* _MM_KMEMTRACE_CGROUPS_H */
