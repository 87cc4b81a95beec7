/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The division of memory into shards. The ledger's state of one shard doesn't depend on
 * the others, so different threads can process them.
 *
 * Stripes of page frames alternate: 16 neighbours are in 16 shards. So
 * the frames of any block that are in one shard are neighbours there, too, by their
 * local numbers, which leave the number of the shard out.
 */
#ifndef KMEMTRACE_SHARDS_H
#define KMEMTRACE_SHARDS_H

#include <stdint.h>

#define SHARDS_SHIFT	4
#define NR_SHARDS	(1 << SHARDS_SHIFT)

/* Frames of a stripe. */
#define STRIPE_SHIFT	6
#define STRIPE_FRAMES	(1 << STRIPE_SHIFT)

/* Return the shard of a stripe. */
static inline unsigned int shard_of_stripe(uint64_t stripe)
{
	return stripe & (NR_SHARDS - 1);
}

/* Return the shard of a page frame. */
static inline unsigned int shard_of(uint64_t pfn)
{
	return shard_of_stripe(pfn >> STRIPE_SHIFT);
}

/* Return the number of a frame within its shard. */
static inline uint64_t frame_local(uint64_t pfn)
{
	return pfn >> STRIPE_SHIFT >> SHARDS_SHIFT << STRIPE_SHIFT |
	       (pfn & (STRIPE_FRAMES - 1));
}

/* Return the number of a frame that has the number @local in its shard. */
static inline uint64_t frame_global(unsigned int shard, uint64_t local)
{
	return (local >> STRIPE_SHIFT << SHARDS_SHIFT | shard) << STRIPE_SHIFT |
	       (local & (STRIPE_FRAMES - 1));
}

/**
 * struct block_part - the frames of a block that are in one shard
 * @pfn: the first of them
 * @nr: how many; 0: none
 */
struct block_part {
	uint64_t pfn, nr;
};

/**
 * block_part - find the frames of a block that are in one shard
 * @pfn: first frame of the block
 * @nr: frames of the block, at least one
 * @i: the part: 0 has the first frame, each next one begins in the next stripe
 *
 * Return: the part; @nr of part NR_SHARDS - 1 and of those before it may be 0, if the
 *	block has fewer stripes.
 */
static inline struct block_part block_part(uint64_t pfn, uint64_t nr, unsigned int i)
{
	uint64_t first = (pfn >> STRIPE_SHIFT) + i;
	uint64_t end = pfn + nr, last = (end - 1) >> STRIPE_SHIFT;
	struct block_part part = { .pfn = i ? first << STRIPE_SHIFT : pfn };

	if (first > last)
		return part;
	part.nr = ((last - first) / NR_SHARDS + 1) << STRIPE_SHIFT;
	if (!i)
		part.nr -= pfn % STRIPE_FRAMES;
	if ((last - first) % NR_SHARDS == 0)
		part.nr -= ((last + 1) << STRIPE_SHIFT) - end;
	return part;
}

#endif /* KMEMTRACE_SHARDS_H */
