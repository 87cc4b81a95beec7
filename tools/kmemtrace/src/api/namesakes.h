/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Different functions of one name, which texts tell apart.
 */
#ifndef KMEMTRACE_NAMESAKES_H
#define KMEMTRACE_NAMESAKES_H

#include <stdio.h>

#include "api/handle.h"

int namesakes_find(struct kmemtrace_trace *trace);
void namesakes_print(const struct kmemtrace_trace *trace, uint64_t function, FILE *out);

#endif /* KMEMTRACE_NAMESAKES_H */
