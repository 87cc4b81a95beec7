/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who allocates: call paths, tasks, processes and cgroups as public structures.
 */
#ifndef KMEMTRACE_API_WHO_H
#define KMEMTRACE_API_WHO_H

#include <stdio.h>

#include "api/handle.h"

void api_list_who(struct kmemtrace_trace *trace);
void api_free_who(struct kmemtrace_trace *trace);
struct kmemtrace_call_path api_path(const struct kmemtrace_trace *trace, uint32_t i);
uint32_t api_process_of(const struct kmemtrace_trace *trace, uint32_t task);

void api_print_path(const struct kmemtrace_trace *trace, uint64_t path, uint64_t call_site,
		    FILE *out);
void api_print_task(const struct kmemtrace_trace *trace, uint64_t task, FILE *out);
void api_print_process(const struct kmemtrace_trace *trace, uint64_t process, FILE *out);
void api_print_cgroup(const struct kmemtrace_trace *trace, uint64_t cgroup, FILE *out);

#endif /* KMEMTRACE_API_WHO_H */
