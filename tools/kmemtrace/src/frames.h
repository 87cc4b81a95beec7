/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The page frames of a trace, by frame number.
 */
#ifndef KMEMTRACE_FRAMES_H
#define KMEMTRACE_FRAMES_H

#include <stddef.h>

#include "slot.h"

/* Frames that are kept together. */
#define FRAMES_PER_CHUNK	64

/**
 * struct frames - a map of frames; zeroed memory is an empty one
 *
 * Memory grows with the frames that occur: 16 bytes each.
 */
struct frames {
	/* private: open addressing by number of the chunk */
	struct chunk {
		uint64_t nr;
		struct slot *frames;
	} *chunks;
	size_t nr_chunks, used;
	unsigned int shift;
	struct chunk last;
};

struct slot *frames_get(struct frames *f, uint64_t pfn);
void frames_free(struct frames *f);

#endif /* KMEMTRACE_FRAMES_H */
