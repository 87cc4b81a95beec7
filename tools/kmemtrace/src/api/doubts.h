/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reasons why a trace is incomplete.
 */
#ifndef KMEMTRACE_DOUBTS_H
#define KMEMTRACE_DOUBTS_H

#include "api/trace.h"
#include "common/reasons.h"

int doubts_find(struct reasons *doubts, const struct trace *t);

#endif /* KMEMTRACE_DOUBTS_H */
