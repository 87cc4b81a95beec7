/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the merged stream into the ledger, by several threads.
 */
#ifndef KMEMTRACE_PIPELINE_H
#define KMEMTRACE_PIPELINE_H

#include "ledger/state.h"
#include "read/merge.h"

/* One thread for each shard. */
#define PIPELINE_MAX_THREADS	16

/**
 * struct pipeline_user - callbacks while a trace goes through
 * @each: gets each record about the stream itself, by time; called by one thread at a time
 * @look: called now and then, while no thread works on the ledger; true: take nothing
 *	later than the current record. May be NULL
 * @wait: called where merge_next() returned -EAGAIN, by the thread that called the pipeline; to
 *	call merge_resume(). Returns 0, or -errno after a message. May be NULL
 * @assist: called by threads that have no other work, at any time, to read what will be needed.
 *	Returns false if there was nothing to do. May be NULL
 * @arg: for all of them
 */
struct pipeline_user {
	void (*each)(void *arg, const struct reader *r);
	bool (*look)(void *arg);
	int (*wait)(void *arg);
	bool (*assist)(void *arg);
	void *arg;
};

int pipeline_advance(struct ledger *l, struct merge *m, const struct pipeline_user *user);
int pipeline_run(struct ledger *l, struct merge *m, int64_t until,
		 const struct pipeline_user *user);

#endif /* KMEMTRACE_PIPELINE_H */
