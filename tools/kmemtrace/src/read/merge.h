/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The streams of all CPUs as one stream, ordered by time.
 */
#ifndef KMEMTRACE_MERGE_H
#define KMEMTRACE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/reader.h"
#include "read/tournament.h"

/*
 * The clocks of two CPUs differ: events on both within this window may have happened in
 * any order. If the kernel reports a larger difference, as early in the boot, that is the
 * window, up to MERGE_MAX_WINDOW_NS.
 */
#define MERGE_WINDOW_NS		100000
#define MERGE_MAX_WINDOW_NS	1000000000

/**
 * struct merge - a position in the merged stream
 * @cur: the reader of the current record
 * @time: time of the current record; it never decreases
 * @window: nanoseconds by which records of two CPUs may be in the wrong order
 * @backwards: records whose time is before that of the previous record of their CPU, or
 *	whose time alone is after that of the next; they keep their place
 *
 * Streams may still be arriving. Then the next record of all is known once each stream has
 * a record or is known to have none before some time: merge_next() waits for that.
 */
struct merge {
	struct reader *cur;
	int64_t time;
	uint64_t window;
	uint64_t backwards;

	/* private: see merge.c */
	struct context *ctx;
	struct tournament tournament;
	struct merge_node {
		struct reader *r;
		int64_t time;
		bool ended, waits, begun;
	} *nodes;
	uint64_t *worst;
	int64_t reached;
	bool begun;
};

int merge_init(struct merge *m, struct context *ctx, struct reader *readers, size_t nr);
int merge_next(struct merge *m);
int merge_add(struct merge *m, struct reader *const *readers, size_t nr);
int merge_resume(struct merge *m, int64_t reached);
int merge_waits_for(const struct merge *m);
void merge_free(struct merge *m);

#endif /* KMEMTRACE_MERGE_H */
