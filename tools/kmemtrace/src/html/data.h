/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of the page.
 */
#ifndef KMEMTRACE_DATA_H
#define KMEMTRACE_DATA_H

#include <json-c/json.h>

#include "report/report.h"

json_object *data_json(const struct report *r);

#endif /* KMEMTRACE_DATA_H */
