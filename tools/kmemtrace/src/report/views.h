/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The report on a trace, as text or as JSON.
 */
#ifndef KMEMTRACE_VIEWS_H
#define KMEMTRACE_VIEWS_H

#include <stdio.h>

#include <json-c/json.h>

#include "report/report.h"

int views_choose(uint64_t *chosen, const char *names);
void views_list(FILE *out);

char *views_complaint(const struct report *r, unsigned int given, bool is_text);

void report_text(const struct report *r, FILE *out);
void report_print_members(const struct report *r, FILE *out);
void report_print_json(const struct report *r, FILE *out);
json_object *report_schema(void);

#endif /* KMEMTRACE_VIEWS_H */
