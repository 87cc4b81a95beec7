/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reading of a stored trace.
 */
#ifndef KMEMTRACE_STORED_H
#define KMEMTRACE_STORED_H

#include "api/trace.h"

int stored_read(struct trace *t, const struct trace_options *options);

#endif /* KMEMTRACE_STORED_H */
