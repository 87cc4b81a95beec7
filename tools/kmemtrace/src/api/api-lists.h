/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lists of a trace: ledger and statistics as public structures.
 */
#ifndef KMEMTRACE_API_LISTS_H
#define KMEMTRACE_API_LISTS_H

#include "api/handle.h"

enum kmemtrace_mobility api_mobility(const struct kmemtrace_trace *trace, uint64_t gfp_flags);
struct kmemtrace_kind api_kind(const struct ledger *l, uint32_t i);

int api_list_all(struct kmemtrace_trace *trace);
void api_free_lists(struct kmemtrace_trace *trace);

#endif /* KMEMTRACE_API_LISTS_H */
