/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Application of changes that are not plain.
 */
#ifndef KMEMTRACE_SETTLE_H
#define KMEMTRACE_SETTLE_H

#include "books/job.h"

void settle_take(struct job *j, const struct change *c, bool fits);
void settle_give_up(struct job *j);

#endif /* KMEMTRACE_SETTLE_H */
