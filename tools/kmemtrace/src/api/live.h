/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace that is still being recorded.
 */
#ifndef KMEMTRACE_API_LIVE_H
#define KMEMTRACE_API_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "api/arriving.h"

/**
 * struct live - the reading of a trace while it arrives
 * @a: the streams
 * @has_cells: count cells; to be set before live_update()
 * @counts_own: count what kmemtrace itself allocated; to be set before live_update()
 * @is_begun: records were taken into the ledger
 * @is_done: all of the trace was read
 * @was_forced: some streams were so late that the others didn't wait for them
 */
struct live {
	struct arriving a;
	bool has_cells, counts_own;
	bool is_begun, is_done, was_forced;

	/* private: @kallsyms, @modules: their versions that were read */
	bool has_streams, has_first;
	unsigned int kallsyms, modules;
};

int live_open(struct live *live, struct trace *t, const char *label);
int live_update(struct live *live);
uint64_t live_waiting(const struct live *live);
void live_close(struct live *live);

#endif /* KMEMTRACE_API_LIVE_H */
