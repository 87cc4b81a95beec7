// SPDX-License-Identifier: GPL-2.0
/* Records of memory cgroups, and of the memory that is charged to them. */
#include <linux/build_bug.h>
#include <linux/cgroup.h>
#include <linux/math.h>
#include <linux/memcontrol.h>
#include <linux/numa.h>
#include <linux/overflow.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <uapi/linux/kmemtrace.h>
#include "cgroups.h"
#include "record.h"

static_assert(offsetof(struct kmemtrace_cgroup, timestamp) == 48);
static_assert(offsetof(struct kmemtrace_cgroup, path) == 56);
static_assert(sizeof(struct kmemtrace_charge) == 56);
static_assert(offsetof(struct kmemtrace_charge, timestamp) == 48);

#define KMEMTRACE_MAX_PATH	512

/* The number of a cgroup's folder may come again, with another memory controller. */
static u64 kmemtrace_cgroup_id(const struct mem_cgroup *memcg)
{
	return memcg->css.serial_nr;
}

/**
 * kmemtrace_emit_cgroup - record that a memory cgroup exists, or changes
 * @op: how
 * @memcg: the cgroup
 *
 * Context: task.
 */
void kmemtrace_emit_cgroup(enum kmemtrace_cgroup_op op,
			   struct mem_cgroup *memcg)
{
	DEFINE_RAW_FLEX(struct kmemtrace_cgroup, record, path,
			KMEMTRACE_MAX_PATH);
	struct mem_cgroup *parent = parent_mem_cgroup(memcg);
	size_t len;

	record->event_id = KMEMTRACE_EVENT_CGROUP;
	record->op = op;
	record->is_removed = op == KMEMTRACE_CGROUP_THERE ?
			     css_is_dying(&memcg->css) :
			     op != KMEMTRACE_CGROUP_CREATED;
	record->cgroup = kmemtrace_cgroup_id(memcg);
	if (parent)
		record->parent = kmemtrace_cgroup_id(parent);
	cgroup_path(memcg->css.cgroup, record->path, KMEMTRACE_MAX_PATH);
	len = strnlen(record->path, KMEMTRACE_MAX_PATH - 1);
	memset(record->path + len, 0, KMEMTRACE_MAX_PATH - len);
	record->event_size = sizeof(*record) + round_up(len + 1, 8);
	kmemtrace_write(record, record->event_size);
}

/**
 * kmemtrace_emit_cgroups - record all memory cgroups that exist
 *
 * Context: task, or the boot CPU.
 */
void kmemtrace_emit_cgroups(void)
{
	struct mem_cgroup *memcg;

	if (mem_cgroup_disabled() || !root_mem_cgroup)
		return;
	for (memcg = mem_cgroup_iter(NULL, NULL, NULL); memcg;
	     memcg = mem_cgroup_iter(NULL, memcg, NULL))
		kmemtrace_emit_cgroup(KMEMTRACE_CGROUP_THERE, memcg);
}

/**
 * kmemtrace_emit_charge - record that memory is charged to a cgroup
 * @type_id: enum kmemtrace_type_id
 * @memcg: the cgroup
 * @ptr: address of the memory, as records have it
 * @bytes: pages: as many; else 0
 *
 * Context: any; @memcg stays until this returns.
 */
void kmemtrace_emit_charge(u8 type_id, struct mem_cgroup *memcg, u64 ptr,
			   u64 bytes)
{
	const struct kmemtrace_charge record = {
		.event_id = KMEMTRACE_EVENT_CHARGE,
		.type_id = type_id,
		.event_size = sizeof(record),
		.node = NUMA_NO_NODE,
		.cgroup = kmemtrace_cgroup_id(memcg),
		.ptr = ptr,
		.bytes = bytes,
	};

	kmemtrace_write(&record, sizeof(record));
}
