// SPDX-License-Identifier: GPL-2.0
/*
 * Spans: what the ledger has by kinds is added up by call sites.
 */
#include "config.h"

#include <string.h>

#include "common/memory.h"
#include "report/format.h"
#include "report/groups.h"
#include "report/site.h"
#include "report/spans.h"

static int by_place(uint64_t a, const char *a_name, uint64_t b, const char *b_name)
{
	if (a_name && b_name)
		return strcmp(a_name, b_name);
	return (a > b) - (a < b);
}

static int by_sites(const void *a, const void *b)
{
	const struct span *x = a, *y = b;
	int order = by_place(x->site, x->name, y->site, y->name);

	return order ? order : by_place(x->freed_by, x->freed_by_name,
					y->freed_by, y->freed_by_name);
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

static void free_names(struct span *span)
{
	free(span->name);
	free(span->freed_by_name);
}

static void merge_same(struct spans *s)
{
	size_t i, nr = 0;

	qsort(s->list, s->nr, sizeof(*s->list), by_sites);
	for (i = 0; i < s->nr; i++) {
		if (nr && !by_sites(&s->list[nr - 1], &s->list[i])) {
			lifetime_add(&s->list[nr - 1].sum, &s->list[i].sum);
			free_names(&s->list[i]);
		} else {
			s->list[nr++] = s->list[i];
		}
	}
	s->nr = nr;
}

/* Groups of call sites become one; those that were merged before have one name each. */
static void merge_groups(struct spans *s, const struct report *r, bool in_pairs)
{
	size_t i;

	for (i = 0; i < s->nr; i++) {
		s->list[i].name = group_name(r, s->list[i].site);
		if (in_pairs)
			s->list[i].freed_by_name =
				group_name(r, s->list[i].freed_by);
	}
	merge_same(s);
}

/* What lives, or was never freed here, was allocated as well. */
static void add_allocs(struct spans *s, const struct report *r, enum space space)
{
	const struct table *sites = &r->trace->ledger.stats.sites[space];
	struct span key = { 0 }, *span;
	uint32_t i;

	for (i = 0; i < sites->nr; i++) {
		key.site = sites->rows[i].key;
		key.name = group_name(r, key.site);
		span = bsearch(&key, s->list, s->nr, sizeof(key), by_sites);
		if (span)
			span->allocs += sites->rows[i].allocs;
		free_names(&key);
	}
}

/**
 * spans_collect - add up lives of the same call sites, or groups of them
 * @s: result
 * @r: of this trace, and grouped so; in a tree, each in the lowest group that it is in
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
	if (r->group->print)
		merge_groups(s, r, in_pairs);
	if (!in_pairs)
		add_allocs(s, r, space);
	qsort_r(s->list, s->nr, sizeof(*s->list), by_number, &number);
}

/* Give back what spans_collect() took. */
void spans_free(struct spans *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		free_names(&s->list[i]);
	free(s->list);
}

static void print_place(const struct report *r, uint64_t addr, const char *name,
			FILE *out)
{
	if (name)
		fputs(name, out);
	else
		print_site(r, addr, out);
}

/* Where its lives began, and the end of the line. */
void print_span_site(const struct report *r, const struct span *span, FILE *out)
{
	print_place(r, span->site, span->name, out);
	fputc('\n', out);
}

/* Both of its call sites, and the end of the line. */
void print_span(const struct report *r, const struct span *span, FILE *out)
{
	print_place(r, span->site, span->name, out);
	fprintf(out, ", then ");
	print_place(r, span->freed_by, span->freed_by_name, out);
	fputc('\n', out);
}

static json_object *place_json(const struct report *r, uint64_t addr,
			       const char *name)
{
	json_object *obj;

	if (!name)
		return site_json(r, addr);
	obj = json_object_new_object();
	add_str(obj, "name", name);
	return obj;
}

/* Where its lives began, as an object. */
json_object *span_site_json(const struct report *r, const struct span *span)
{
	return place_json(r, span->site, span->name);
}

/* Both of its call sites. */
json_object *span_json(const struct report *r, const struct span *span)
{
	json_object *obj = json_object_new_object();

	json_object_object_add(obj, "allocated_at",
			       place_json(r, span->site, span->name));
	json_object_object_add(obj, "freed_at",
			       place_json(r, span->freed_by, span->freed_by_name));
	return obj;
}
