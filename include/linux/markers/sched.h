/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Markers of the scheduler, and of the life of a task.
 *
 * The pids are those of the initial namespace. The markers of the scheduler are
 * called with the lock of a run queue, or of the task, held: a probe must not wake
 * up a task.
 */
#ifndef _LINUX_MARKERS_SCHED_H
#define _LINUX_MARKERS_SCHED_H

#include <linux/marker.h>
#include <linux/types.h>

/*
 * The task @prev_pid gives the CPU to @next_pid. If it was preempted, it is still
 * runnable, whatever its state; else @prev_state has the bits TASK_..., 0 if it
 * yielded.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_SCHED, sched_switch,
	MARKER_PARAMS(const char *prev_comm, int prev_pid, int prev_prio,
		      unsigned int prev_state, bool preempted,
		      const char *next_comm, int next_pid, int next_prio),
	MARKER_ARGS(prev_comm, prev_pid, prev_prio, prev_state, preempted,
		    next_comm, next_pid, next_prio),
	"prev_comm %s prev_pid %d prev_prio %d prev_state %x preempted %d next_comm %s next_pid %d next_prio %d")

/* The task becomes runnable on @cpu; also called for the first time of a new task. */
DECLARE_MARKER_IF(CONFIG_KTRACE_SCHED, sched_wakeup,
	MARKER_PARAMS(const char *comm, int pid, int prio, int cpu),
	MARKER_ARGS(comm, pid, prio, cpu),
	"comm %s pid %d prio %d cpu %d")

/* The task moves to another run queue. Not called for the first CPU of a new task. */
DECLARE_MARKER_IF(CONFIG_KTRACE_SCHED, sched_migrate,
	MARKER_PARAMS(const char *comm, int pid, int prio, int from_cpu,
		      int to_cpu),
	MARKER_ARGS(comm, pid, prio, from_cpu, to_cpu),
	"comm %s pid %d prio %d from_cpu %d to_cpu %d")

/*
 * A new process or thread, before its first wakeup. @flags are those of clone(), the
 * signal excluded. Not called for threads that the kernel starts in the context of a
 * process, as io_uring does; they have a sched_wakeup.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_SCHED, process_fork,
	MARKER_PARAMS(int parent_pid, const char *comm, int pid, int tgid,
		      u64 flags),
	MARKER_ARGS(parent_pid, comm, pid, tgid, flags),
	"parent_pid %d comm %s pid %d tgid %d flags %llx")

/*
 * The process runs another program. @old_pid differs if another thread than the
 * leader called exec(): the thread gets the pid of the leader.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_SCHED, process_exec,
	MARKER_PARAMS(const char *filename, const char *comm, int pid,
		      int old_pid),
	MARKER_ARGS(filename, comm, pid, old_pid),
	"filename %s comm %s pid %d old_pid %d")

/*
 * A process or thread ends. @exit_code is that of wait(). @last is 1 for the last
 * thread of a process.
 */
DECLARE_MARKER_IF(CONFIG_KTRACE_SCHED, process_exit,
	MARKER_PARAMS(const char *comm, int pid, int tgid,
		      unsigned int exit_code, bool last),
	MARKER_ARGS(comm, pid, tgid, exit_code, last),
	"comm %s pid %d tgid %d exit_code %x last %d")

#endif /* _LINUX_MARKERS_SCHED_H */
