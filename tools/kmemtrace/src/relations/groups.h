/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Groups of allocations by any of their properties.
 */
#ifndef KMEMTRACE_RELATIONS_GROUPS_H
#define KMEMTRACE_RELATIONS_GROUPS_H

#include "relations/relation.h"

extern const struct relation group_relations[];
extern const size_t nr_group_relations;

struct grouping *grouping_new(struct kmemtrace_relation *r, const char *group_by, char **problem);
void grouping_free(struct grouping *grouping);
bool grouping_has_column(const struct kmemtrace_relation *r, const struct column *column);
bool grouping_is_by(const struct kmemtrace_relation *r, const struct column *column);
bool grouping_is_by_default(const struct relation *relation, const struct column *column);
bool grouping_may_have_column(const struct relation *relation, const struct column *column);

#endif /* KMEMTRACE_RELATIONS_GROUPS_H */
