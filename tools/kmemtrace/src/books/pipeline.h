/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the merged stream into the ledger, by several threads.
 */
#ifndef KMEMTRACE_PIPELINE_H
#define KMEMTRACE_PIPELINE_H

#include "books/ledger.h"
#include "read/merge.h"

/* More threads than this have nothing to do. */
#define PIPELINE_MAX_THREADS	16

/**
 * struct pipeline_user - who is told of what goes through
 * @each: of each record on the stream itself, in the order of time, by any one thread
 *	at a time
 * @look: once a batch, by one thread while no other one works; true: nothing is taken
 *	that is later than the current record. May be NULL
 * @arg: for both
 */
struct pipeline_user {
	void (*each)(void *arg, const struct reader *r);
	bool (*look)(void *arg);
	void *arg;
};

int pipeline_run(struct ledger *l, struct merge *m, int64_t until,
		 const struct pipeline_user *user);

#endif /* KMEMTRACE_PIPELINE_H */
