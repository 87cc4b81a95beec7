/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copy a trace with plain streams, and change the streams.
 */
#ifndef KMEMTRACE_TESTS_TRACE_COPY_H
#define KMEMTRACE_TESTS_TRACE_COPY_H

#include <stdint.h>
#include <stdio.h>

/**
 * struct trace_copy - a copy of a trace
 * @from: the trace
 * @to: the copy
 * @more: lines that are appended to the metadata
 * @stream: copies the stream of a CPU
 * @arg: for @stream
 */
struct trace_copy {
	const char *from, *to;
	const char *more;
	void (*stream)(void *arg, unsigned int cpu, FILE *in, FILE *out);
	void *arg;
};

void trace_copy(const struct trace_copy *c);
void trace_copy_bytes(FILE *in, FILE *out, uint64_t nr);

#endif /* KMEMTRACE_TESTS_TRACE_COPY_H */
