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

static_assert((int)KMEMTRACE_IN_TASK == KMEMTRACE_CONTEXT_TASK &&
	      (int)KMEMTRACE_IN_SOFTIRQ == KMEMTRACE_CONTEXT_SOFTIRQ &&
	      (int)KMEMTRACE_IN_HARDIRQ == KMEMTRACE_CONTEXT_HARDIRQ, "enum kmemtrace_running");
static_assert((int)KMEMTRACE_WITH_STACK == WITH_STACK && (int)KMEMTRACE_WITH_TASK == WITH_TASK &&
	      (int)KMEMTRACE_WITH_CGROUP == WITH_CGROUP, "enum kmemtrace_with");

unsigned int kmemtrace_get_with(const struct kmemtrace_trace *trace)
{
	const struct who *w = &trace->t.ledger.who;
	unsigned int with = with_bits(tracedir_meta(&trace->t.dir, "with"));

	if (!trace->is_read)
		return with;
	/* Of a trace without metadata, its records tell. */
	with |= w->nr_paths > 1 ? WITH_STACK : 0;
	with |= w->nr_tasks > NR_NO_TASKS ? WITH_TASK : 0;
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
static uint32_t number_processes(struct kmemtrace_task_info *tasks, const struct by_process *by,
				 uint32_t nr)
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
		tasks[by->order[i]].process = processes - 1;
		last = task;
	}
	return processes;
}

/* The name of a process is the last one of its first task, or else that of any. */
static void name_processes(struct kmemtrace_trace *trace, struct kmemtrace_process *processes)
{
	const struct kmemtrace_task_info *tasks = trace->tasks.at;
	const struct task *from = trace->t.ledger.who.tasks;
	struct kmemtrace_process *p;
	size_t i;

	for (i = 0; i < trace->tasks.nr; i++) {
		p = &processes[tasks[i].process];
		if (!p->name || (i >= NR_NO_TASKS && is_leader(&from[i]) && from[i].tgid)) {
			p->name = tasks[i].name;
			p->comm = tasks[i].comm;
			p->start = tasks[i].start;
		}
		if (tasks[i].context == KMEMTRACE_IN_TASK && !tasks[i].tgid)
			p->name = "(idle)";
		p->context = tasks[i].context;
		p->tgid = tasks[i].tgid;
		p->tasks++;
	}
}

static int list_processes(struct kmemtrace_trace *trace)
{
	struct kmemtrace_task_info *tasks = trace->tasks.at;
	const uint32_t nr = trace->tasks.nr - NR_NO_TASKS;
	struct by_process by = { .tasks = trace->t.ledger.who.tasks };
	struct kmemtrace_process *processes;
	uint32_t i;

	by.order = context_calloc(&trace->t.ctx, (size_t)nr + 1, sizeof(*by.order));
	if (!by.order)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		by.order[i] = NR_NO_TASKS + i;
	for (i = 0; i < NR_NO_TASKS; i++)
		tasks[i].process = i;
	qsort_r(by.order, nr, sizeof(*by.order), compare_tasks, &by);
	trace->processes.nr = number_processes(tasks, &by, nr);
	free(by.order);
	processes = context_calloc(&trace->t.ctx, trace->processes.nr, sizeof(*processes));
	if (!processes)
		return -ENOMEM;
	trace->processes.at = processes;
	for (i = 0; i < trace->processes.nr; i++)
		processes[i].size = sizeof(*processes);
	name_processes(trace, processes);
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
	};

	if (i < NR_NO_TASKS) {
		fputs(none[i], out);
	} else {
		text_print(task->comm, out);
		if (task->pid)
			fprintf(out, "-%u", task->pid);
	}
}

/* Return the name of a task, to be freed; NULL: no memory. */
static char *name_of_task(const struct task *task, uint32_t i)
{
	char *name = NULL;
	size_t size;
	FILE *out = open_memstream(&name, &size);

	if (!out)
		return NULL;
	print_task(task, i, out);
	if (!fclose(out))
		return name;
	free(name);
	return NULL;
}

static int list_tasks(struct kmemtrace_trace *trace)
{
	const struct who *w = &trace->t.ledger.who;
	struct kmemtrace_task_info *tasks;
	uint32_t i;

	tasks = context_calloc(&trace->t.ctx, w->nr_tasks, sizeof(*tasks));
	if (!tasks)
		return -ENOMEM;
	trace->tasks = (struct list) { tasks, w->nr_tasks };
	for (i = 0; i < w->nr_tasks; i++) {
		tasks[i] = (struct kmemtrace_task_info) {
			.size = sizeof(*tasks),
			.context = i == TASK_UNKNOWN ? KMEMTRACE_IN_UNKNOWN :
				   i < NR_NO_TASKS ? (int)i : KMEMTRACE_IN_TASK,
			.name = name_of_task(&w->tasks[i], i),
			.comm = w->tasks[i].comm,
			.pid = w->tasks[i].pid,
			.tgid = w->tasks[i].tgid,
			.start = w->tasks[i].start,
		};
		if (!tasks[i].name)
			return context_fail(&trace->t.ctx, -ENOMEM);
	}
	return 0;
}

