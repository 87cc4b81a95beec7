// SPDX-License-Identifier: GPL-2.0
/*
 * Spans: what the ledger has by kinds is added up by call sites.
 */
#include "config.h"

#include "memory.h"
#include "site.h"
#include "spans.h"

static int by_sites(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->site != y->site)
		return x->site > y->site ? 1 : -1;
	return (x->freed_by > y->freed_by) - (x->freed_by < y->freed_by);
}

/* Larger ones first, then those with more of all, then any order that stays the same. */
static int by_number(const void *a, const void *b, void *arg)
{
	uint64_t (* const *number)(const struct lifetime *sum) = arg;
	const struct span *x = a, *y = b;
	uint64_t i = (*number)(&x->sum), j = (*number)(&y->sum);

	if (i == j) {
		i = span_ended(&x->sum);
		j = span_ended(&y->sum);
	}
	if (i != j)
		return i > j ? -1 : 1;
	return by_sites(a, b);
}

static void merge_same(struct spans *s)
{
	size_t i, nr = 0;

	qsort(s->list, s->nr, sizeof(*s->list), by_sites);
	for (i = 0; i < s->nr; i++) {
		if (nr && !by_sites(&s->list[nr - 1], &s->list[i]))
			lifetime_add(&s->list[nr - 1].sum, &s->list[i].sum);
		else
			s->list[nr++] = s->list[i];
	}
	s->nr = nr;
}

/**
 * spans_collect - add up lives of the same call sites
 * @s: result
 * @r: of this trace
 * @space: of this namespace
 * @in_pairs: those that end at different call sites are not the same
 * @number: larger ones come first
 */
void spans_collect(struct spans *s, const struct report *r, enum space space,
		   bool in_pairs, uint64_t (*number)(const struct lifetime *sum))
{
	const struct ledger *l = &r->trace->ledger;
	const struct lifetimes *all = &l->stats.lifetimes;
	uint32_t i;

	*s = (struct spans) { .list = must_calloc(all->nr, sizeof(*s->list)) };
	for (i = 1; i < all->nr; i++) {
		const struct lifetime *life = &all->list[i];
		const struct kind *kind = kinds_get(&l->kinds, life->kind);

		if (kind_space(kind) != space || !kind_is_counted(kind))
			continue;
		lifetime_add(&s->sum, life);
		s->list[s->nr++] = (struct span) {
			.site = kind->site,
			.freed_by = in_pairs ?
				kinds_get(&l->kinds, life->freed_by)->site : 0,
			.sum = *life,
		};
	}
	merge_same(s);
	qsort_r(s->list, s->nr, sizeof(*s->list), by_number, &number);
}

/* Give back what spans_collect() took. */
void spans_free(struct spans *s)
{
	free(s->list);
}

/* Both of its call sites, and the end of the line. */
void print_span(const struct report *r, const struct span *span, FILE *out)
{
	print_site(r, span->site, out);
	fprintf(out, ", then ");
	print_site(r, span->freed_by, out);
	fputc('\n', out);
}

/* The same as an object. */
json_object *span_json(const struct report *r, const struct span *span)
{
	json_object *obj = json_object_new_object();

	json_object_object_add(obj, "allocated_at", site_json(r, span->site));
	json_object_object_add(obj, "freed_at", site_json(r, span->freed_by));
	return obj;
}
