// SPDX-License-Identifier: GPL-2.0
/*
 * relation.c - the rows of an open relation
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "relations/relation.h"

/* Add a copy of a row. Return 0 or -ENOMEM. */
int relation_add(struct kmemtrace_relation *r, const void *row)
{
	const size_t size = r->relation->row_size;
	char *rows = grow_list(r->rows, r->nr, size);

	if (!rows)
		return -ENOMEM;
	r->rows = rows;
	memcpy(rows + r->nr++ * size, row, size);
	return 0;
}

/**
 * relation_merge - make one row of those that are equal
 * @r: the relation
 * @compare: returns 0 for equal rows; the rows get this order
 * @add: adds the figures of a row to a sum; NULL: there are none
 */
void relation_merge(struct kmemtrace_relation *r, int (*compare)(const void *a, const void *b),
		    void (*add)(void *sum, const void *row))
{
	const size_t size = r->relation->row_size;
	char *last = r->rows, *row, *end = r->rows + r->nr * size;

	if (!r->nr)
		return;
	qsort(r->rows, r->nr, size, compare);
	for (row = last + size; row < end; row += size) {
		if (compare(last, row))
			memmove(last += size, row, size);
		else if (add)
			add(last, row);
	}
	r->nr = (last - r->rows) / size + 1;
}
