/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lives of memory, one by one, for a user who wants to see each.
 */
#ifndef KMEMTRACE_LIVES_H
#define KMEMTRACE_LIVES_H

#include "ledger/shard-work.h"

void lives_add(struct shard_work *j, const struct change *c, const struct slot *slot, uint64_t ptr,
	       uint64_t bytes);
void lives_take(struct ledger *l);
void lives_free(struct ledger *l);

/* Return whether the user wants to see the lives that end. */
static inline bool lives_are_wanted(const struct shard_work *j)
{
	return __builtin_expect(!!j->l->each_life, 0);
}

/* Note the end of memory that was live in @slot, if the user wants to see it. */
static inline void lives_end(struct shard_work *j, const struct change *c, const struct slot *slot,
			     uint64_t ptr, uint64_t bytes)
{
	if (lives_are_wanted(j))
		lives_add(j, c, slot, ptr, bytes);
}

#endif /* KMEMTRACE_LIVES_H */
