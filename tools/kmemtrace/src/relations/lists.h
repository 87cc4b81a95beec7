/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Relations that are lists of the library: their columns, and what fills them.
 */
#ifndef KMEMTRACE_RELATIONS_LISTS_H
#define KMEMTRACE_RELATIONS_LISTS_H

#include "relations/relation.h"

extern const struct relation list_relations[];
extern const size_t nr_list_relations;

#endif /* KMEMTRACE_RELATIONS_LISTS_H */
