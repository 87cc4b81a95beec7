/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The page frames of one shard.
 */
#ifndef KMEMTRACE_FRAMES_H
#define KMEMTRACE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "ledger/runs.h"
#include "ledger/shards.h"
#include "ledger/slot.h"
#include "common/context.h"
#include "common/hash.h"

/* Frames of a chunk; a stripe is a whole number of chunks. */
#define CHUNK_SHIFT	5
#define CHUNK_FRAMES	(1 << CHUNK_SHIFT)

/**
 * struct frames - the page frames of one shard
 *
 * Chunks whose frames are all in the same state take no more memory than one slot, a
 * run of any length. Others have a slot for each frame. Runs with nothing but freed
 * frames are forgotten after a while.
 *
 * @moves: how often frames lost their places
 */
struct frames {
	uint32_t moves;

	/* private: */
	struct context *ctx;
	uint64_t seed;
	unsigned int shard;
	/* chunks with slots, by number: a hash with open addressing */
	struct frame_chunk {
		uint64_t nr;
		struct slot *frames;
	} *chunks;
	unsigned int bits, shift;
	size_t used;
	struct runs runs;
	uint32_t max_runs;
	struct slot scratch[CHUNK_FRAMES];
};

/**
 * struct frames_stretch - neighbouring frames that share a slot
 * @slot: their state
 * @nr: how many
 */
struct frames_stretch {
	struct slot *slot;
	uint64_t nr;
};

void frames_init(struct frames *f, struct context *ctx, uint64_t seed,
		 unsigned int shard);
struct slot *frames_look_up(struct frames *f, uint64_t nr);
struct frames_stretch frames_stretch(struct frames *f, uint64_t local, uint64_t nr);
void frames_join(struct frames *f, uint64_t local, uint64_t nr);
void frames_free(struct frames *f);

/* Return where the search for a chunk begins. */
static inline struct frame_chunk *frames_home(const struct frames *f, uint64_t nr)
{
	return &f->chunks[hash_key(nr, f->seed) >> f->shift];
}

/* Prefetch what frames_at_home() reads. */
static ALWAYS_INLINE void frames_prefetch_home(const struct frames *f, uint64_t pfn)
{
	__builtin_prefetch(frames_home(f, pfn / CHUNK_FRAMES));
}

/* Return the slot of a frame if its chunk is at home, else NULL. */
static ALWAYS_INLINE struct slot *frames_at_home(const struct frames *f, uint64_t pfn)
{
	const struct frame_chunk *home = frames_home(f, pfn / CHUNK_FRAMES);

	return home->nr == pfn / CHUNK_FRAMES && home->frames ?
	       home->frames + pfn % CHUNK_FRAMES : NULL;
}

/**
 * frames_get - find a frame
 * @f: the frames of its shard
 * @pfn: number of the frame
 *
 * Return: the frame, SLOT_UNKNOWN if it is new; so are those after it, up to the end of
 *	its chunk. They stay in place until a call for a frame of another chunk. Without
 *	memory, frames that are never read.
 */
static inline struct slot *frames_get(struct frames *f, uint64_t pfn)
{
	struct slot *frame = frames_at_home(f, pfn);

	return frame ? frame : &frames_look_up(f, pfn / CHUNK_FRAMES)[pfn % CHUNK_FRAMES];
}

#endif /* KMEMTRACE_FRAMES_H */
