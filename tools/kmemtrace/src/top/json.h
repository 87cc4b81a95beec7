/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACE_TOP_JSON_H
#define KMEMTRACE_TOP_JSON_H

#include <stdio.h>

#include <json-c/json.h>

#include "top/model.h"

void top_print_json(const struct top *top, const struct kmemtrace_trace *trace, FILE *out);
json_object *top_schema(void);

#endif /* KMEMTRACE_TOP_JSON_H */
