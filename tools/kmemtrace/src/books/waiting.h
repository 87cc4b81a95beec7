/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Changes that wait for others.
 */
#ifndef KMEMTRACE_WAITING_H
#define KMEMTRACE_WAITING_H

#include "books/job.h"

bool waiting_holds(struct job *j, const struct change *c);
void waiting_add(struct job *j, const struct change *c);
void waiting_retry(struct job *j, const struct change *c);
void waiting_pass(struct job *j, int64_t time);
void waiting_give_up(struct job *j);

#endif /* KMEMTRACE_WAITING_H */
