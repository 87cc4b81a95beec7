/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that is charged to memory cgroups.
 */
#ifndef KMEMTRACE_CHARGES_H
#define KMEMTRACE_CHARGES_H

#include "ledger/state.h"

bool charges_take(struct ledger *l, const struct record *rec);
bool charges_are_alone(const struct ledger *l, const struct kmemtrace_event *ev);
void charges_settle(struct ledger *l, const struct kmemtrace_event *ev);
void charges_end(struct ledger *l);
uint32_t charges_pending(const struct ledger *l, const struct kmemtrace_event *ev);
void charges_note(struct ledger *l, const struct kmemtrace_event *ev);
void charges_free(struct charges *c);

#endif /* KMEMTRACE_CHARGES_H */
