// SPDX-License-Identifier: GPL-2.0
/*
 * Parts: each kind says what it is a part of; those that say the same are added up.
 */
#include "config.h"

#include "books/books.h"
#include "common/memory.h"
#include "report/parts.h"
#include "report/view.h"

static int by_whole(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return (x->whole > y->whole) - (x->whole < y->whole);
}

static int by_part(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int order = by_whole(x, y);

	return order ? order : (x->row.key > y->row.key) - (x->row.key < y->row.key);
}

static void merge_same(struct parts *p)
{
	size_t i, nr = 0;

	qsort(p->list, p->nr, sizeof(*p->list), by_part);
	for (i = 0; i < p->nr; i++) {
		if (nr && !by_part(&p->list[nr - 1], &p->list[i]))
			row_add(&p->list[nr - 1].row, &p->list[i].row);
		else
			p->list[nr++] = p->list[i];
	}
	p->nr = nr;
}

/**
 * parts_collect - add up what is a part of the same
 * @p: result, in the order of wholes, and of parts in them
 * @r: of this trace
 * @space: of this namespace
 * @split: sets the whole and the key of the part to which a kind belongs
 */
void parts_collect(struct parts *p, const struct report *r, enum space space,
		   void (*split)(const struct kind *kind, struct part *part))
{
	const struct ledger *l = &r->trace->ledger;
	uint32_t i;

	p->list = must_calloc(l->kinds.nr + 1, sizeof(*p->list));
	p->nr = 0;
	for (i = 0; i < l->kinds.nr; i++) {
		const struct kind *kind = kinds_get(&l->kinds, i);
		struct part *part = &p->list[p->nr];

		if (kind_space(kind) != space || !kind_is_counted(kind))
			continue;
		part->row = books_row(l, i);
		split(kind, part);
		p->nr++;
	}
	merge_same(p);
}

/**
 * parts_of - all parts of one thing
 * @p: those of all things
 * @whole: the thing
 *
 * Return: a piece of @p.
 */
struct parts parts_of(const struct parts *p, uint64_t whole)
{
	const struct part key = { .whole = whole };
	struct part *end = p->list + p->nr, *first, *last;

	first = bsearch(&key, p->list, p->nr, sizeof(*p->list), by_whole);
	if (!first)
		return (struct parts) { .nr = 0 };
	for (last = first; last + 1 < end && last[1].whole == whole; last++)
		;
	while (first > p->list && first[-1].whole == whole)
		first--;
	return (struct parts) { .list = first, .nr = last - first + 1 };
}

static int by_sort_key(const void *a, const void *b, void *key)
{
	const struct part *x = a, *y = b;

	return compare_rows(&x->row, &y->row, key);
}

/* Largest first, of one thing. */
void parts_sort(struct parts *p, const struct sort_key *key)
{
	if (p->nr)
		qsort_r(p->list, p->nr, sizeof(*p->list), by_sort_key, (void *)key);
}

/* Give back what parts_collect() took. */
void parts_free(struct parts *p)
{
	free(p->list);
}
