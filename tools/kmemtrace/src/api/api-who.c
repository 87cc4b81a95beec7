// SPDX-License-Identifier: GPL-2.0
/*
 * The library's interface: who allocates. kmemtrace.h describes the functions.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/api-who.h"
#include "common/callsite.h"
#include "common/number.h"
#include "common/text.h"
#include "common/with.h"

static_assert((int)KMEMTRACE_WITH_STACK == WITH_STACK && (int)KMEMTRACE_WITH_TASK == WITH_TASK &&
	      (int)KMEMTRACE_WITH_CGROUP == WITH_CGROUP && (int)KMEMTRACE_WITH_REFS == WITH_REFS,
	      "enum kmemtrace_with");

unsigned int kmemtrace_get_with(const struct kmemtrace_trace *trace)
{
	const struct who *w = &trace->t.ledger.who;
	unsigned int with = with_bits(tracedir_meta(&trace->t.dir, "with"));

	if (!trace->is_read)
		return with;
	/* Of a trace without metadata, its records tell. */
	with |= w->nr_paths > 1 ? WITH_STACK : 0;
	with |= w->nr_tasks > NR_NO_TASKS ? WITH_TASK : 0;
	with |= trace->t.ledger.references.nr_paths ? WITH_REFS : 0;
	return with | (w->nr_cgroups > 1 ? WITH_CGROUP : 0);
}

/* ---- processes ---- */

/**
 * struct by_process - the argument of the functions below
 * @tasks: the tasks
 * @order: their indices, process by process
 */
struct by_process {
	const struct task *tasks;
	uint32_t *order;
};

static bool is_leader(const struct task *task)
{
	return task->pid == task->tgid;
}

/* The first task of a process comes before those that it created at once. */
static int compare_tasks(const void *a, const void *b, void *arg)
{
	const struct by_process *by = arg;
	const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const struct task *x = &by->tasks[i], *y = &by->tasks[j];
	int order = compare_u64(x->tgid, y->tgid);

	/* All idle tasks are one process. */
	if (!order && x->tgid)
		order = compare_u64(x->start, y->start);
	if (!order)
		order = is_leader(y) - is_leader(x);
	return order ? order : compare_u64(i, j);
}

/* Return whether a task begins a process: not that of @last, the task before. */
static bool begins_process(const struct task *last, uint64_t leader_start,
			   const struct task *task)
{
	if (!last || last->tgid != task->tgid)
		return true;
	return task->tgid && is_leader(task) && task->start != leader_start;
}

/* Number processes in the order of @by, and note that of each task. Return how many. */
static uint32_t number_processes(uint32_t *process_of, const struct by_process *by, uint32_t nr)
{
	const struct task *last = NULL, *task;
	uint64_t leader_start = UINT64_MAX;
	uint32_t i, processes = NR_NO_TASKS;

	for (i = 0; i < nr; i++) {
		task = &by->tasks[by->order[i]];
		if (begins_process(last, leader_start, task)) {
			processes++;
			leader_start = UINT64_MAX;
		}
		if (is_leader(task))
			leader_start = task->start;
		process_of[by->order[i]] = processes - 1;
		last = task;
	}
	return processes;
}

/* The name of a process is the last one of its first task, or else that of any. */
static void name_processes(struct kmemtrace_trace *trace)
{
	const struct who *w = &trace->t.ledger.who;
	struct process *p;
	uint32_t i;

	for (i = 0; i < w->nr_tasks; i++) {
		p = &trace->processes[trace->process_of[i]];
		if (!p->is_named || (i >= NR_NO_TASKS && is_leader(&w->tasks[i]) && w->tasks[i].tgid))
			p->task = i;
		p->is_named = true;
	}
}

/* List the processes, and that of each task. Return 0 or -ENOMEM. */
static int list_processes(struct kmemtrace_trace *trace)
{
	const struct who *w = &trace->t.ledger.who;
	const uint32_t nr = w->nr_tasks - NR_NO_TASKS;
	struct by_process by = { .tasks = w->tasks };
	uint32_t i;

	by.order = context_calloc(&trace->t.ctx, (size_t)nr + 1, sizeof(*by.order));
	trace->process_of = context_calloc(&trace->t.ctx, w->nr_tasks, sizeof(*trace->process_of));
	if (!by.order || !trace->process_of) {
		free(by.order);
		return -ENOMEM;
	}
	for (i = 0; i < nr; i++)
		by.order[i] = NR_NO_TASKS + i;
	for (i = 0; i < NR_NO_TASKS; i++)
		trace->process_of[i] = i;
	qsort_r(by.order, nr, sizeof(*by.order), compare_tasks, &by);
	trace->nr_processes = number_processes(trace->process_of, &by, nr);
	free(by.order);
	trace->processes = context_calloc(&trace->t.ctx, trace->nr_processes,
					  sizeof(*trace->processes));
	if (!trace->processes)
		return -ENOMEM;
	name_processes(trace);
	return 0;
}

