/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the merged stream into the ledger, by several threads.
 */
#ifndef KMEMTRACE_PIPELINE_H
#define KMEMTRACE_PIPELINE_H

#include "ledger.h"
#include "merge.h"

/* More threads than this have nothing to do. */
#define PIPELINE_MAX_THREADS	16

int pipeline_run(struct ledger *l, struct merge *m, int64_t until,
		 void (*each)(void *arg, const struct reader *r), void *arg);

#endif /* KMEMTRACE_PIPELINE_H */
