/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reading of a trace that comes as a stream, while it arrives.
 */
#ifndef KMEMTRACE_ARRIVING_H
#define KMEMTRACE_ARRIVING_H

#include "api/trace.h"

int arriving_begin(struct files *files, struct context *ctx);
int arriving_read(struct trace *t, const struct trace_options *options);

#endif /* KMEMTRACE_ARRIVING_H */
