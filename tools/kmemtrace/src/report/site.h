/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is known of a call site, and how it is shown.
 */
#ifndef KMEMTRACE_SITE_H
#define KMEMTRACE_SITE_H

#include "report/views.h"

/**
 * struct site - what is known of a call site
 * @addr: its address
 * @note: what that stands for if it is no call site, or NULL
 * @ref: the symbol, and the module
 * @line: the place in the sources
 */
struct site {
	uint64_t addr;
	const char *note;
	struct symbol_ref ref;
	struct source_line line;
};

const char *site_note(const struct report *r, uint64_t addr);
struct site site_find(const struct report *r, uint64_t addr);
void print_site_function(const struct site *site, FILE *out);
void print_site_module(const struct site *site, FILE *out);
void print_site(const struct report *r, uint64_t addr, FILE *out);
json_object *site_json(const struct report *r, uint64_t addr);

#endif /* KMEMTRACE_SITE_H */
