/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lives that kmemtrace_read() passes to the program, and the oldest live memory.
 */
#ifndef KMEMTRACE_API_OBJECTS_H
#define KMEMTRACE_API_OBJECTS_H

#include "api/handle.h"
#include "kmemtrace-records.h"

/**
 * struct kmemtrace_life - an allocation, from its begin to its end
 * @space: enum kmemtrace_space
 * @api: enum kmemtrace_api of the allocation
 * @ptr: its address; of pages, that of the first
 * @pages: of pages, how many; else 0. A block that is freed in parts has a life for each part
 * @bytes_req: requested bytes; of pages, their bytes
 * @bytes_alloc: allocated bytes
 * @call_site: return address into the caller that allocated
 * @cache: number of the slab cache; 0: none
 * @is_older: it was live when tracing began, so @born and @cpu are unknown
 * @born: time of the allocation
 * @cpu: CPU of the allocation
 * @is_ended: the members below are set; else it is live at the end of the trace
 * @died: time of the event that ended it
 * @has_free: that event is its free; else its free is missing, and the event contradicts
 *	that it is live
 * @free_site: return address into the caller that freed, if @has_free
 * @free_cpu: CPU of the event that ended it
 * @weight: for how many allocations it stands; 1, unless the trace is a sample
 * @path: number of its call path; 0: unknown. Valid, as the two
 *	below, once kmemtrace_read() has returned
 * @task: number of the task; 0: unknown
 * @cgroup: number of the cgroup that it is charged to; 0: none
 */
struct kmemtrace_life {
	int space;
	int api;
	uint64_t ptr;
	uint64_t pages;
	uint64_t bytes_req;
	uint64_t bytes_alloc;
	uint64_t call_site;
	uint32_t cache;
	bool is_older;
	int64_t born;
	unsigned int cpu;
	bool is_ended;
	int64_t died;
	bool has_free;
	uint64_t free_site;
	unsigned int free_cpu;
	unsigned int weight;
	uint32_t path;
	uint32_t task;
	uint32_t cgroup;
};

/*
 * Let kmemtrace_read() call a function for each life, by the thread that called it. The life is
 * valid until it returns 0, or -errno, which ends the reading. Lives that end come in the order in
 * which they end, as far as clocks and waiting events allow; then those that are live, as
 * kmemtrace_each_live() has them. Returns 0 or -EBUSY.
 */
int api_set_lives(struct kmemtrace_trace *trace,
		  int (*each)(void *arg, const struct kmemtrace_life *life), void *arg);
void api_begin_lives(struct kmemtrace_trace *trace);
int api_end_lives(struct kmemtrace_trace *trace);
int api_each_live(const struct kmemtrace_trace *trace, enum kmemtrace_space space, bool has_hidden,
		  int (*each)(void *arg, const struct kmemtrace_object *object), void *arg);
int api_find_oldest(const struct kmemtrace_trace *trace, enum kmemtrace_space space,
		    int64_t *oldest);

/* The trace has so many steps of time for the births of live memory. */
#define BIRTH_STEPS	32

/**
 * struct births - when the live memory of one kind was allocated
 * @steps: objects, or single pages, by the step of the trace
 * @nr: their sum
 * @first: the earliest time, if there are any
 * @last: the latest one
 */
struct births {
	uint64_t steps[BIRTH_STEPS], nr;
	int64_t first, last;
};

int api_find_births(const struct kmemtrace_trace *trace, enum kmemtrace_space space, int64_t since,
		    struct births *(*of_kind)(void *arg, uint32_t kind), void *arg);
int api_count_aged(struct kmemtrace_trace *trace);
uint64_t api_birth_step(const struct kmemtrace_trace *trace);

#endif /* KMEMTRACE_API_OBJECTS_H */
