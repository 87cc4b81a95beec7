/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who allocates: call paths, tasks, processes and cgroups.
 */
#ifndef KMEMTRACE_API_WHO_H
#define KMEMTRACE_API_WHO_H

#include <stdio.h>

#include "api/handle.h"

/**
 * enum running - what a CPU executed
 * @IN_TASK: the code of a task
 * @IN_SOFTIRQ: a softirq
 * @IN_HARDIRQ: an interrupt
 * @IN_UNKNOWN: unknown
 */
enum running { IN_TASK, IN_SOFTIRQ, IN_HARDIRQ, IN_UNKNOWN };

void api_list_who(struct kmemtrace_trace *trace);
void api_free_who(struct kmemtrace_trace *trace);
struct kmemtrace_call_path api_path(const struct kmemtrace_trace *trace, uint32_t i);
enum running api_context_of(uint32_t task);
bool api_has_exited(const struct kmemtrace_trace *trace, uint32_t task);
uint32_t api_process_of(const struct kmemtrace_trace *trace, uint32_t task);
uint32_t api_first_task(const struct kmemtrace_trace *trace, uint32_t process);

void api_print_task(const struct kmemtrace_trace *trace, uint64_t task, FILE *out);
void api_print_process(const struct kmemtrace_trace *trace, uint64_t process, FILE *out);
void api_print_cgroup(const struct kmemtrace_trace *trace, uint64_t cgroup, FILE *out);

#endif /* KMEMTRACE_API_WHO_H */
