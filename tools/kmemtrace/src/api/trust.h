/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reasons why a trace is incomplete.
 */
#ifndef KMEMTRACE_TRUST_H
#define KMEMTRACE_TRUST_H

#include "api/trace.h"
#include "common/reasons.h"

int trust_judge(struct reasons *trust, const struct trace *t);

#endif /* KMEMTRACE_TRUST_H */
