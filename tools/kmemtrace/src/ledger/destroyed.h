/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Slab caches that are destroyed with live objects.
 */
#ifndef KMEMTRACE_DESTROYED_H
#define KMEMTRACE_DESTROYED_H

#include "ledger/state.h"

bool destroyed_in_use(struct ledger *l, uint32_t cache);
const struct object *destroyed_oldest(struct ledger *l, uint32_t cache);
void cache_kinds_free(struct cache_kinds *k);

#endif /* KMEMTRACE_DESTROYED_H */
