/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options and names, for all files of the library's interface.
 */
#ifndef KMEMTRACE_API_H
#define KMEMTRACE_API_H

#include <stdio.h>

#include "api/handle.h"

int api_set_options(struct kmemtrace_options *to, const struct kmemtrace_options *from);

int api_new_trace(struct kmemtrace_trace **trace, const struct kmemtrace_options *options);
int api_sum_up(struct kmemtrace_trace *trace);

void api_print_site(const struct kmemtrace_trace *trace, uint64_t call_site,
		    FILE *out);
void api_print_gfp(const struct kmemtrace_trace *trace, uint64_t flags,
		   FILE *out);

#endif /* KMEMTRACE_API_H */
