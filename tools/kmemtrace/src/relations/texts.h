/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The texts of identities: addresses, numbers and pointers become names here, and nowhere else.
 */
#ifndef KMEMTRACE_RELATIONS_TEXTS_H
#define KMEMTRACE_RELATIONS_TEXTS_H

#include "relations/relation.h"

typedef void text_printer(const struct kmemtrace_relation *r, uint64_t identity, FILE *out);

text_printer text_of_string, text_of_allocator, text_of_api, text_of_site, text_of_function,
	     text_of_module, text_of_address, text_of_task, text_of_process, text_of_cgroup, text_of_cache, text_of_merged, text_of_context,
	     text_of_gfp, text_of_mobility, text_of_counter_table;

void print_frames(const struct kmemtrace_relation *r, const struct kmemtrace_call_path *path,
		  uint64_t call_site, text_printer *print, FILE *out);
bool source_of_site(const struct kmemtrace_relation *r, uint64_t site, const char **file,
		    unsigned int *line);

#endif /* KMEMTRACE_RELATIONS_TEXTS_H */
