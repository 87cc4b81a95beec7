/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The page frames of a trace, by frame number.
 */
#ifndef KMEMTRACE_FRAMES_H
#define KMEMTRACE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "books/slot.h"
#include "common/memory.h"

/* Frames that are kept together. */
#define FRAMES_CHUNK_SHIFT	6
#define FRAMES_PER_CHUNK	(1 << FRAMES_CHUNK_SHIFT)

/**
 * struct frames - a map of frames; zeroed memory is an empty one
 *
 * Memory grows with the chunks in which something lives: 24 bytes for each of their
 * frames, or for all of them as long as whatever happened to one happened to all. Those
 * with nothing but what was freed are forgotten, but not soon.
 */
struct frames {
	/* private: open addressing by number of the chunk */
	struct chunk {
		uint64_t key;
		struct slot *frames;
	} *chunks;
	size_t nr_chunks, used;
	unsigned int shift;
	union whole *spare;
	struct block *blocks;
};

struct slot *frames_look_up(struct frames *f, uint64_t nr);
struct slot *frames_whole(struct frames *f, uint64_t pfn);
void frames_join(struct frames *f, uint64_t pfn);
void frames_each(const struct frames *f,
		 void (*each)(void *arg, uint64_t pfn, const struct slot *slot),
		 void *arg);
void frames_free(struct frames *f);

/* The upper bits of the hash are the same for all of a shard: see ledger_shard_of(). */
static inline struct chunk *frames_home(const struct frames *f, uint64_t nr)
{
	return &f->chunks[hash_u64(nr) << 8 >> (64 - f->shift)];
}

/* Where a frame is, if its chunk is where the search for that begins; or anywhere. */
static inline const void *frames_at(const struct frames *f, uint64_t pfn)
{
	if (!f->shift)
		return NULL;
	return frames_home(f, pfn / FRAMES_PER_CHUNK)->frames +
	       pfn % FRAMES_PER_CHUNK;
}

/**
 * frames_get - find a frame
 * @f: the frames
 * @pfn: number of the frame
 *
 * Return: the frame, which stays where it is until one of another chunk is asked for;
 *	SLOT_UNKNOWN when it is new.
 */
static inline struct slot *frames_get(struct frames *f, uint64_t pfn)
{
	uint64_t nr = pfn / FRAMES_PER_CHUNK;
	struct slot *frames = NULL;

	if (f->shift && frames_home(f, nr)->key == nr)
		frames = frames_home(f, nr)->frames;
	if (!frames)
		frames = frames_look_up(f, nr);
	return &frames[pfn % FRAMES_PER_CHUNK];
}

#endif /* KMEMTRACE_FRAMES_H */
