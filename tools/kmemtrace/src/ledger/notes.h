/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Notes of all shards become findings, in the order of events.
 */
#ifndef KMEMTRACE_NOTES_H
#define KMEMTRACE_NOTES_H

#include "ledger/state.h"

void notes_take(struct ledger *l);

#endif /* KMEMTRACE_NOTES_H */
