/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Relations of groups of allocations, by any of their properties.
 */
#ifndef KMEMTRACE_RELATIONS_GROUPS_H
#define KMEMTRACE_RELATIONS_GROUPS_H

#include "relations/relation.h"

extern const struct relation group_relations[];
extern const size_t nr_group_relations;

#endif /* KMEMTRACE_RELATIONS_GROUPS_H */
