/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call sites as text.
 */
#ifndef KMEMTRACE_CALLSITE_H
#define KMEMTRACE_CALLSITE_H

#include <stdint.h>
#include <stdio.h>

/**
 * struct symbol_ref - the name of an address
 * @name: the function, or NULL
 * @offset: bytes from the start of @name
 * @module: the module; NULL: the kernel itself, or unknown
 */
struct symbol_ref {
	const char *name;
	uint64_t offset;
	const char *module;
};

const char *callsite_module(const struct symbol_ref *ref);
void callsite_print(uint64_t addr, const struct symbol_ref *ref, FILE *out);
void callsite_print_function(const struct symbol_ref *ref, const char *note,
			     FILE *out);
void callsite_print_full(const struct symbol_ref *ref, const char *note,
			 FILE *out);
void callsite_print_module(const struct symbol_ref *ref, const char *note,
			   FILE *out);

#endif /* KMEMTRACE_CALLSITE_H */
