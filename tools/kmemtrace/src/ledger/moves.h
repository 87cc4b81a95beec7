/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pages whose contents were moved to other pages.
 */
#ifndef KMEMTRACE_MOVES_H
#define KMEMTRACE_MOVES_H

#include <stdbool.h>

#include "ledger/state.h"

bool moves_take(struct ledger *l, const struct record *rec);

#endif /* KMEMTRACE_MOVES_H */