/* ---- call paths and cgroups ---- */

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

static int list_cgroups(struct kmemtrace_trace *trace)
{
	const struct who *w = &trace->t.ledger.who;
	struct kmemtrace_memory_cgroup *cgroups;
	uint32_t i;

	cgroups = context_calloc(&trace->t.ctx, w->nr_cgroups, sizeof(*cgroups));
	if (!cgroups)
		return -ENOMEM;
	trace->cgroups = (struct list) { cgroups, w->nr_cgroups };
	for (i = 0; i < w->nr_cgroups; i++) {
		const struct cgroup *from = &w->cgroups[i];

		cgroups[i] = (struct kmemtrace_memory_cgroup) {
			.size = sizeof(*cgroups),
			.number = from->number,
			.parent = from->parent,
			.path = from->path,
			.is_created = from->is_created,
			.is_removed = from->is_removed,
			.is_released = from->is_released,
			.has_removed = from->removed != INT64_MIN,
			.removed = from->removed == INT64_MIN ? 0 : from->removed,
		};
	}
	return 0;
}

/* ---- for the other files ---- */

/* Fill the lists of a trace that was read; an error is in its context. */
void api_list_who(struct kmemtrace_trace *trace)
{
	if (!list_tasks(trace) && !list_processes(trace) && !list_paths(trace))
		list_cgroups(trace);
}

static void free_list(struct list *list)
{
	free(list->at);
	*list = (struct list) { .nr = 0 };
}

/* Free what api_list_who() allocated. */
void api_free_who(struct kmemtrace_trace *trace)
{
	struct kmemtrace_task_info *tasks = trace->tasks.at;
	size_t i;

	for (i = 0; i < trace->tasks.nr; i++)
		free((char *)tasks[i].name);
	free_list(&trace->tasks);
	free_list(&trace->processes);
	free_list(&trace->paths);
	free_list(&trace->cgroups);
}

/* Return the process of a task. */
uint32_t api_process_of(const struct kmemtrace_trace *trace, uint32_t task)
{
	const struct kmemtrace_task_info *info = kmemtrace_get_task(trace, task);

	return info ? info->process : TASK_UNKNOWN;
}

static void print_function(const struct kmemtrace_trace *trace, uint64_t site, FILE *out)
{
	const char *note = trace_site_note(&trace->t, site);
	struct symbol_ref ref = { 0 };

	if (!note)
		symbols_find(&trace->t.symbols, site, &ref);
	callsite_print_full(&ref, note, out);
}

/* Print the functions of a call path, that of the call site first. */
void api_print_path(const struct kmemtrace_trace *trace, uint64_t path, uint64_t call_site,
		    FILE *out)
{
	const struct kmemtrace_call_path *p = kmemtrace_get_path(trace, path);
	size_t i;

	if (!p || !p->depth) {
		print_function(trace, call_site, out);
		fputs(p && p->number ? " <- (unknown)" : "", out);
		return;
	}
	for (i = 0; i < p->depth; i++) {
		fputs(i ? " <- " : "", out);
		print_function(trace, p->frames[i], out);
	}
	if (p->is_cut)
		fputs(" <- (more)", out);
}

/* Print a task, as far as the trace was read. */
void api_print_task(const struct kmemtrace_trace *trace, uint64_t task, FILE *out)
{
	print_task(&trace->t.ledger.who.tasks[task], task, out);
}

void api_print_process(const struct kmemtrace_trace *trace, uint64_t process, FILE *out)
{
	const struct kmemtrace_process *p = kmemtrace_get_process(trace, process);

	if (p->context != KMEMTRACE_IN_TASK || !p->tgid) {
		fputs(p->name, out);
		return;
	}
	text_print(p->comm, out);
	fprintf(out, "-%u", p->tgid);
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

const struct kmemtrace_task_info *kmemtrace_get_task(const struct kmemtrace_trace *trace,
						     size_t i)
{
	return get(&trace->tasks, i, sizeof(struct kmemtrace_task_info));
}

const struct kmemtrace_process *kmemtrace_get_process(const struct kmemtrace_trace *trace,
						      size_t i)
{
	return get(&trace->processes, i, sizeof(struct kmemtrace_process));
}

const struct kmemtrace_memory_cgroup *
kmemtrace_get_cgroup(const struct kmemtrace_trace *trace, size_t i)
{
	return get(&trace->cgroups, i, sizeof(struct kmemtrace_memory_cgroup));
}
