/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The texts of identities: addresses, numbers and pointers become names here, and nowhere else.
 */
#ifndef KMEMTRACE_RELATIONS_TEXTS_H
#define KMEMTRACE_RELATIONS_TEXTS_H

#include "relations/relation.h"

typedef void write_text(const struct kmemtrace_relation *r, uint64_t identity, FILE *out);

/* Define a function that writes the name of a number. */
#define WRITE_NAMES(name, ...)							\
void name(const struct kmemtrace_relation *r, uint64_t identity, FILE *out)	\
{										\
	static const char * const names[] = { __VA_ARGS__ };			\
	const bool has = identity < sizeof(names) / sizeof(*names);		\
										\
	(void)r;								\
	fputs(has ? names[identity] : "unknown", out);				\
}

write_text write_string, write_allocator, write_api, write_site, write_function,
	     write_module, write_address, write_task, write_task_name, write_process, write_cgroup, write_cache,
	     write_merged, write_context, write_gfp, write_mobility, write_path, write_path_addresses;

void print_frames(const struct kmemtrace_relation *r, const struct kmemtrace_call_path *path,
		  uint64_t call_site, write_text *print, FILE *out);
char *text_of(const struct kmemtrace_relation *r, write_text *write, uint64_t identity,
	      size_t *size);
bool source_of_site(const struct kmemtrace_relation *r, uint64_t site, const char **file,
		    unsigned int *line);
bool file_of_site(const struct kmemtrace_relation *r, struct kmemtrace_field *value);
bool inlined_of_site(const struct kmemtrace_relation *r, struct kmemtrace_field *value);
bool line_of_site(const struct kmemtrace_relation *r, struct kmemtrace_field *value);

#endif /* KMEMTRACE_RELATIONS_TEXTS_H */
