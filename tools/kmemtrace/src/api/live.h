/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace that is still being recorded.
 */
#ifndef KMEMTRACE_API_LIVE_H
#define KMEMTRACE_API_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/trace.h"
#include "read/arrival.h"
#include "read/merge.h"

/**
 * struct live - the reading of a trace while it arrives
 * @t: the trace
 * @has_cells: count cells; to be set before live_update()
 * @files: what has arrived
 * @arrival: the same
 * @is_begun: records were taken into the ledger
 * @is_done: all of the trace was read
 * @was_forced: some streams were so late that the others didn't wait for them
 */
struct live {
	struct trace *t;
	bool has_cells;
	struct files *files;
	struct arrival *arrival;
	bool is_begun, is_done, was_forced;

	/* private: */
	bool has_streams, has_first;
	struct merge merge;
	struct reader **readers;
	size_t nr_readers;
	size_t nr_files;
	unsigned int metadata, kallsyms, modules;
	int64_t reached;
};

int live_open(struct live *live, struct trace *t, const char *label);
int live_update(struct live *live);
void live_close(struct live *live);

#endif /* KMEMTRACE_API_LIVE_H */
