/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Relations of objects: those that are live, lives from their begin to their end, and cells.
 */
#ifndef KMEMTRACE_RELATIONS_OBJECTS_H
#define KMEMTRACE_RELATIONS_OBJECTS_H

#include "relations/relation.h"

extern const struct relation object_relations[];
extern const size_t nr_object_relations;

#endif /* KMEMTRACE_RELATIONS_OBJECTS_H */
