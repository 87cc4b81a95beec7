/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The members of opaque structures of kmemtrace.h.
 */
#ifndef KMEMTRACE_HANDLE_H
#define KMEMTRACE_HANDLE_H

#include "api/live.h"
#include "api/trace.h"
#include "common/reasons.h"
#include "kmemtrace-records.h"
#include "read/spool.h"

/**
 * struct list - public structures of one type
 * @at: the structures
 * @nr: their number
 */
struct list {
	void *at;
	size_t nr;
};

/**
 * struct process - a process, or what isn't a task
 * @task: the task whose name it has
 * @is_named: @task is set
 */
struct process {
	uint32_t task;
	bool is_named;
};

/**
 * struct kmemtrace_trace - a trace
 * @t: the trace as the library reads it
 * @options: of the program
 * @live: the reading of a trace that is still being recorded; NULL: it is another trace
 * @reading: how to read the streams
 * @filters: the texts in @reading
 * @each_life: the function of api_set_lives(), or NULL
 * @life_arg: for @each_life
 * @receiving: ends a stream that arrives
 * @is_gone: the records were read while they arrived, and can't be read again
 * @is_used: a stream was opened
 * @is_read: kmemtrace_read() succeeded; the members below are valid from then on
 * @machine: result of kmemtrace_get_machine(), valid since the trace was opened
 * @summary: result of kmemtrace_get_summary()
 * @arrived: result of kmemtrace_get_live()
 * @cells: result of kmemtrace_get_cells()
 * @paths: struct kmemtrace_call_path
 * @process_of: by number of the task, the number of its process
 * @processes: the processes
 * @nr_processes: entries of @processes
 * @has_counters: kmemtrace_read_counters() succeeded
 * @doubts: the reasons of kmemtrace_doubt()
 * @source: of kmemtrace_set_source()
 * @address: of kmemtrace_set_address(), if @has_address
 * @aged: with a filter by age, by number of the kind, the live memory that matches; else NULL
 * @namesakes: functions whose name another one has, see namesakes.c
 */
struct kmemtrace_life;

struct kmemtrace_trace {
	struct trace t;
	struct kmemtrace_options options;
	struct live *live;
	struct trace_options reading;
	char *filters[NR_FILTERS];
	int (*each_life)(void *arg, const struct kmemtrace_life *life);
	void *life_arg;
	struct spool_watch receiving;
	bool is_gone, is_used, is_read;
	struct kmemtrace_machine machine;
	struct kmemtrace_summary summary;
	struct kmemtrace_live arrived;
	struct kmemtrace_cells cells;
	struct list paths;
	uint32_t *process_of;
	struct process *processes;
	uint32_t nr_processes;
	bool has_counters;
	struct reasons doubts;
	struct kmemtrace_source source;
	uint64_t address;
	bool has_address;
	struct row *aged;
	struct list namesakes;
};

/* Return whether an argument of the program is an allocator. */
static inline bool is_space(enum kmemtrace_space space)
{
	return (unsigned int)space < NR_SPACES;
}

#endif /* KMEMTRACE_HANDLE_H */
