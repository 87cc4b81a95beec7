/* SPDX-License-Identifier: GPL-2.0 */
/*
 * File and line of an address, from the debug information of a vmlinux.
 */
#ifndef KMEMTRACE_SOURCE_H
#define KMEMTRACE_SOURCE_H

#include <stdint.h>

#include "kmemtrace.h"

struct source;

/**
 * struct source_line - a place in the sources
 * @file: path in the kernel tree, NULL when there is none
 * @line: from 1
 */
struct source_line {
	const char *file;
	int line;
};

int source_open(struct source **source, const char *vmlinux,
		const char *build_id, struct kmemtrace_trace *trace);
void source_find(struct source *source, uint64_t call_site,
		 struct source_line *line);
void source_close(struct source *source);

#endif /* KMEMTRACE_SOURCE_H */
