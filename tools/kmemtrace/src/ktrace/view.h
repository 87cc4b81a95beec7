/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The output of ktrace-report. Each function returns 0, or -errno after a message.
 */
#ifndef KTRACE_VIEW_H
#define KTRACE_VIEW_H

#include <stdio.h>

#include "ktrace/json.h"
#include "ktrace/trace.h"

void head_text(const struct ktrace *t, FILE *out);
void head_json(const struct ktrace *t, struct json *j);

int table_text(struct ktrace *t, FILE *out);
int table_json(struct ktrace *t, FILE *out);
int events_text(struct ktrace *t, FILE *out);
int events_json(struct ktrace *t, FILE *out);
int ctf_write(struct ktrace *t, const char *path);

/* Version of ktrace-report.schema.json: changes when a member changes or is removed. */
#define KTRACE_SCHEMA_VERSION	1

#endif /* KTRACE_VIEW_H */
