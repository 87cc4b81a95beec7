/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Relations of lifetimes.
 */
#ifndef KMEMTRACE_RELATIONS_SPANS_H
#define KMEMTRACE_RELATIONS_SPANS_H

#include "relations/relation.h"

extern const struct relation span_relations[];
extern const size_t nr_span_relations;

#endif /* KMEMTRACE_RELATIONS_SPANS_H */
