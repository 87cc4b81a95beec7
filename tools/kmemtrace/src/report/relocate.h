/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel modules: ELF files whose sections have no addresses yet.
 */
#ifndef KMEMTRACE_RELOCATE_H
#define KMEMTRACE_RELOCATE_H

#include <stdbool.h>
#include <stdint.h>

#include <gelf.h>

#include "report/debuginfo.h"

/**
 * struct relocated - a module whose sections got addresses
 * @bases: by number of the section, its address; 0: it has none
 * @nr_bases: entries of @bases
 * @functions: the functions, by name
 * @nr_functions: entries of @functions
 */
struct relocated {
	uint64_t *bases;
	size_t nr_bases;
	struct module_function {
		const char *name;
		uint64_t addr;
	} *functions;
	size_t nr_functions;
};

bool relocate_open(struct relocated *m, struct debuginfo *d, Elf *elf);
bool relocate_find(const struct relocated *m, const char *function, uint64_t *addr);
const char *relocate_modinfo(Elf *elf, const char *key);
void relocate_close(struct relocated *m);

#endif /* KMEMTRACE_RELOCATE_H */
