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

/**
 * struct calls - the calls of a call path
 * @addresses: their return addresses, that of the call site first
 * @nr: entries of @addresses, at least 1
 * @is_cut: outer callers are missing
 * @is_unknown: the trace lacks the record of the path: all callers are missing
 * @site: the call site, if nothing else is known
 */
struct calls {
	const uint64_t *addresses;
	size_t nr;
	bool is_cut, is_unknown;
	uint64_t site;
};

struct site site_find(const struct report *r, uint64_t addr);
void print_site_function(const struct site *site, FILE *out);
void print_site_module(const struct site *site, FILE *out);
void print_site_name(const struct site *site, FILE *out);
void print_source_line(const char *file, uint64_t line, const char *inlined, FILE *out);
void print_site(const struct report *r, uint64_t addr, FILE *out);

#endif /* KMEMTRACE_SITE_H */
