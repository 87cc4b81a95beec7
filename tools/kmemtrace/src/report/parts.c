// SPDX-License-Identifier: GPL-2.0
/*
 * Parts of a whole: the rows of a grouping by two keys.
 */
#include "config.h"

#include "common/memory.h"
#include "report/parts.h"
#include "report/view.h"

/* Rows are in one array, in the order that the parts of a whole have. */
static int by_whole(const void *a, const void *b)
{
	const struct kmemtrace_row *x = *(const struct kmemtrace_row * const *)a;
	const struct kmemtrace_row *y = *(const struct kmemtrace_row * const *)b;

	if (x->second_key != y->second_key)
		return x->second_key < y->second_key ? -1 : 1;
	return (x > y) - (x < y);
}

/**
 * parts_collect - list the parts of everything
 * @p: result, to be freed with parts_free()
 * @r: the report
 * @space: the allocator
 * @keys: sets the part and the whole of a kind, see struct kmemtrace_grouping
 * @order: order of the parts of one whole
 */
void parts_collect(struct parts *p, const struct report *r, enum kmemtrace_space space,
		   bool (*keys)(void *arg, const struct kmemtrace_kind *kind,
				uint64_t keys[2]),
		   enum kmemtrace_order order)
{
	const struct kmemtrace_grouping grouping = {
		.size = sizeof(grouping),
		.keys = keys,
	};

	rows_group(&p->rows, r, space, &grouping, order);
	p->list = rows_list(p->rows, &p->nr);
	qsort(p->list, p->nr, sizeof(*p->list), by_whole);
}

/**
 * parts_of - find all parts of one whole
 * @p: the parts of all
 * @whole: the whole
 *
 * Return: a piece of @p, which is not to be freed.
 */
struct parts parts_of(const struct parts *p, uint64_t whole)
{
	size_t first = 0, end = p->nr, last;

	while (first < end) {
		size_t i = first + (end - first) / 2;

		if (p->list[i]->second_key < whole)
			first = i + 1;
		else
			end = i;
	}
	for (last = first; last < p->nr && p->list[last]->second_key == whole; last++)
		;
	return (struct parts) { .list = p->list + first, .nr = last - first };
}

/* Free what parts_collect() allocated. */
void parts_free(struct parts *p)
{
	free(p->list);
	kmemtrace_rows_close(p->rows);
}
