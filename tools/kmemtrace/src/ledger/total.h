/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums of the counters of all threads.
 */
#ifndef KMEMTRACE_TOTAL_H
#define KMEMTRACE_TOTAL_H

#include "ledger/state.h"

/**
 * struct kind_sum - the counters of all threads for one kind
 * @allocs: allocations
 * @req: bytes requested by @allocs
 * @frees: frees
 * @remote: frees on another CPU
 * @live: objects or frames
 * @live_req: bytes requested by @live
 */
struct kind_sum {
	uint64_t allocs, req;
	uint64_t frees, remote;
	int64_t live, live_req;
};

struct kind_sum total_live(const struct ledger *l, uint32_t kind);
struct row total_row(const struct ledger *l, uint32_t kind);
struct amount total_older(const struct ledger *l, enum space space);
void total_update(struct ledger *l);
void total_finish(struct ledger *l);

#endif /* KMEMTRACE_TOTAL_H */
