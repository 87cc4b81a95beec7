// SPDX-License-Identifier: GPL-2.0
/*
 * The task that runs on a CPU.
 *
 * A TASK record holds for the events that follow in the stream of its CPU. It comes before an
 * event if another task runs than that of the last TASK record, or if the task has another
 * name; and each sub-buffer begins with one. So a sub-buffer needs no other to be understood,
 * and there is no table of tasks that could fill up.
 *
 * Context: any but NMI, preemption off; no locks, no allocation.
 */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/marker_channel.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <uapi/linux/kmemtrace.h>
#include "record.h"
#include "task.h"

static_assert(sizeof(struct kmemtrace_task) == 72);
static_assert(offsetof(struct kmemtrace_task, timestamp) == 48);
static_assert(sizeof_field(struct task_struct, comm) == KMEMTRACE_COMM);

/**
 * struct kmemtrace_last_task - the task of the last TASK record of a CPU
 * @task: its address, which another task may have later
 * @pid: its number
 * @comm: its name
 */
struct kmemtrace_last_task {
	const struct task_struct	*task;
	pid_t				pid;
	u64				comm[KMEMTRACE_COMM / sizeof(u64)];
};

static DEFINE_PER_CPU(struct kmemtrace_last_task, kmemtrace_last_task);

/* Sub-buffers begin with a TASK record. Written while no channel runs. */
static bool kmemtrace_records_tasks;

/* Return the current task. Another one may be writing its name. */
static __always_inline struct kmemtrace_last_task kmemtrace_current(void)
{
	struct kmemtrace_last_task now = { .task = current, .pid = current->pid };

	memcpy(now.comm, current->comm, sizeof(now.comm));
	return now;
}

static __always_inline bool
kmemtrace_is_last(const struct kmemtrace_last_task *now)
{
	const struct kmemtrace_last_task *last = raw_cpu_ptr(&kmemtrace_last_task);

	return last->task == now->task && last->pid == now->pid &&
	       last->comm[0] == now->comm[0] && last->comm[1] == now->comm[1];
}

/* Fill a record of the current task, and remember it. Interrupts are off. */
static void kmemtrace_record_task(struct kmemtrace_task *record,
				  const struct kmemtrace_last_task *now,
				  u64 time)
{
	*record = (struct kmemtrace_task) {
		.event_id = KMEMTRACE_EVENT_TASK,
		.event_size = sizeof(*record),
		.pid = now->pid,
		.tgid = current->tgid,
		.start = current->start_time,
		.timestamp = time,
	};
	strscpy_pad(record->comm, (const char *)now->comm, sizeof(record->comm));
	*raw_cpu_ptr(&kmemtrace_last_task) = *now;
}

/**
 * kmemtrace_fill_task - write a TASK record to the begin of a sub-buffer
 * @to: where to
 * @now: its timestamp
 *
 * Context: interrupts off.
 * Return: the bytes written; 0 if the trace has no tasks.
 */
size_t kmemtrace_fill_task(void *to, u64 now)
{
	struct kmemtrace_last_task task;

	if (!kmemtrace_records_tasks)
		return 0;
	task = kmemtrace_current();
	kmemtrace_record_task(to, &task, now);
	return sizeof(struct kmemtrace_task);
}

static noinline void
kmemtrace_emit_other(const struct kmemtrace_last_task *now)
{
	struct kmemtrace_task *record;
	unsigned long flags;

	raw_local_irq_save(flags);
	record = marker_channel_begin(&kmemtrace_channel_cpu, sizeof(*record));
	if (record)
		kmemtrace_record_task(record, now, kmemtrace_now());
	raw_local_irq_restore(flags);
}

/**
 * kmemtrace_emit_task - record the current task if the last TASK record has another one
 *
 * Context: any but NMI, preemption off.
 */
void kmemtrace_emit_task(void)
{
	const struct kmemtrace_last_task now = kmemtrace_current();

	if (unlikely(!kmemtrace_is_last(&now)))
		kmemtrace_emit_other(&now);
}

/**
 * kmemtrace_reset_tasks - forget the tasks that were recorded
 * @records: sub-buffers begin with a TASK record
 *
 * Context: no CPU records.
 */
void kmemtrace_reset_tasks(bool records)
{
	unsigned int cpu;

	kmemtrace_records_tasks = records;
	for_each_possible_cpu(cpu)
		per_cpu(kmemtrace_last_task, cpu) =
			(struct kmemtrace_last_task) { };
}
