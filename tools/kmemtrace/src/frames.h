/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The page frames of a trace, by frame number.
 */
#ifndef KMEMTRACE_FRAMES_H
#define KMEMTRACE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "slot.h"

/* Frames that are kept together. */
#define FRAMES_PER_CHUNK	64

/**
 * struct frames - a map of frames; zeroed memory is an empty one
 *
 * Memory grows with the frames that had an event: 24 bytes each. Of those that
 * only a snapshot knows, many of one state share a chunk.
 */
struct frames {
	/* private: open addressing by number of the chunk */
	struct chunk {
		uint64_t nr : 63;
		uint64_t shared : 1;
		struct slot *frames;
	} *chunks;
	size_t nr_chunks, used;
	unsigned int shift;
	struct chunk last;
	struct slot **pool;
	size_t nr_pool;
};

struct chunk *frames_look_up(struct frames *f, uint64_t nr);
struct slot *frames_uniform(struct frames *f, const struct slot *slot);
bool frames_share(struct frames *f, uint64_t pfn, struct slot *uniform);
void frames_prefetch(const struct frames *f, uint64_t pfn);
void frames_free(struct frames *f);

/**
 * frames_get - find a frame
 * @f: the frames
 * @pfn: number of the frame
 *
 * Return: the frame, which stays where it is; SLOT_UNKNOWN when it is new.
 */
static inline struct slot *frames_get(struct frames *f, uint64_t pfn)
{
	uint64_t nr = pfn / FRAMES_PER_CHUNK;
	struct chunk *chunk = &f->last;

	if (!chunk->frames || chunk->nr != nr)
		chunk = frames_look_up(f, nr);
	return &chunk->frames[pfn % FRAMES_PER_CHUNK];
}

#endif /* KMEMTRACE_FRAMES_H */
