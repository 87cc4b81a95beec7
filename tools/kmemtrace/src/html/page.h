/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The page: one HTML file that shows a trace, or two, without a server or a network.
 */
#ifndef KMEMTRACE_PAGE_H
#define KMEMTRACE_PAGE_H

#include <stdio.h>

#include "report/report.h"

const char *page_missing(void);
const char *page_begin(void);
void page_print(const struct report *r, const struct report *before, FILE *out);

#endif /* KMEMTRACE_PAGE_H */
