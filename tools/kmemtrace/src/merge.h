/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The streams of all CPUs as one, in the order of time as far as that makes
 * sense.
 */
#ifndef KMEMTRACE_MERGE_H
#define KMEMTRACE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader.h"

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
 * @time: time of the current record, or of an earlier one that was later
 * @waited: the current record waited for one of another CPU, which came
 * @backwards: records whose time was before that of their CPU's record before,
 *	or alone after that of the next; they keep their place
 */
struct merge {
	struct reader *cur;
	int64_t time;
	bool waited;
	uint64_t backwards;

	/* private: */
	bool (*fits)(void *arg, const struct record *rec);
	void *arg;
	struct merge_node {
		int64_t time;
		uint64_t uncertainty;
		struct reader *r;
	} node, *heap, *waiting;
	size_t nr, nr_waiting;
	uint64_t window;
};

int merge_init(struct merge *m, struct reader *readers, size_t nr,
	       bool (*fits)(void *arg, const struct record *rec),
	       void *arg);
int merge_next(struct merge *m);
void merge_free(struct merge *m);

#endif /* KMEMTRACE_MERGE_H */
