/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ledger: live memory, and the events that contradict it.
 */
#ifndef KMEMTRACE_LEDGER_H
#define KMEMTRACE_LEDGER_H

#include "ledger/state.h"

int ledger_init(struct ledger *l, struct context *ctx, uint64_t page_size,
		unsigned int threads);
void ledger_select(struct ledger *l, struct selection *s);
int ledger_count_cells(struct ledger *l, int64_t begin);
int ledger_open(struct ledger *l, const struct batch *b);
void ledger_close(struct ledger *l, struct batch *b);
void ledger_event(struct ledger *l, const struct record *rec, unsigned int cpu,
		  int64_t time);
void ledger_charge(struct ledger *l, const struct record *rec, int64_t time);
void ledger_skip(struct ledger *l, const struct record *rec, unsigned int cpu);
int ledger_update(struct ledger *l);
int ledger_end(struct ledger *l, int64_t time);
void ledger_free(struct ledger *l);

#endif /* KMEMTRACE_LEDGER_H */
