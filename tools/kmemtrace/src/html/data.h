/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of the page.
 */
#ifndef KMEMTRACE_DATA_H
#define KMEMTRACE_DATA_H

#include <stdio.h>

#include "report/report.h"

void data_print(const struct report *r, FILE *out);

#endif /* KMEMTRACE_DATA_H */
