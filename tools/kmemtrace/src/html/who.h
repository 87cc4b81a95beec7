/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who allocated: the names of call paths, tasks and memory cgroups.
 */
#ifndef KMEMTRACE_HTML_WHO_H
#define KMEMTRACE_HTML_WHO_H

#include <json-c/json.h>

#include "html/rows.h"

json_object *who_json(const struct report *r, const struct rows *rows);

#endif /* KMEMTRACE_HTML_WHO_H */
