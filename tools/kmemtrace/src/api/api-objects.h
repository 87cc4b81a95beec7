/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lives that kmemtrace_read() passes to the program, and the oldest live memory.
 */
#ifndef KMEMTRACE_API_OBJECTS_H
#define KMEMTRACE_API_OBJECTS_H

#include "api/handle.h"

void api_begin_lives(struct kmemtrace_trace *trace);
int api_end_lives(struct kmemtrace_trace *trace);
int api_find_oldest(const struct kmemtrace_trace *trace, enum kmemtrace_space space,
		    int64_t *oldest);

#endif /* KMEMTRACE_API_OBJECTS_H */
