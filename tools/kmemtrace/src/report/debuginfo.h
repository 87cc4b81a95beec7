/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What libdw may read of debug information, so that the bytes of the file bound its work.
 */
#ifndef KMEMTRACE_DEBUGINFO_H
#define KMEMTRACE_DEBUGINFO_H

#include <stdbool.h>
#include <stdint.h>

#include <elfutils/libdw.h>
#include <gelf.h>

#include "common/lookup.h"

/**
 * struct debuginfo - the sections of an ELF file that need a look before libdw reads them
 * @path: for messages
 * @left: steps that may still be done
 * @is_told: the message that there are no more was printed
 */
struct debuginfo {
	const char *path;
	uint64_t left;
	bool is_told;

	/* private: */
	Elf_Data *lines, *line_str, *str;
	/* where abbreviations begin, in order, and behind the last one */
	size_t *abbrevs, nr_abbrevs;
	/* the line tables that libdw has read */
	struct line_table {
		uint64_t offset;
		bool is_good;
	} *tables;
	uint32_t nr_tables;
	struct lookup by_offset;
};

bool debuginfo_fits(struct debuginfo *d, Elf *elf, const char *path);
bool debuginfo_open(struct debuginfo *d, Elf *elf);
bool debuginfo_spend(struct debuginfo *d, uint64_t steps);
bool debuginfo_unit(struct debuginfo *d, Dwarf_Off abbrev);
bool debuginfo_lines(struct debuginfo *d, Dwarf_Die *unit);
void debuginfo_close(struct debuginfo *d);

#endif /* KMEMTRACE_DEBUGINFO_H */
