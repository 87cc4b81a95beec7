/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Apply changes that may contradict the state of their slots.
 */
#ifndef KMEMTRACE_CONTRADICTIONS_H
#define KMEMTRACE_CONTRADICTIONS_H

#include "ledger/shard-work.h"

void contradiction_take(struct shard_work *j, const struct change *c, bool fits);
void contradiction_give_up(struct shard_work *j);

#endif /* KMEMTRACE_CONTRADICTIONS_H */
