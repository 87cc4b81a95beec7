/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of all CPUs, ordered by time.
 */
#ifndef KTRACE_WALK_H
#define KTRACE_WALK_H

#include "ktrace/trace.h"
#include "read/tournament.h"

/**
 * struct walk - a position in the merged streams
 * @ev: the current event
 */
struct walk {
	struct kevent ev;

	/* private: */
	struct ktrace *t;
	struct kstream *streams;
	size_t nr;
	struct tournament tournament;
	bool has_begun;
};

int walk_begin(struct walk *w, struct ktrace *t);
int walk_next(struct walk *w);
void walk_end(struct walk *w);

#endif /* KTRACE_WALK_H */
