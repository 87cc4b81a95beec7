/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Changes that wait for others.
 */
#ifndef KMEMTRACE_WAITING_H
#define KMEMTRACE_WAITING_H

#include "ledger/shard-work.h"

bool waiting_holds(struct shard_work *j, const struct change *c);
void waiting_add(struct shard_work *j, const struct change *c);
void waiting_retry(struct shard_work *j, const struct change *c);
void waiting_pass(struct shard_work *j, int64_t time);
void waiting_give_up(struct shard_work *j);

#endif /* KMEMTRACE_WAITING_H */
