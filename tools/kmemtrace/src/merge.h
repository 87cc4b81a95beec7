/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The streams of all CPUs as one, in the order of time.
 */
#ifndef KMEMTRACE_MERGE_H
#define KMEMTRACE_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "reader.h"

/**
 * struct merge - a position in the merged stream
 * @cur: the reader whose record is the current one
 * @time: time of the current record; never goes back
 * @backwards: records whose time was before that of their CPU's record before;
 *	they keep their place
 */
struct merge {
	struct reader *cur;
	int64_t time;
	uint64_t backwards;

	/* private: a binary heap by time, then CPU; the root is @cur */
	struct merge_node {
		int64_t time;
		struct reader *r;
	} *heap;
	size_t nr;
};

int merge_init(struct merge *m, struct reader *readers, size_t nr);
int merge_next(struct merge *m);
void merge_free(struct merge *m);

#endif /* KMEMTRACE_MERGE_H */
