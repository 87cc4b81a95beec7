// SPDX-License-Identifier: GPL-2.0
/*
 * Spans: lifetimes are added up by call sites.
 */
#include "config.h"

#include <string.h>

#include "common/memory.h"
#include "report/format.h"
#include "report/groups.h"
#include "report/site.h"
#include "report/spans.h"
#include "report/view.h"

/* Add the lifetimes @l to @sum. */
static void lifetime_add(struct kmemtrace_lifetime *sum, const struct kmemtrace_lifetime *l)
{
	unsigned int i;

	for (i = 0; i < KMEMTRACE_LIFETIME_STEPS; i++)
		sum->ended[i] += l->ended[i];
	sum->ns += l->ns;
	sum->ns_high += l->ns_high + (sum->ns < l->ns);
	sum->bytes += l->bytes;
	sum->remote += l->remote;
}

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

/* Larger numbers first, then those with more lifetimes, then by call sites. */
static int by_number(const void *a, const void *b, void *arg)
{
	span_number * const *number = arg;
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

	if (s->nr)
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

/* Merge the call sites of a group. */
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

/* Set the allocations of each span, including those that were never freed. */
static void add_allocs(struct spans *s, const struct report *r, enum kmemtrace_space space)
{
	const struct kmemtrace_row *row;
	struct groups g;
	size_t i;

	groups_collect(&g, r, space, &group_keys[0], KMEMTRACE_KEYS);
	for (i = 0; i < g.nr; i++) {
		struct span key = { 0 }, *span;

		row = &g.list[i];
		key.site = row->key;
		key.name = group_name(r, key.site);
		span = s->nr ? bsearch(&key, s->list, s->nr, sizeof(key), by_sites) : NULL;
		if (span)
			span->allocs += row->allocs;
		free_names(&key);
	}
	groups_free(&g);
}

/**
 * struct collecting - the argument of the function below
 * @s: the spans
 * @in_pairs: keep the call site of the free
 */
struct collecting {
	struct spans *s;
	bool in_pairs;
};

static int append(void *arg, const struct kmemtrace_lifetime *life)
{
	const struct collecting *c = arg;
	struct spans *s = c->s;

	lifetime_add(&s->sum, life);
	s->list = must_grow_list(s->list, s->nr, sizeof(*s->list));
	s->list[s->nr++] = (struct span) {
		.site = life->alloc_site,
		.freed_by = c->in_pairs ? life->free_site : 0,
		.sum = *life,
	};
	return 0;
}

/* Return how many lifetimes are in the first @steps steps. */
uint64_t span_ended_in(const struct kmemtrace_lifetime *sum, unsigned int steps)
{
	uint64_t nr = 0;

	while (steps--)
		nr += sum->ended[steps];
	return nr;
}

/* Return the mean in nanoseconds; 0 of none. */
uint64_t span_mean(const struct kmemtrace_lifetime *sum)
{
	uint64_t nr = span_ended(sum), high = sum->ns_high, low = sum->ns, mean = 0;
	int bit;

	/* A long division: 32-bit machines have no 128-bit numbers. */
	for (bit = 63; nr && bit >= 0; bit--) {
		bool over = high >> 63;

		high = high << 1 | low >> 63;
		low <<= 1;
		mean <<= 1;
		if (over || high >= nr) {
			high -= nr;
			mean |= 1;
		}
	}
	return mean;
}

/* Return the step of the median; 0 of none. */
unsigned int span_median(const struct kmemtrace_lifetime *sum)
{
	uint64_t nr = span_ended(sum);
	unsigned int step = 0;

	while (span_ended_in(sum, step + 1) < nr - nr / 2)
		step++;
	return step;
}

/**
 * spans_collect - add up lifetimes by call sites, or by groups of them
 * @s: result, to be freed with spans_free()
 * @r: the report; in a tree, a call site is only in its lowest group
 * @space: the allocator
 * @in_pairs: group by the call site of the free, too
 * @number: returns the number to sort by, largest first
 */
void spans_collect(struct spans *s, const struct report *r, enum kmemtrace_space space,
		   bool in_pairs, span_number *number)
{
	struct collecting c = { s, in_pairs };

	*s = (struct spans) { .nr = 0 };
	must_succeed(kmemtrace_each_lifetime(r->trace, space, append, &c));
	merge_same(s);
	if (r->group->print)
		merge_groups(s, r, in_pairs);
	if (!in_pairs)
		add_allocs(s, r, space);
	if (s->nr)
		qsort_r(s->list, s->nr, sizeof(*s->list), by_number, &number);
}

/* Free what spans_collect() allocated. */
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

/* Print the call site of the allocations, and end the line. */
void print_span_site(const struct report *r, const struct span *span, FILE *out)
{
	print_place(r, span->site, span->name, out);
	fputc('\n', out);
}

/* Print both call sites, and end the line. */
void print_span(const struct report *r, const struct span *span, FILE *out)
{
	print_place(r, span->site, span->name, out);
	fprintf(out, ", then ");
	print_place(r, span->freed_by, span->freed_by_name, out);
	fputc('\n', out);
}
