/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where memory comes from, and who has it: places, and the names of what they consist of.
 */
#ifndef KMEMTRACE_HTML_WHO_H
#define KMEMTRACE_HTML_WHO_H

#include <stdio.h>

#include "html/rows.h"

void print_by_number(const struct report *r, const char *relation, const char *key,
		     const char *columns, FILE *out);
void print_who(const struct report *r, const struct rows *rows, FILE *out);

#endif /* KMEMTRACE_HTML_WHO_H */
