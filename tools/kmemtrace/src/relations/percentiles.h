/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Relation of the percentiles of sizes.
 */
#ifndef KMEMTRACE_RELATIONS_PERCENTILES_H
#define KMEMTRACE_RELATIONS_PERCENTILES_H

#include "relations/relation.h"

extern const struct relation percentile_relations[];
extern const size_t nr_percentile_relations;

#endif /* KMEMTRACE_RELATIONS_PERCENTILES_H */
