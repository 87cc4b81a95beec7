// SPDX-License-Identifier: GPL-2.0
/*
 * frames.c - the page frames of one shard: runs of chunks, and a hash of those chunks that
 * have a slot for each frame
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ledger/frames.h"

#define MIN_BITS	6

/* Freed frames are not forgotten while there are fewer runs. */
#define MIN_RUNS	256

/* The hash of a shard without chunks, for frames_get(). */
static struct frame_chunk no_chunks[2];

/* Runs count the chunks of a shard, the hash and its users all chunks. */
static uint64_t chunk_local(uint64_t nr)
{
	return frame_local(nr * CHUNK_FRAMES) / CHUNK_FRAMES;
}

static uint64_t chunk_global(const struct frames *f, uint64_t chunk)
{
	return frame_global(f->shard, chunk * CHUNK_FRAMES) / CHUNK_FRAMES;
}

/* ---- the hash ---- */

static struct frame_chunk *chunk_at(const struct frames *f, uint64_t nr)
{
	struct frame_chunk *chunk = frames_home(f, nr), *end = f->chunks + ((size_t)1 << f->bits);

	while (chunk->frames && chunk->nr != nr)
		if (++chunk == end)
			chunk = f->chunks;
	return chunk;
}

/* Double the hash, half of which stays empty. Returns false without memory. */
static bool grow_chunks(struct frames *f)
{
	struct frame_chunk *old = f->chunks;
	size_t i, nr = (size_t)1 << f->bits;
	unsigned int bits = old == no_chunks ? MIN_BITS : f->bits + 1;
	struct frame_chunk *chunks = context_calloc(f->ctx, (size_t)1 << bits, sizeof(*chunks));

	if (!chunks)
		return false;
	f->chunks = chunks;
	f->bits = bits;
	f->shift = 64 - bits;
	for (i = 0; i < nr; i++)
		if (old[i].frames)
			*chunk_at(f, old[i].nr) = old[i];
	if (old != no_chunks)
		free(old);
	return true;
}

/* Remove a chunk, and move chunks that collided with it closer to their home. */
static void unhash(struct frames *f, uint64_t nr)
{
	size_t mask = ((size_t)1 << f->bits) - 1;
	size_t gap = chunk_at(f, nr) - f->chunks, at = gap, home;

	f->chunks[gap].frames = NULL;
	f->used--;
	f->moves++;
	for (at = (at + 1) & mask; f->chunks[at].frames; at = (at + 1) & mask) {
		home = frames_home(f, f->chunks[at].nr) - f->chunks;
		if (((at - home) & mask) < ((at - gap) & mask))
			continue;
		f->chunks[gap] = f->chunks[at];
		f->chunks[at].frames = NULL;
		gap = at;
	}
}

/* ---- runs ---- */

static void drop_run(struct frames *f, struct frame_run *run)
{
	runs_remove(&f->runs, run);
	if (run->is_parted) {
		unhash(f, chunk_global(f, run->first));
		free(run->frames);
	}
	free(run);
}

/*
 * Return whether a run may be forgotten: it has no live frame. Whole runs with a state of
 * the snapshot stay, because there are no more of them than records. The snapshot reports
 * slabs before it reports that their frames are live.
 */
static bool is_dead(const struct frame_run *run)
{
	size_t i;

	if (!run->is_parted)
		return run->slot.state != SLOT_LIVE &&
		       !run->slot.snapshot && !run->slot.slab;
	for (i = 0; i < CHUNK_FRAMES; i++)
		if (run->frames[i].state == SLOT_LIVE ||
		    run->frames[i].objects || run->frames[i].slab)
			return false;
	return true;
}

static void forget_dead(struct frames *f)
{
	struct frame_run *run, *next;

	for (run = runs_next(&f->runs, 0); run; run = next) {
		next = runs_next(&f->runs, run_last(run) + 1);
		if (is_dead(run))
			drop_run(f, run);
	}
	f->max_runs = 2 * f->runs.nr < MIN_RUNS ? MIN_RUNS : 2 * f->runs.nr;
}

/* Add a run of frames in one state. Returns NULL without memory. */
static struct frame_run *add_frame_run(struct frames *f, uint64_t first, uint64_t last,
				       const struct slot *slot)
{
	struct frame_run *run = context_calloc(f->ctx, 1, sizeof(*run));

	if (!run)
		return NULL;
	run->first = first;
	run->nr = last - first + 1;
	run->slot = *slot;
	runs_insert(&f->runs, run);
	return run;
}

/* Cut a run in two; @first begins the second one. Returns false without memory. */
static bool cut_run(struct frames *f, struct frame_run *run, uint64_t first)
{
	if (!add_frame_run(f, first, run_last(run), &run->slot))
		return false;
	run->nr = first - run->first;
	return true;
}

/*
 * Return the run that begins at a chunk and ends at @last or before, all in one state or
 * a single chunk with slots. NULL without memory.
 */
static struct frame_run *run_at(struct frames *f, uint64_t first, uint64_t last)
{
	static const struct slot unknown;
	struct frame_run *run = runs_find(&f->runs, first), *next;

