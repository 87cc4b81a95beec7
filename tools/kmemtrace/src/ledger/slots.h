/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The slots of a change: an object has one, a block of pages one for each frame, or for
 * many frames in the same state.
 */
#ifndef KMEMTRACE_SLOTS_H
#define KMEMTRACE_SLOTS_H

#include "ledger/shard-work.h"

/**
 * struct slots - a position in the slots of a change
 * @slot: the current one; valid until another slot is looked up
 * @nr: frames that share it
 */
struct slots {
	struct slot *slot;
	uint64_t nr;

	/* private: */
	struct shard_work *j;
	const struct change *c;
	uint64_t local, left;
};

struct slots slots_of(struct shard_work *j, const struct change *c);
bool slots_next(struct slots *s);
bool slots_find_contradiction(struct shard_work *j, const struct change *c, struct slot *found);
bool slots_overlap(struct shard_work *j, const struct change *c);
bool slots_fit(struct shard_work *j, const struct change *c, uint32_t *examined);

/* Return the number of frames of a change of pages. */
static inline uint64_t slots_frames(const struct shard_work *j, const struct change *c)
{
	return c->alloc >> j->l->page_shift;
}

#endif /* KMEMTRACE_SLOTS_H */
