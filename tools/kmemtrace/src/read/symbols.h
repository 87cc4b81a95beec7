/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names for the addresses of a trace: from its kallsyms and modules files.
 */
#ifndef KMEMTRACE_SYMBOLS_H
#define KMEMTRACE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/callsite.h"
#include "read/files.h"

/**
 * struct symbols - the names of the traced kernel's addresses
 * @nr: symbols; 0: there is no kallsyms file, or all its addresses are zero
 * @hidden: kptr_restrict made all addresses of kallsyms zero
 */
struct symbols {
	size_t nr;
	bool hidden;

	/* private: by address; names are offsets into the @taken bytes of kallsyms */
	struct symbol {
		uint64_t addr;
		uint32_t name, module;
		bool code;
	} *table;
	size_t room;
	char *text;
	size_t taken;
	/* By address, none overlaps another; names are in modules_text. */
	struct module {
		uint64_t first, last;
		const char *name;
	} *modules;
	size_t nr_modules;
	char *modules_text;
};

int symbols_load(struct symbols *s, struct context *ctx, struct files *files);
void symbols_free(struct symbols *s);
void symbols_at(const struct symbols *s, uint64_t addr, struct symbol_ref *ref);
void symbols_find(const struct symbols *s, uint64_t call_site,
		  struct symbol_ref *ref);
bool symbols_get(const struct symbols *s, size_t i, uint64_t *addr, struct symbol_ref *ref);
bool symbols_address(const struct symbols *s, const char *name,
		     uint64_t *addr);

#endif /* KMEMTRACE_SYMBOLS_H */
