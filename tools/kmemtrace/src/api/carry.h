/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The traces of a chain: each one begins with the books of the one before.
 */
#ifndef KMEMTRACE_CARRY_H
#define KMEMTRACE_CARRY_H

#include "api/trace.h"

/**
 * struct carry - the file of the books while it is read
 * @t: the trace that begins with it
 * @r: the file, at the first record that was not taken
 * @left: 1: there is such a record; 0: there is none
 * @end: time at which the trace before ended; INT64_MAX: there is none
 */
struct carry {
	struct trace *t;
	struct reader r;
	int left;
	int64_t end;
};

int carry_open(struct carry *c, struct trace *t);
int carry_skip(struct trace *t, struct reader *r);
int carry_take(struct carry *c, int64_t first);
void carry_close(struct carry *c);

#endif /* KMEMTRACE_CARRY_H */
