// SPDX-License-Identifier: GPL-2.0
/*
 * relation.c - the rows of an open relation, and their values
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

/* Set @value to what the row has in a column. Return whether it has a value. */
bool relation_get(const struct kmemtrace_relation *r, const struct column *column,
		  const void *row, struct kmemtrace_value *value)
{
	const void *member = (const char *)row + column->offset;

	*value = (struct kmemtrace_value) { .number = 0 };
	switch (column->storage) {
	case STORED_NOT:
		if (column->get(r, row, column->arg, value))
			return true;
		*value = (struct kmemtrace_value) { .number = 0 };
		return false;
	case STORED_U64:	value->number = *(const uint64_t *)member; break;
	case STORED_U32:	value->number = *(const uint32_t *)member; break;
	case STORED_I64:	value->signed_number = *(const int64_t *)member; break;
	case STORED_INT:	value->signed_number = *(const int *)member; break;
	case STORED_BOOL:	value->number = *(const bool *)member; break;
	case STORED_REAL:	value->real = *(const double *)member; break;
	case STORED_STRING:	value->number = (uintptr_t)*(const char * const *)member;
				return value->number;
	}
	return true;
}
