/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs of chunks of page frames, by chunk number: a balanced tree.
 */
#ifndef KMEMTRACE_RUNS_H
#define KMEMTRACE_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "ledger/slot.h"

/**
 * struct frame_run - neighbouring chunks
 * @first: number of the first chunk
 * @nr: how many
 * @is_parted: its frames may differ; only of a run of one chunk
 * @slot: the state of each frame, unless @is_parted
 * @frames: the states of the frames if @is_parted
 */
struct frame_run {
	uint64_t first;
	uint32_t nr;
	uint32_t is_parted : 1;
	/* private: */
	uint32_t rank : 31;
	/* public: */
	union {
		struct slot slot;
		struct slot *frames;
	};

	/* private: */
	struct frame_run *left, *right;
};

/* Return the number of the last chunk of a run. */
static inline uint64_t run_last(const struct frame_run *run)
{
	return run->first + run->nr - 1;
}

/**
 * struct runs - runs that don't overlap; zeroed memory has none
 * @nr: how many
 */
struct runs {
	uint32_t nr;

	/* private: a treap: a heap by the ranks, which are random */
	struct frame_run *root;
	uint32_t random;
};

void runs_insert(struct runs *r, struct frame_run *run);
void runs_remove(struct runs *r, struct frame_run *run);
struct frame_run *runs_find(const struct runs *r, uint64_t chunk);
struct frame_run *runs_next(const struct runs *r, uint64_t chunk);

#endif /* KMEMTRACE_RUNS_H */
