/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rules of records that say who allocated: call paths, tasks and memory cgroups.
 */
#ifndef KMEMTRACE_CHECK_WHO_H
#define KMEMTRACE_CHECK_WHO_H

#include "check/check-fields.h"

void check_who(struct check *c, const struct kmemtrace_record *rec, bool has_cache);
void check_stack(struct check *c, const struct kmemtrace_record *rec);
void check_reference(struct check *c, const struct kmemtrace_record *rec);
void check_task(struct check *c, const struct kmemtrace_record *rec);
void check_cgroup(struct check *c, const struct kmemtrace_record *rec);
void check_charge(struct check *c, const struct kmemtrace_record *rec);

#endif /* KMEMTRACE_CHECK_WHO_H */
