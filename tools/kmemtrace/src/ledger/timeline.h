/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Add the effects of changes to the history, in the order of events.
 */
#ifndef KMEMTRACE_TIMELINE_H
#define KMEMTRACE_TIMELINE_H

#include "ledger/state.h"

bool timeline_begin_stretch(const struct ledger *l, struct batch *b, int64_t time);
void timeline_batch(struct ledger *l, struct batch *b);
void timeline_alone(struct ledger *l, int64_t time);
void timeline_older(struct ledger *l);
void timeline_raise(struct ledger *l);
bool timeline_phase(struct ledger *l, unsigned int id, int64_t time);
void timeline_end(struct ledger *l);

#endif /* KMEMTRACE_TIMELINE_H */
