/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The call sites of live memory, carried from one trace to the next one of the same boot.
 */
#ifndef KMEMTRACE_CARRY_H
#define KMEMTRACE_CARRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory whose call site no earlier trace has. */
#define CARRY_NONE	UINT32_MAX

/**
 * struct carry_entry - an object, or neighbouring pages of one call site
 * @begin: its address
 * @units: bytes of an object, up to UINT32_MAX; of pages, how many
 * @site: number of the call site
 */
struct carry_entry {
	uint64_t begin;
	uint32_t units, site;
};

/**
 * struct carried_sites - the call sites of one allocator's live memory; zeroed memory has none
 * @page_size: bytes of a unit of pages; 0: objects, which are carried as a whole
 *
 * At the end of each trace, carry_find() gets all memory that is older than the trace, and
 * carry_keep() all whose call site is known, both in the order of addresses.
 */
struct carried_sites {
	uint64_t page_size;

	/* private: those of the last trace, and those of this one */
	struct carry_entry *old, *new;
	size_t nr_old, nr_new, next;
};

uint64_t carry_find(struct carried_sites *c, uint64_t begin, uint64_t bytes, uint32_t *site);
void carry_keep(struct carried_sites *c, uint64_t begin, uint64_t bytes, uint32_t site);
void carry_turn(struct carried_sites *c);
void carry_free(struct carried_sites *c);

#endif /* KMEMTRACE_CARRY_H */
