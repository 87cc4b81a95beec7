/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACE_TOP_JSON_H
#define KMEMTRACE_TOP_JSON_H

#include <stdio.h>

#include "top/model.h"

void top_print_json(const struct top *top, FILE *out);

#endif /* KMEMTRACE_TOP_JSON_H */
