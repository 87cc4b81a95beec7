// SPDX-License-Identifier: GPL-2.0
/*
 * relation.c - the rows of an open relation
 */
#include "config.h"

#include <string.h>

#include "common/memory.h"
#include "relations/relation.h"

/* Add a zeroed row. Return it, or NULL without memory. */
void *relation_add(struct kmemtrace_relation *r)
{
	const size_t size = r->relation->row_size;
	char *rows = grow_list(r->rows, r->nr, size);

	if (!rows)
		return NULL;
	r->rows = rows;
	return memset(rows + r->nr++ * size, 0, size);
}
