/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Groups of allocations by any of their properties.
 */
#ifndef KMEMTRACE_RELATIONS_GROUPS_H
#define KMEMTRACE_RELATIONS_GROUPS_H

#include "relations/relation.h"

extern const struct relation group_relations[];
extern const size_t nr_group_relations;

struct groups *groups_new(struct kmemtrace_relation *r, const char *group_by, char **problem);
void groups_free(struct groups *groups);
bool groups_have_column(const struct kmemtrace_relation *r, const struct column *column);
bool groups_are_by(const struct kmemtrace_relation *r, const struct column *column);
bool groups_key_by_default(const struct relation *relation, const struct column *column);
bool groups_may_have_column(const struct relation *relation, const struct column *column);

#endif /* KMEMTRACE_RELATIONS_GROUPS_H */
