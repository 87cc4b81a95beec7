/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All changes of one shard in a batch.
 */
#ifndef KMEMTRACE_SHARD_H
#define KMEMTRACE_SHARD_H

#include "ledger/state.h"

void shard_take(struct ledger *l, struct batch *b, unsigned int shard,
		unsigned int thread);
void shard_pass(struct ledger *l, unsigned int shard, int64_t time);
void shard_give_up(struct ledger *l, unsigned int shard);

#endif /* KMEMTRACE_SHARD_H */
