// SPDX-License-Identifier: GPL-2.0
/*
 * pages.c - visit the page frames of all shards in the order of their numbers
 *
 * Stripes of frames take turns in the shards. A row is one stripe of each shard: its frames
 * are neighbours. A large block is a run in each shard, so that many rows are visited at
 * once: the work is bounded by the runs, not by the frames.
 */
#include "config.h"

#include <stddef.h>

#include "ledger/pages.h"

#define STRIPE_CHUNKS	(STRIPE_FRAMES / CHUNK_FRAMES)

/**
 * struct pages_walk - a walk through all shards
 * @shards: their frames
 * @runs: of each shard, the first run that ends in @row or after it, or NULL
 * @row: the stripe of each shard that is visited
 * @visit: the user's function
 * @arg: for @visit
 * @pfn: first frame of the neighbours that were found, but not visited
 * @nr: how many
 * @slot: their state
 */
struct pages_walk {
	const struct frames *const *shards;
	const struct frame_run *runs[NR_SHARDS];
	uint64_t row;
	pages_visit *visit;
	void *arg;
	uint64_t pfn, nr;
	const struct slot *slot;
};

/* Return whether two slots are of the same allocation. */
static bool are_one_allocation(const struct slot *a, const struct slot *b)
{
	return a->time == b->time && a->kind == b->kind && a->cpu == b->cpu &&
	       a->type == b->type && a->state == b->state && a->reserved == b->reserved;
}

static int visit_neighbours(struct pages_walk *w)
{
	return w->nr ? w->visit(w->arg, w->pfn, w->nr, w->slot) : 0;
}

/* Add frames to the pending ones, or visit those first. */
static int found(struct pages_walk *w, uint64_t pfn, uint64_t nr, const struct slot *slot)
{
	int ret;

	if (w->nr && w->pfn + w->nr == pfn && are_one_allocation(w->slot, slot)) {
		w->nr += nr;
		return 0;
	}
	ret = visit_neighbours(w);
	w->pfn = pfn;
	w->nr = nr;
	w->slot = slot;
	return ret;
}

/* Return the run of a shard that holds @chunk, or NULL. */
static const struct frame_run *run_with(struct pages_walk *w, unsigned int shard, uint64_t chunk)
{
	const struct frame_run *run = w->runs[shard];

	while (run && run_last(run) < chunk)
		run = runs_next(&w->shards[shard]->runs, run_last(run) + 1);
	w->runs[shard] = run;
	return run && run->first <= chunk ? run : NULL;
}

/* Return how many rows, from this one on, have all of their frames in the same state. */
static uint64_t equal_rows(struct pages_walk *w)
{
	const struct frame_run *first = run_with(w, 0, w->row * STRIPE_CHUNKS), *run;
	uint64_t rows, least = UINT64_MAX;
	unsigned int shard;

	for (shard = 0; shard < NR_SHARDS; shard++) {
		run = run_with(w, shard, w->row * STRIPE_CHUNKS);
		if (!run || run->is_parted || !are_one_allocation(&run->slot, &first->slot))
			return 0;
		rows = (run_last(run) + 1) / STRIPE_CHUNKS - w->row;
		if (rows < least)
			least = rows;
	}
	return least;
}

static int visit_chunk(struct pages_walk *w, unsigned int shard, uint64_t chunk)
{
	const struct frame_run *run = run_with(w, shard, chunk);
	uint64_t pfn = frame_global(shard, chunk * CHUNK_FRAMES);
	unsigned int i;
	int ret = 0;

	if (!run)
		return 0;
	if (!run->is_parted)
		return found(w, pfn, CHUNK_FRAMES, &run->slot);
	for (i = 0; !ret && i < CHUNK_FRAMES; i++)
		ret = found(w, pfn + i, 1, &run->frames[i]);
	return ret;
}

static int visit_row(struct pages_walk *w)
{
	unsigned int shard, i;
	int ret = 0;

	for (shard = 0; shard < NR_SHARDS; shard++)
		for (i = 0; !ret && i < STRIPE_CHUNKS; i++)
			ret = visit_chunk(w, shard, w->row * STRIPE_CHUNKS + i);
	w->row++;
	return ret;
}

/* Go to the next row that has a run. Return false at the end. */
static bool find_row_with_run(struct pages_walk *w)
{
	uint64_t least = UINT64_MAX;
	unsigned int shard;

	for (shard = 0; shard < NR_SHARDS; shard++) {
		run_with(w, shard, w->row * STRIPE_CHUNKS);
		if (w->runs[shard] && w->runs[shard]->first / STRIPE_CHUNKS < least)
			least = w->runs[shard]->first / STRIPE_CHUNKS;
	}
	if (least > w->row)
		w->row = least;
	return least != UINT64_MAX;
}

/**
 * pages_each - visit all known frames, by number
 * @shards: the frames of each shard
 * @visit: gets neighbours in one state, live or not. A value other than 0 ends the walk
 * @arg: for @visit
 *
 * Return: 0, or the value of @visit.
 */
int pages_each(const struct frames *const shards[NR_SHARDS], pages_visit *visit, void *arg)
{
	struct pages_walk w = { .shards = shards, .visit = visit, .arg = arg };
	unsigned int shard;
	uint64_t rows;
	int ret = 0;

	for (shard = 0; shard < NR_SHARDS; shard++)
		w.runs[shard] = runs_next(&shards[shard]->runs, 0);
	while (!ret && find_row_with_run(&w)) {
		rows = equal_rows(&w);
		if (rows) {
			ret = found(&w, w.row * NR_SHARDS * STRIPE_FRAMES,
				    rows * NR_SHARDS * STRIPE_FRAMES, &w.runs[0]->slot);
			w.row += rows;
		} else {
			ret = visit_row(&w);
		}
	}
	return ret ? ret : visit_neighbours(&w);
}
