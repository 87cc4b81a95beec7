/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The snapshot of memory that was live when tracing began.
 */
#ifndef KMEMTRACE_SNAPSHOT_H
#define KMEMTRACE_SNAPSHOT_H

#include "ledger/state.h"
#include "common/abi.h"

void snapshot_follows(struct ledger *l);
bool snapshot_is_known(const struct ledger *l, const struct record *rec);
bool snapshot_record(struct ledger *l, const struct record *rec,
		     unsigned int cpu);

#endif /* KMEMTRACE_SNAPSHOT_H */
