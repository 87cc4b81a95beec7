/* SPDX-License-Identifier: GPL-2.0 */
/*
 * File and line of an address, from the debug information of a vmlinux and of modules.
 */
#ifndef KMEMTRACE_SOURCE_H
#define KMEMTRACE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "kmemtrace.h"

struct source;

/**
 * struct source_line - a place in the sources
 * @file: path in the kernel tree, NULL when there is none
 * @line: from 1
 * @inlined: the function that it is in, if that is inlined, and the lines that call it, such as
 *	"f < a.c:12 in g < b.c:34"; else NULL
 */
struct source_line {
	const char *file;
	int line;
	const char *inlined;
};

/**
 * struct source_files - the files that options name
 * @vmlinux: the vmlinux; NULL: there is none
 * @modules: files of modules, and folders of them
 * @nr_modules: entries of @modules
 * @is_needed: without debug information of the kernel, there is nothing to show
 */
struct source_files {
	const char *vmlinux;
	const char **modules;
	size_t nr_modules;
	bool is_needed;
};

bool source_take_modules(struct source_files *files, const char *path);
int source_open_files(struct source **source, const struct source_files *files,
		      struct kmemtrace_trace *trace);
void source_find(struct source *source, uint64_t call_site,
		 struct source_line *line);
void source_close(struct source *source);

#endif /* KMEMTRACE_SOURCE_H */
