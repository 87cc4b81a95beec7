// SPDX-License-Identifier: GPL-2.0
/*
 * The page frames of a trace: a hash of chunks, each an array of frames, its own
 * or one that it shares with others until one of its frames is asked for.
 */
#include "config.h"

#include <string.h>

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
	struct frames new = {
		.used = f->used,
		.pool = f->pool,
		.nr_pool = f->nr_pool,
	};
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

/* The chunk of that number; its frames are NULL when it is new. */
static struct chunk *get_chunk(struct frames *f, uint64_t nr)
{
	struct chunk *chunk;

	if (f->used >= f->nr_chunks / 2)
		grow(f);
	chunk = find(f, nr);
	if (!chunk->frames) {
		chunk->nr = nr;
		f->used++;
	}
	return chunk;
}

/* Have a chunk of its own frames, those that it shared before or new ones. */
static void own(struct chunk *chunk)
{
	struct slot *frames = must_calloc(FRAMES_PER_CHUNK, sizeof(*frames));

	if (chunk->shared)
		memcpy(frames, chunk->frames,
		       FRAMES_PER_CHUNK * sizeof(*frames));
	chunk->frames = frames;
	chunk->shared = 0;
}

/* The chunk of that number, with frames of its own. */
struct chunk *frames_look_up(struct frames *f, uint64_t nr)
{
	struct chunk *chunk = get_chunk(f, nr);

	if (!chunk->frames || chunk->shared)
		own(chunk);
	f->last = *chunk;
	return &f->last;
}

/**
 * frames_uniform - make frames that several chunks may share
 * @f: the frames
 * @slot: what each of them is
 *
 * Return: what frames_share() takes, and frames_free() gives back.
 */
struct slot *frames_uniform(struct frames *f, const struct slot *slot)
{
	struct slot *uniform = must_calloc(FRAMES_PER_CHUNK, sizeof(*uniform));
	size_t i;

	for (i = 0; i < FRAMES_PER_CHUNK; i++)
		uniform[i] = *slot;
	f->pool = must_realloc(f->pool, f->nr_pool + 1, sizeof(*f->pool));
	f->pool[f->nr_pool++] = uniform;
	return uniform;
}

/**
 * frames_share - let a chunk that isn't known share its frames with others
 * @f: the frames
 * @pfn: number of the chunk's first frame
 * @uniform: from frames_uniform()
 *
 * Return: false when some of its frames are known.
 */
bool frames_share(struct frames *f, uint64_t pfn, struct slot *uniform)
{
	struct chunk *chunk = get_chunk(f, pfn / FRAMES_PER_CHUNK);

	if (chunk->frames)
		return false;
	chunk->frames = uniform;
	chunk->shared = 1;
	return true;
}

/* Bring a frame, which will be asked for soon, into the cache. */
void frames_prefetch(const struct frames *f, uint64_t pfn)
{
	const struct chunk *chunk;

	if (!f->nr_chunks)
		return;
	chunk = &f->chunks[hash_u64(pfn / FRAMES_PER_CHUNK) >> (64 - f->shift)];
	if (chunk->frames)
		__builtin_prefetch(&chunk->frames[pfn % FRAMES_PER_CHUNK], 1);
}

/* Give back all memory. */
void frames_free(struct frames *f)
{
	size_t i;

	for (i = 0; i < f->nr_chunks; i++)
		if (!f->chunks[i].shared)
			free(f->chunks[i].frames);
	for (i = 0; i < f->nr_pool; i++)
		free(f->pool[i]);
	free(f->pool);
	free(f->chunks);
	*f = (struct frames) { 0 };
}
