/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that kmemtrace-top writes when the user wants them.
 */
#ifndef KMEMTRACE_TOP_FILES_H
#define KMEMTRACE_TOP_FILES_H

#include <stddef.h>

#include "top/model.h"

enum top_format { TOP_JSON, TOP_HTML };

void top_write(enum top_format format, const struct top *top,
	       const struct kmemtrace_trace *trace, char *message, size_t size);

#endif /* KMEMTRACE_TOP_FILES_H */
