/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows: the counters of kinds as public structures, and their standard errors.
 */
#ifndef KMEMTRACE_API_ROWS_H
#define KMEMTRACE_API_ROWS_H

#include "books/state.h"
#include "kmemtrace.h"
#include "sums/spread.h"

/* The group of a kind without an error: all of its objects are in the trace. */
#define API_NO_GROUP	SPREAD_GROUPS

/**
 * struct row_errors - the sums over sampled objects from which the standard errors of a row follow
 * @allocs: allocations
 * @bytes_alloc: bytes that they got
 * @live: live objects
 * @live_bytes_alloc: bytes that they got
 */
struct row_errors {
	struct spread allocs, bytes_alloc, live, live_bytes_alloc;
};

struct kmemtrace_row api_row(const struct ledger *l, uint32_t i);
unsigned int api_group(const struct ledger *l, uint32_t i);
void api_row_add(struct kmemtrace_row *sum, const struct kmemtrace_row *row);
void row_errors_add(struct row_errors *e, unsigned int group, const struct kmemtrace_row *row);
void row_errors_end(const struct row_errors *e, struct kmemtrace_row *row);

#endif /* KMEMTRACE_API_ROWS_H */
