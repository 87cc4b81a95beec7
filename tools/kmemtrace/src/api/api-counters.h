/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACE_API_COUNTERS_H
#define KMEMTRACE_API_COUNTERS_H

struct kmemtrace_trace;

void api_free_counters(struct kmemtrace_trace *trace);

#endif /* KMEMTRACE_API_COUNTERS_H */
