/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What something is made of, such as a slab cache of call sites: sums over kinds.
 */
#ifndef KMEMTRACE_PARTS_H
#define KMEMTRACE_PARTS_H

#include "report/views.h"

/**
 * struct part - what was counted of a part of something
 * @whole: that
 * @row: the counters; the key is the part
 */
struct part {
	uint64_t whole;
	struct row row;
};

/**
 * struct parts - all parts of one thing, or of all things
 * @list: those of one thing are neighbours
 * @nr: of @list
 */
struct parts {
	struct part *list;
	size_t nr;
};

void parts_collect(struct parts *p, const struct report *r, enum space space,
		   void (*split)(const struct kind *kind, struct part *part));
struct parts parts_of(const struct parts *p, uint64_t whole);
void parts_sort(struct parts *p, const struct sort_key *key);
void parts_free(struct parts *p);

#endif /* KMEMTRACE_PARTS_H */