	/* A new run has no user yet: so this is the place to forget others. */
	if (!run) {
		if (f->runs.nr >= f->max_runs)
			forget_dead(f);
		next = runs_next(&f->runs, first);
		if (next && next->first <= last)
			last = next->first - 1;
		return add_frame_run(f, first, last, &unknown);
	}
	if (run->first < first) {
		if (!cut_run(f, run, first))
			return NULL;
		run = runs_find(&f->runs, first);
	}
	if (run_last(run) > last && !cut_run(f, run, last + 1))
		return NULL;
	return run;
}

/* Give each frame of a run of one chunk its own slot. Returns false without memory. */
static bool part(struct frames *f, struct frame_run *run)
{
	struct slot *frames;
	struct frame_chunk *chunk;
	uint64_t nr;
	size_t i;

	if ((f->chunks == no_chunks || f->used >= (size_t)1 << (f->bits - 1)) && !grow_chunks(f))
		return false;
	frames = context_calloc(f->ctx, CHUNK_FRAMES, sizeof(*frames));
	if (!frames)
		return false;
	for (i = 0; i < CHUNK_FRAMES; i++)
		frames[i] = run->slot;
	run->is_parted = 1;
	run->frames = frames;
	nr = chunk_global(f, run->first);
	chunk = chunk_at(f, nr);
	*chunk = (struct frame_chunk) { nr, frames };
	f->used++;
	return true;
}

/* Return the frames of a chunk, one by one: frames_get() of one that isn't at home. */
struct slot *frames_look_up(struct frames *f, uint64_t nr)
{
	struct frame_chunk *chunk = chunk_at(f, nr);
	uint64_t local = chunk_local(nr);
	struct frame_run *run;

	if (chunk->frames)
		return chunk->frames;
	run = run_at(f, local, local);
	if (run && (run->is_parted || part(f, run)))
		return run->frames;
	memset(f->scratch, 0, sizeof(f->scratch));
	return f->scratch;
}

/* ---- many frames ---- */

/**
 * frames_stretch - find frames that share a slot
 * @f: the frames
 * @local: number of the first one in its shard, see frame_local()
 * @nr: how many at most
 *
 * Return: a stretch that begins at @local; it stays in place as frames_get() says.
 */
struct frames_stretch frames_stretch(struct frames *f, uint64_t local, uint64_t nr)
{
	uint64_t chunk = local / CHUNK_FRAMES;
	struct frame_run *run = NULL;

	if (local % CHUNK_FRAMES == 0 && nr >= CHUNK_FRAMES)
		run = run_at(f, chunk, chunk + nr / CHUNK_FRAMES - 1);
	if (!run || run->is_parted)
		return (struct frames_stretch) {
			frames_get(f, frame_global(f->shard, local)), 1
		};
	return (struct frames_stretch) {
		&run->slot, (uint64_t)run->nr * CHUNK_FRAMES
	};
}

static bool are_same(const struct slot *a, const struct slot *b)
{
	return a->time == b->time && a->kind == b->kind &&
	       a->objects == b->objects && a->cpu == b->cpu &&
	       a->type == b->type && a->bits == b->bits;
}

/* Let one slot stand for all frames of a run, if they are the same. */
static void unite(struct frames *f, struct frame_run *run)
{
	struct slot *frames = run->frames;
	size_t i;

	for (i = 1; i < CHUNK_FRAMES; i++)
		if (!are_same(&frames[i], frames))
			return;
	unhash(f, chunk_global(f, run->first));
	run->is_parted = 0;
	run->slot = *frames;
	free(frames);
}

/* Return whether two neighbours are in one state. */
static bool are_alike(const struct frame_run *a, const struct frame_run *b)
{
	return !a->is_parted && !b->is_parted && run_last(a) + 1 == b->first &&
	       are_same(&a->slot, &b->slot);
}

/**
 * frames_join - free memory after many frames got the same state
 * @f: the frames
 * @local: number of the first one in its shard, see frame_local()
 * @nr: how many
 */
void frames_join(struct frames *f, uint64_t local, uint64_t nr)
{
	uint64_t end = (local + nr) / CHUNK_FRAMES;
	struct frame_run *run, *before = NULL;

	run = runs_next(&f->runs, (local + CHUNK_FRAMES - 1) / CHUNK_FRAMES);
	while (run && run_last(run) < end) {
		if (run->is_parted)
			unite(f, run);
		if (before && are_alike(before, run)) {
			before->nr += run->nr;
			drop_run(f, run);
		} else {
			before = run;
		}
		run = runs_next(&f->runs, run_last(before) + 1);
	}
}

/* Make an empty set of frames. */
void frames_init(struct frames *f, struct context *ctx, uint64_t seed,
		 unsigned int shard)
{
	*f = (struct frames) {
		.ctx = ctx,
		.seed = seed,
		.shard = shard,
		.chunks = no_chunks,
		.bits = 1,
		.shift = 63,
		.runs.random = seed,
		.max_runs = MIN_RUNS,
	};
}

/* Free all memory. */
void frames_free(struct frames *f)
{
	struct frame_run *run;

	while ((run = f->runs.root)) {
		runs_remove(&f->runs, run);
		if (run->is_parted)
			free(run->frames);
		free(run);
	}
	if (f->chunks != no_chunks)
		free(f->chunks);
	frames_init(f, f->ctx, f->seed, f->shard);
}
