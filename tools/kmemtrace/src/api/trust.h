/* SPDX-License-Identifier: GPL-2.0 */
/*
 * May this trace be trusted? The reasons why it may not.
 */
#ifndef KMEMTRACE_TRUST_H
#define KMEMTRACE_TRUST_H

#include <stddef.h>

#include "api/trace.h"

/**
 * struct trust - the verdict on a trace
 * @reasons: why it is incomplete, a sentence each
 * @nr: of @reasons; 0 means that the trace is complete
 */
struct trust {
	char **reasons;
	size_t nr;
};

void trust_judge(struct trust *trust, const struct trace *t);
void trust_free(struct trust *trust);

#endif /* KMEMTRACE_TRUST_H */
