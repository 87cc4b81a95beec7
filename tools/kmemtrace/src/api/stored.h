/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reading of a stored trace.
 */
#ifndef KMEMTRACE_STORED_H
#define KMEMTRACE_STORED_H

#include "api/trace.h"
#include "read/merge.h"

bool stored_look(struct trace *t, struct streams_progress p);
void stored_take_end(struct trace *t, const struct merge *m);
int64_t stored_last_time(struct trace *t);
void stored_select(struct trace *t);
int stored_read(struct trace *t, const struct trace_options *options);

#endif /* KMEMTRACE_STORED_H */
