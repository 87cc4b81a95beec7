/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Findings: events that contradict each other.
 */
#ifndef KMEMTRACE_RELATIONS_FINDINGS_H
#define KMEMTRACE_RELATIONS_FINDINGS_H

#include "relations/relation.h"

bool finding_is_explained(const struct kmemtrace_relation *r, int class);

#endif /* KMEMTRACE_RELATIONS_FINDINGS_H */
