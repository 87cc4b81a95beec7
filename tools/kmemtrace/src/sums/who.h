/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who allocates: call paths, tasks and memory cgroups, each stored once.
 */
#ifndef KMEMTRACE_WHO_H
#define KMEMTRACE_WHO_H

#include <stdbool.h>
#include <stdint.h>

#include "common/context.h"
#include "common/lookup.h"
#include "linux/kmemtrace.h"
#include "read/event.h"
#include "read/symbols.h"

/**
 * struct path - a call path
 * @number: the kernel's number of it
 * @generation: how often tracing was switched on again before it was used
 * @is_named: a record had @frames
 * @is_cut: outer callers are missing
 * @depth: number of @frames
 * @frames: return addresses, that of the innermost caller first
 */
struct path {
	uint32_t number, generation;
	bool is_named, is_cut;
	uint8_t depth;
	uint64_t *frames;
};

/* Tasks that are none. */
#define TASK_UNKNOWN	0
#define TASK_SOFTIRQ	KMEMTRACE_CONTEXT_SOFTIRQ
#define TASK_HARDIRQ	KMEMTRACE_CONTEXT_HARDIRQ
/* A task of kmemtrace itself, if tasks were not recorded. */
#define TASK_OWN	KMEMTRACE_CONTEXT_OWN
#define NR_NO_TASKS	4

/**
 * struct task - a task under one of its names, or an interrupt
 * @tgid: number of its process
 * @start: time at which it was created
 * @pid: its number
 * @zero: 0
 * @comm: its name, filled up by zeros
 */
struct task {
	uint64_t tgid, start;
	uint32_t pid, zero;
	char comm[KMEMTRACE_COMM];
};

/* Memory is charged to no cgroup. */
#define NO_CGROUP	0

/**
 * struct cgroup - a memory cgroup
 * @number: the kernel's number of it; 0: it is NO_CGROUP
 * @parent: number of the one above, 0: none
 * @path: its path; NULL: unknown
 * @is_removed: its folder was removed
 * @is_released: no memory is charged to it any more
 * @removed: when it was removed, if a record said so; INT64_MIN: unknown
 */
struct cgroup {
	uint64_t number, parent;
	char *path;
	bool is_removed, is_released;
	int64_t removed;
};

/**
 * struct party - who has memory
 * @task: index of the task that allocated it
 * @cgroup: index of the cgroup that it is charged to
 */
struct party {
	uint32_t task, cgroup;
};

/**
 * struct who - all call paths, tasks and cgroups, in the order in which they came
 * @ctx: the context that receives an error
 * @paths: the call paths; the first one stands for an unknown path
 * @tasks: the tasks; the first NR_NO_TASKS stand for TASK_*
 * @cgroups: the cgroups; the first one stands for NO_CGROUP
 * @parties: those of kinds; the first one is an unknown task, and no cgroup
 * @nr_paths: entries of @paths
 * @nr_tasks: entries of @tasks
 * @nr_cgroups: entries of @cgroups
 * @nr_parties: entries of @parties
 * @generation: how often tracing was switched on again
 */
struct who {
	struct context *ctx;
	struct path *paths;
	struct task *tasks;
	struct cgroup *cgroups;
	struct party *parties;
	uint32_t nr_paths, nr_tasks, nr_cgroups, nr_parties;
	uint32_t generation;

	/* private: */
	struct lookup path_numbers, task_keys, cgroup_numbers, party_keys;
	struct who_cpu {
		uint32_t task, restarts;
		bool has_clock;
	} *cpus;
	uint32_t nr_cpus;
};

int who_init(struct who *w, struct context *ctx);
void who_free(struct who *w);
bool who_record(struct who *w, const struct record *rec, unsigned int cpu);
void who_clock(struct who *w, const struct kmemtrace_clock *clock, unsigned int cpu);
uint32_t who_path(struct who *w, uint32_t number);
uint32_t who_path_of(struct who *w, uint32_t number, uint32_t generation);
uint32_t who_task(struct who *w, const struct task *task);
uint32_t who_cgroup(struct who *w, uint64_t number);
uint32_t who_party(struct who *w, uint32_t task, uint32_t cgroup);
uint64_t who_module_site(const struct who *w, const struct symbols *symbols, uint32_t path,
			 uint64_t site);

/* Return whether who_record() takes a record. */
static inline bool who_takes(const struct record *rec)
{
	return rec->ev->event_id >= KMEMTRACE_EVENT_STACK &&
	       rec->ev->event_id <= KMEMTRACE_EVENT_CGROUP;
}

/* Return the task of an event, by its struct kmemtrace_who_event.who. */
static inline uint32_t who_running(const struct who *w, uint64_t who, unsigned int cpu)
{
	uint64_t context = (who & KMEMTRACE_WHO_CONTEXT) >> KMEMTRACE_WHO_CONTEXT_SHIFT;
	uint32_t task = cpu < w->nr_cpus ? w->cpus[cpu].task : TASK_UNKNOWN;

	if (context == KMEMTRACE_CONTEXT_TASK || (context == KMEMTRACE_CONTEXT_OWN && task))
		return task;
	return context < NR_NO_TASKS ? context : TASK_UNKNOWN;
}

/* Return @who of struct kind. */
static inline uint64_t who_key(uint32_t path, uint32_t party)
{
	return (uint64_t)party << 32 | path;
}

static inline uint32_t who_key_path(uint64_t key)
{
	return (uint32_t)key;
}

static inline uint32_t who_key_party(uint64_t key)
{
	return key >> 32;
}

bool who_task_is_own(const struct who *w, uint32_t task);
bool who_is_own(const struct who *w, uint64_t key);

#endif /* KMEMTRACE_WHO_H */
