/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reading of a trace that comes as a stream, once.
 */
#ifndef KMEMTRACE_ONCE_H
#define KMEMTRACE_ONCE_H

#include "api/trace.h"

int once_begin(struct files *files, struct context *ctx);
int once_read(struct trace *t, const struct trace_options *options);

#endif /* KMEMTRACE_ONCE_H */
