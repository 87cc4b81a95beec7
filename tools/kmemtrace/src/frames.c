// SPDX-License-Identifier: GPL-2.0
/*
 * The page frames of a trace: a hash of chunks, each an array of frames.
 */
#include "config.h"

#include "frames.h"
#include "memory.h"

#define MIN_SHIFT	10

static struct chunk *find(const struct frames *f, uint64_t nr)
{
	size_t i = hash_u64(nr) >> (64 - f->shift);

	while (f->chunks[i].frames && f->chunks[i].nr != nr)
		i = (i + 1) & (f->nr_chunks - 1);
	return &f->chunks[i];
}

static void grow(struct frames *f)
{
	struct frames new = { .used = f->used };
	size_t i;

	new.shift = f->shift ? f->shift + 1 : MIN_SHIFT;
	new.nr_chunks = (size_t)1 << new.shift;
	new.chunks = must_calloc(new.nr_chunks, sizeof(*new.chunks));
	for (i = 0; i < f->nr_chunks; i++)
		if (f->chunks[i].frames)
			*find(&new, f->chunks[i].nr) = f->chunks[i];
	free(f->chunks);
	*f = new;
}

/**
 * frames_get - find a frame
 * @f: the frames
 * @pfn: number of the frame
 *
 * Return: the frame, which stays where it is; SLOT_UNKNOWN when it is new.
 */
struct slot *frames_get(struct frames *f, uint64_t pfn)
{
	uint64_t nr = pfn / FRAMES_PER_CHUNK;
	struct chunk *chunk = &f->last;

	if (!chunk->frames || chunk->nr != nr) {
		if (f->used >= f->nr_chunks / 2)
			grow(f);
		chunk = find(f, nr);
		if (!chunk->frames) {
			chunk->nr = nr;
			chunk->frames = must_calloc(FRAMES_PER_CHUNK,
						    sizeof(*chunk->frames));
			f->used++;
		}
		f->last = *chunk;
	}
	return &chunk->frames[pfn % FRAMES_PER_CHUNK];
}

/* Give back all memory. */
void frames_free(struct frames *f)
{
	size_t i;

	for (i = 0; i < f->nr_chunks; i++)
		free(f->chunks[i].frames);
	free(f->chunks);
	*f = (struct frames) { 0 };
}