/* ---- tasks ---- */

/* Print a task as ftrace does. */
static void print_task(const struct task *task, uint32_t i, FILE *out)
{
	static const char * const none[NR_NO_TASKS] = {
		[TASK_UNKNOWN] = "(unknown)",
		[TASK_SOFTIRQ] = "(softirq)",
		[TASK_HARDIRQ] = "(hardirq)",
		[TASK_OWN] = "(kmemtrace)",
	};

	if (i < NR_NO_TASKS) {
		fputs(none[i], out);
	} else {
		text_print(task->comm, out);
		if (task->pid)
			fprintf(out, "-%u", task->pid);
	}
}

/* ---- call paths ---- */

/* Return a call path, as far as the trace was read. */
struct kmemtrace_call_path api_path(const struct kmemtrace_trace *trace, uint32_t i)
{
	const struct path *from = &trace->t.ledger.who.paths[i];

	return (struct kmemtrace_call_path) {
		.size = sizeof(struct kmemtrace_call_path),
		.number = from->number,
		.frames = from->frames,
		.depth = from->depth,
		.is_cut = from->is_cut,
	};
}

static int list_paths(struct kmemtrace_trace *trace)
{
	const struct who *w = &trace->t.ledger.who;
	struct kmemtrace_call_path *paths;
	uint32_t i;

	paths = context_calloc(&trace->t.ctx, w->nr_paths, sizeof(*paths));
	if (!paths)
		return -ENOMEM;
	trace->paths = (struct list) { paths, w->nr_paths };
	for (i = 0; i < w->nr_paths; i++)
		paths[i] = api_path(trace, i);
	return 0;
}

/* ---- for the other files ---- */

/* Fill the lists of a trace that was read; an error is in its context. */
void api_list_who(struct kmemtrace_trace *trace)
{
	if (!list_processes(trace))
		list_paths(trace);
}

/* Free what api_list_who() allocated. */
void api_free_who(struct kmemtrace_trace *trace)
{
	free(trace->process_of);
	free(trace->processes);
	free(trace->paths.at);
	trace->process_of = NULL;
	trace->processes = NULL;
	trace->nr_processes = 0;
	trace->paths = (struct list) { .nr = 0 };
}

/* Return what a CPU executed that ran a task, or what isn't one. */
enum running api_context_of(uint32_t task)
{
	return task == TASK_UNKNOWN ? IN_UNKNOWN : task == TASK_SOFTIRQ ? IN_SOFTIRQ :
	       task == TASK_HARDIRQ ? IN_HARDIRQ : IN_TASK;
}

/* Return the process of a task. */
uint32_t api_process_of(const struct kmemtrace_trace *trace, uint32_t task)
{
	return trace->process_of[task];
}

/* Return the task that names a process. */
uint32_t api_first_task(const struct kmemtrace_trace *trace, uint32_t process)
{
	return trace->processes[process].task;
}

/* Return whether a task exited before tracing ended; false if the trace does not say so. */
bool api_has_exited(const struct kmemtrace_trace *trace, uint32_t task)
{
	return trace->t.survivors.is_known && task >= NR_NO_TASKS &&
	       !survivors_has(&trace->t.survivors, &trace->t.ledger.who.tasks[task]);
}

/* Print a task, as far as the trace was read. */
void api_print_task(const struct kmemtrace_trace *trace, uint64_t task, FILE *out)
{
	print_task(&trace->t.ledger.who.tasks[task], task, out);
}

void api_print_process(const struct kmemtrace_trace *trace, uint64_t process, FILE *out)
{
	const uint32_t i = api_first_task(trace, process);
	const struct task *task = &trace->t.ledger.who.tasks[i];

	if (api_context_of(i) != IN_TASK) {
		print_task(task, i, out);
	} else if (!task->tgid) {
		fputs("(idle)", out);
	} else {
		text_print(task->comm, out);
		fprintf(out, "-%" PRIu64, task->tgid);
	}
}

/* Print a cgroup, as far as the trace was read. */
void api_print_cgroup(const struct kmemtrace_trace *trace, uint64_t cgroup, FILE *out)
{
	const struct cgroup *c = &trace->t.ledger.who.cgroups[cgroup];

	if (!c->number)
		fputs("(none)", out);
	else if (c->path)
		text_print(c->path, out);
	else
		fprintf(out, "(cgroup %" PRIu64 ")", c->number);
}

/* ---- getters ---- */

/* Return entry @i of a list of entries of @size bytes, or NULL. */
static const void *get(const struct list *list, size_t i, size_t size)
{
	return i < list->nr ? (const char *)list->at + i * size : NULL;
}

const struct kmemtrace_call_path *kmemtrace_get_path(const struct kmemtrace_trace *trace,
						     size_t i)
{
	return get(&trace->paths, i, sizeof(struct kmemtrace_call_path));
}
