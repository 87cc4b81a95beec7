// SPDX-License-Identifier: GPL-2.0
/*
 * The page frames of a trace: a hash of chunks, each an array of frames, its own
 * or one that it shares with others until one of its frames is asked for.
 */
#include "config.h"

#include <string.h>

#include "frames.h"
#include "memory.h"

#define MIN_SHIFT	6

/* In the key of a chunk whose frames are shared. */
#define SHARED	(UINT64_C(1) << 63)

static struct chunk *find(const struct frames *f, uint64_t nr)
{
	struct chunk *chunk = frames_home(f, nr);

	while (chunk->frames && (chunk->key & ~SHARED) != nr)
		if (++chunk == f->chunks + f->nr_chunks)
			chunk = f->chunks;
	return chunk;
}

/*
 * Of what was freed, and lies in no chunk with anything else, little is kept. That frames
 * are a slab's is known before the snapshot says that they live.
 */
#define MAX_DEAD	128

static bool is_dead(const struct chunk *chunk)
{
	size_t i;

	if (chunk->key & SHARED)
		return false;
	for (i = 0; i < FRAMES_PER_CHUNK; i++)
		if (chunk->frames[i].state == SLOT_LIVE ||
		    chunk->frames[i].objects || chunk->frames[i].slab)
			return false;
	return true;
}

static void forget_dead(struct frames *f)
{
	size_t i;

	for (i = 0; i < f->nr_chunks; i++) {
		struct chunk *chunk = &f->chunks[i];

		if (!chunk->frames || !is_dead(chunk))
			continue;
		free(chunk->frames);
		chunk->frames = NULL;
		f->used--;
	}
}

/* A table of as many chunks, or of more if they need it. */
static void make_room(struct frames *f)
{
	struct frames new = {
		.pool = f->pool,
		.nr_pool = f->nr_pool,
	};
	size_t i;

	if (f->used >= MAX_DEAD)
		forget_dead(f);
	new.used = f->used;
	new.shift = f->shift ? f->shift : MIN_SHIFT;
	while (new.used >= (size_t)1 << (new.shift - 2))
		new.shift++;
	new.nr_chunks = (size_t)1 << new.shift;
	new.chunks = must_calloc(new.nr_chunks, sizeof(*new.chunks));
	for (i = 0; i < f->nr_chunks; i++)
		if (f->chunks[i].frames)
			*find(&new, f->chunks[i].key & ~SHARED) = f->chunks[i];
	free(f->chunks);
	*f = new;
}

/* The chunk of that number; its frames are NULL when it is new. */
static struct chunk *get_chunk(struct frames *f, uint64_t nr)
{
	struct chunk *chunk;

	if (f->used >= f->nr_chunks / 2)
		make_room(f);
	chunk = find(f, nr);
	if (!chunk->frames) {
		chunk->key = nr;
		f->used++;
	}
	return chunk;
}

/* Have a chunk of its own frames, those that it shared before or new ones. */
static void own(struct chunk *chunk)
{
	struct slot *frames = must_calloc(FRAMES_PER_CHUNK, sizeof(*frames));

	if (chunk->key & SHARED)
		memcpy(frames, chunk->frames,
		       FRAMES_PER_CHUNK * sizeof(*frames));
	chunk->frames = frames;
	chunk->key &= ~SHARED;
}

/* The frames of the chunk of that number, its own ones. */
struct slot *frames_look_up(struct frames *f, uint64_t nr)
{
	struct chunk *chunk = get_chunk(f, nr);

	if (!chunk->frames || chunk->key & SHARED)
		own(chunk);
	return chunk->frames;
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

/* What all frames of a chunk are, given the first one's number; NULL: it shares none. */
const struct slot *frames_shared(const struct frames *f, uint64_t pfn)
{
	const struct chunk *chunk;

	if (!f->nr_chunks)
		return NULL;
	chunk = find(f, pfn / FRAMES_PER_CHUNK);
	return chunk->key & SHARED ? chunk->frames : NULL;
}

/**
 * frames_share - let a chunk share its frames with others
 * @f: the frames
 * @pfn: number of the chunk's first frame
 * @uniform: from frames_uniform()
 *
 * Return: false when some of its frames are known, and not from here.
 */
bool frames_share(struct frames *f, uint64_t pfn, struct slot *uniform)
{
	struct chunk *chunk = get_chunk(f, pfn / FRAMES_PER_CHUNK);

	if (chunk->frames && !(chunk->key & SHARED))
		return false;
	chunk->frames = uniform;
	chunk->key |= SHARED;
	return true;
}

/**
 * frames_each - go through all that is known, in no order
 * @f: the frames
 * @each: is given the number of each frame, live or not, the frame, and @arg
 * @arg: for @each
 */
void frames_each(const struct frames *f,
		 void (*each)(void *arg, uint64_t pfn, const struct slot *slot),
		 void *arg)
{
	size_t i, j;

	for (i = 0; i < f->nr_chunks; i++) {
		const struct chunk *chunk = &f->chunks[i];
		uint64_t pfn = (chunk->key & ~SHARED) * FRAMES_PER_CHUNK;

		for (j = 0; chunk->frames && j < FRAMES_PER_CHUNK; j++)
			each(arg, pfn + j, &chunk->frames[j]);
	}
}

/* Give back all memory. */
void frames_free(struct frames *f)
{
	size_t i;

	for (i = 0; i < f->nr_chunks; i++)
		if (!(f->chunks[i].key & SHARED))
			free(f->chunks[i].frames);
	for (i = 0; i < f->nr_pool; i++)
		free(f->pool[i]);
	free(f->pool);
	free(f->chunks);
	*f = (struct frames) { 0 };
}
