/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The streams of all CPUs as one, in the order of time.
 */
#ifndef KMEMTRACE_MERGE_H
#define KMEMTRACE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/reader.h"

/*
 * Clocks of two CPUs are trusted no further than this: what happened on both
 * within it may have happened in any order. Where the kernel says that they are
 * worse, as early in the boot, it is believed up to MERGE_MAX_WINDOW_NS.
 */
#define MERGE_WINDOW_NS		100000
#define MERGE_MAX_WINDOW_NS	1000000000

/**
 * struct merge - a position in the merged stream
 * @cur: the reader whose record is the current one
 * @time: of the current record; never before that of the record before
 * @window: nanoseconds by which records of two CPUs may be in the wrong order
 * @backwards: records whose time was before that of their CPU's record before,
 *	or alone after that of the next; they keep their place
 */
struct merge {
	struct reader *cur;
	int64_t time;
	uint64_t window;
	uint64_t backwards;

	/* private: a tournament, see merge.c */
	struct merge_player {
		int64_t time;
		uint64_t rank;
	} first, *losers;
	struct merge_node {
		struct reader *r;
		int64_t time;
		bool ended;
	} *nodes;
	uint64_t *worst;
	uint32_t nr;
};

int merge_init(struct merge *m, struct context *ctx, struct reader *readers, size_t nr);
int merge_next(struct merge *m);
void merge_free(struct merge *m);

#endif /* KMEMTRACE_MERGE_H */
