/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What all shards and threads found, put together.
 */
#ifndef KMEMTRACE_BOOKS_H
#define KMEMTRACE_BOOKS_H

#include "books/job.h"

struct sum books_live(const struct ledger *l, uint32_t kind);
struct row books_row(const struct ledger *l, uint32_t kind);
struct amount books_older(const struct ledger *l, enum space space);
void books_add_up(const struct ledger *l, enum space space,
		  uint64_t (*key)(const struct kind *kind), struct table *sum);
void books_fit(struct ledger *l);
struct job books_job(struct ledger *l, unsigned int shard);

#endif /* KMEMTRACE_BOOKS_H */
