/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parts of a whole, such as the call sites of a slab cache: rows with two keys.
 */
#ifndef KMEMTRACE_PARTS_H
#define KMEMTRACE_PARTS_H

#include "report/report.h"

/**
 * struct parts - the parts of one whole, or of all of them
 * @list: rows whose key is the part and whose second key is the whole; the parts of one
 *	whole are neighbours
 * @nr: entries of @list
 */
struct parts {
	const struct kmemtrace_row **list;
	size_t nr;

	/* private: */
	struct kmemtrace_rows *rows;
};

void parts_collect(struct parts *p, const struct report *r, enum kmemtrace_space space,
		   bool (*keys)(void *arg, const struct kmemtrace_kind *kind,
				uint64_t keys[2]),
		   enum kmemtrace_order order);
struct parts parts_of(const struct parts *p, uint64_t whole);
void parts_free(struct parts *p);

#endif /* KMEMTRACE_PARTS_H */
