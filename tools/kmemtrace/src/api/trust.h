/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reasons why a trace is incomplete.
 */
#ifndef KMEMTRACE_TRUST_H
#define KMEMTRACE_TRUST_H

#include <stdbool.h>
#include <stddef.h>

#include "api/trace.h"

/**
 * struct trust - the verdict on a trace
 * @reasons: why it is incomplete, one sentence each
 * @nr: entries of @reasons; 0: the trace is complete
 * @is_full: there was no memory for a reason
 */
struct trust {
	char **reasons;
	size_t nr;
	bool is_full;
};

int trust_judge(struct trust *trust, const struct trace *t);
void trust_free(struct trust *trust);

#endif /* KMEMTRACE_TRUST_H */
