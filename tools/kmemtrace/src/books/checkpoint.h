/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of the ledger between two batches, stored and restored.
 */
#ifndef KMEMTRACE_CHECKPOINT_H
#define KMEMTRACE_CHECKPOINT_H

#include "books/state.h"
#include "common/archive.h"

bool checkpoint_is_possible(const struct ledger *l);
void checkpoint_archive(struct ledger *l, struct archive *a);
void checkpoint_hide(struct ledger *l);

#endif /* KMEMTRACE_CHECKPOINT_H */
