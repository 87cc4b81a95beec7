/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMEMTRACE_TOP_HTML_H
#define KMEMTRACE_TOP_HTML_H

#include <stdio.h>

#include "top/model.h"

void top_print_html(const struct top *top, const struct kmemtrace_trace *trace, FILE *out);

#endif /* KMEMTRACE_TOP_HTML_H */
