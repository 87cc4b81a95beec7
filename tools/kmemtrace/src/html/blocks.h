/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The page frames at the end of the trace: pageblocks, and the slabs of each cache.
 */
#ifndef KMEMTRACE_HTML_BLOCKS_H
#define KMEMTRACE_HTML_BLOCKS_H

#include <json-c/json.h>

#include "html/rows.h"

json_object *blocks_json(const struct report *r, const struct rows *rows);
json_object *slabs_json(const struct report *r);

#endif /* KMEMTRACE_HTML_BLOCKS_H */
