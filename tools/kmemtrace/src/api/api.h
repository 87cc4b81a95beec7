/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is behind the opaque structures of kmemtrace.h.
 */
#ifndef KMEMTRACE_API_H
#define KMEMTRACE_API_H

#include <stdio.h>

#include "api/trace.h"
#include "api/trust.h"
#include "kmemtrace.h"

/**
 * struct kmemtrace_trace - a trace
 * @t: all that is known of it
 * @path: its directory, which @t refers to
 * @options: for those who read its streams
 * @filters: the texts in @options
 * @look: who looks on
 * @look_arg: for @look
 * @is_used: somebody has begun to do so
 * @is_read: all is in @t
 * @error: of the attempt to read it
 * @summary: of @t, as all below
 * @totals: by namespace
 * @trust: the verdict
 */
struct kmemtrace_trace {
	struct trace t;
	char *path;
	struct trace_options options;
	char *filters[NR_FILTERS];
	int (*look)(void *arg, uint64_t bytes, uint64_t size);
	void *look_arg;
	bool is_used, is_read;
	int error;
	struct kmemtrace_summary summary;
	struct kmemtrace_row totals[NR_SPACES];
	struct trust trust;
};

char *api_text(const struct kmemtrace_trace *trace, uint64_t value,
	       void (*print)(const struct kmemtrace_trace *trace,
			     uint64_t value, FILE *out));
void api_print_site(const struct kmemtrace_trace *trace, uint64_t call_site,
		    FILE *out);
void api_print_gfp(const struct kmemtrace_trace *trace, uint64_t flags,
		   FILE *out);

#endif /* KMEMTRACE_API_H */
