/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The page frames of all shards, by number.
 */
#ifndef KMEMTRACE_PAGES_H
#define KMEMTRACE_PAGES_H

#include "ledger/frames.h"

/**
 * typedef pages_visit - a function that gets neighbouring page frames with one owner
 * @arg: the argument of pages_each()
 * @pfn: number of the first frame
 * @nr: how many
 * @slot: the state of the first one; the others have its state and its owner
 *
 * Return: 0 to go on.
 */
typedef int pages_visit(void *arg, uint64_t pfn, uint64_t nr, const struct slot *slot);

int pages_each(const struct frames *const shards[NR_SHARDS], pages_visit *visit, void *arg);

#endif /* KMEMTRACE_PAGES_H */
