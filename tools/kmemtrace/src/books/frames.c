// SPDX-License-Identifier: GPL-2.0
/*
 * The page frames of a trace: a hash of chunks, each an array of frames, or one that
 * stands for all of them until one is asked for.
 */
#include "config.h"

#include "books/frames.h"
#include "common/memory.h"

#define MIN_SHIFT	6

/* In the key of a chunk that has one frame for all. */
#define WHOLE	(UINT64_C(1) << 63)

/*
 * What stands for a whole chunk is small, and there may be very many: one by one, they
 * would take malloc() longer than all the rest.
 */
#define PER_BLOCK	1000

union whole {
	struct slot slot;
	union whole *next;
};

struct block {
	struct block *next;
	union whole wholes[PER_BLOCK];
};

static void give_whole(struct frames *f, struct slot *slot)
{
	union whole *whole = (union whole *)slot;

	whole->next = f->spare;
	f->spare = whole;
}

static struct slot *take_whole(struct frames *f)
{
	union whole *whole;
	size_t i;

	if (!f->spare) {
		struct block *block = must_calloc(1, sizeof(*block));

		block->next = f->blocks;
		f->blocks = block;
		for (i = PER_BLOCK; i--;)
			give_whole(f, &block->wholes[i].slot);
	}
	whole = f->spare;
	f->spare = whole->next;
	whole->slot = (struct slot) { 0 };
	return &whole->slot;
}

static void free_chunk(struct frames *f, const struct chunk *chunk)
{
	if (chunk->key & WHOLE)
		give_whole(f, chunk->frames);
	else
		free(chunk->frames);
}

static struct chunk *find(const struct frames *f, uint64_t nr)
{
	struct chunk *chunk = frames_home(f, nr);

	while (chunk->frames && (chunk->key & ~WHOLE) != nr)
		if (++chunk == f->chunks + f->nr_chunks)
			chunk = f->chunks;
	return chunk;
}

/*
 * Of what was freed, and lies in no chunk with anything else, little is kept. That frames
 * are a slab's is known before the snapshot says that they live. What the snapshot says of
 * whole chunks is kept: there are no more of them than the machine has.
 */
#define MAX_DEAD	128

static bool is_dead(const struct chunk *chunk)
{
	size_t i;

	if (chunk->key & WHOLE)
		return chunk->frames->state != SLOT_LIVE &&
		       !chunk->frames->snapshot && !chunk->frames->slab;
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
		free_chunk(f, chunk);
		chunk->frames = NULL;
		f->used--;
	}
}

/* A table of as many chunks, or of more if they need it. */
static void make_room(struct frames *f)
{
	struct frames new;
	size_t i;

	if (f->used >= MAX_DEAD)
		forget_dead(f);
	new = *f;
	if (!new.shift)
		new.shift = MIN_SHIFT;
	while (new.used >= (size_t)1 << (new.shift - 2))
		new.shift++;
	new.nr_chunks = (size_t)1 << new.shift;
	new.chunks = must_calloc(new.nr_chunks, sizeof(*new.chunks));
	for (i = 0; i < f->nr_chunks; i++)
		if (f->chunks[i].frames)
			*find(&new, f->chunks[i].key & ~WHOLE) = f->chunks[i];
	free(f->chunks);
	*f = new;
}

/*
 * The chunk of that number; its frames are NULL when it is new. Only then may others have
 * to go: who asks for the same one again still has its frames in hand.
 */
static struct chunk *get_chunk(struct frames *f, uint64_t nr)
{
	struct chunk *chunk = f->nr_chunks ? find(f, nr) : NULL;

	if (chunk && chunk->frames)
		return chunk;
	if (f->used >= f->nr_chunks / 2) {
		make_room(f);
		chunk = find(f, nr);
	}
	chunk->key = nr;
	f->used++;
	return chunk;
}

/* Have a chunk of frames that may differ. */
static void part(struct frames *f, struct chunk *chunk)
{
	struct slot *frames = must_calloc(FRAMES_PER_CHUNK, sizeof(*frames));
	size_t i;

	for (i = 0; chunk->frames && i < FRAMES_PER_CHUNK; i++)
		frames[i] = *chunk->frames;
	if (chunk->frames)
		free_chunk(f, chunk);
	chunk->frames = frames;
	chunk->key &= ~WHOLE;
}

/* The frames of the chunk of that number, one by one. */
struct slot *frames_look_up(struct frames *f, uint64_t nr)
{
	struct chunk *chunk = get_chunk(f, nr);

	if (!chunk->frames || chunk->key & WHOLE)
		part(f, chunk);
	return chunk->frames;
}

/**
 * frames_whole - find what stands for all frames of a chunk
 * @f: the frames
 * @pfn: number of the chunk's first frame
 *
 * Return: as frames_get(); NULL where they may differ.
 */
struct slot *frames_whole(struct frames *f, uint64_t pfn)
{
	struct chunk *chunk = get_chunk(f, pfn / FRAMES_PER_CHUNK);

	if (!chunk->frames) {
		chunk->frames = take_whole(f);
		chunk->key |= WHOLE;
	}
	return chunk->key & WHOLE ? chunk->frames : NULL;
}

static bool are_same(const struct slot *a, const struct slot *b)
{
	return a->time == b->time && a->kind == b->kind &&
	       a->objects == b->objects && a->cpu == b->cpu &&
	       a->type == b->type && a->bits == b->bits;
}

/* Let one frame stand for all of a chunk, if they are the same; @pfn: of the first. */
void frames_join(struct frames *f, uint64_t pfn)
{
	struct chunk *chunk = get_chunk(f, pfn / FRAMES_PER_CHUNK);
	struct slot *frames = chunk->frames, *whole;
	size_t i;

	if (!frames || chunk->key & WHOLE)
		return;
	for (i = 1; i < FRAMES_PER_CHUNK; i++)
		if (!are_same(&frames[i], frames))
			return;
	whole = take_whole(f);
	*whole = *frames;
	free(frames);
	chunk->frames = whole;
	chunk->key |= WHOLE;
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
		uint64_t pfn = (chunk->key & ~WHOLE) * FRAMES_PER_CHUNK;
		bool is_whole = chunk->key & WHOLE;

		for (j = 0; chunk->frames && j < FRAMES_PER_CHUNK; j++)
			each(arg, pfn + j, &chunk->frames[is_whole ? 0 : j]);
	}
}

/* Give back all memory. */
void frames_free(struct frames *f)
{
	struct block *block;
	size_t i;

	for (i = 0; i < f->nr_chunks; i++)
		if (!(f->chunks[i].key & WHOLE))
			free(f->chunks[i].frames);
	while (f->blocks) {
		block = f->blocks;
		f->blocks = block->next;
		free(block);
	}
	free(f->chunks);
	*f = (struct frames) { 0 };
}
