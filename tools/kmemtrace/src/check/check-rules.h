/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rules of the ABI for one record after another of a stream.
 */
#ifndef KMEMTRACE_CHECK_RULES_H
#define KMEMTRACE_CHECK_RULES_H

#include "check/check-fields.h"

void check_record(struct check *c, const struct kmemtrace_record *rec);
void check_pad(struct check *c, const struct kmemtrace_record *pad);

#endif /* KMEMTRACE_CHECK_RULES_H */
