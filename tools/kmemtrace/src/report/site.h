/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A call site: its names, and how to show it.
 */
#ifndef KMEMTRACE_SITE_H
#define KMEMTRACE_SITE_H

#include "common/callsite.h"
#include "report/report.h"

/**
 * struct site - a call site
 * @addr: its address
 * @note: meaning of an address that is no call site, or NULL
 * @ref: the symbol, and the module
 * @which: which of the functions of its name it is in, or ""
 * @line: file and line
 */
struct site {
	uint64_t addr;
	const char *note;
	struct symbol_ref ref;
	char which[32];
	struct source_line line;
};

struct site site_find(const struct report *r, uint64_t addr);
void print_site_function(const struct site *site, FILE *out);
void print_site_module(const struct site *site, FILE *out);
void print_site_name(const struct site *site, FILE *out);
void print_source_line(const char *file, uint64_t line, const char *inlined, FILE *out);
void print_site(const struct report *r, uint64_t addr, FILE *out);

#endif /* KMEMTRACE_SITE_H */
