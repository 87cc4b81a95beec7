// SPDX-License-Identifier: GPL-2.0
/*
 * spans.c - lifetimes of memory that was allocated and freed in the trace
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/api-lists.h"
#include "ledger/total.h"
#include "common/number.h"
#include "relations/columns.h"
#include "relations/grouping.h"

/* The steps of short lifetimes: less than a millisecond. */
#define SHORT_STEPS	4

/**
 * struct span_row - lifetimes with the same call sites
 * @space: the allocator
 * @keys: of the call site of the allocations, and of that of the frees
 * @allocs: allocations there, those of live memory included
 * @sum: the lifetimes
 */
struct span_row {
	int space;
	uint64_t keys[2];
	uint64_t allocs;
	struct lifetime sum;
};

static int by_sites(const void *a, const void *b)
{
	const struct span_row *x = a, *y = b;

	return x->space - y->space ?: compare_u64(x->keys[0], y->keys[0]) ?:
	       compare_u64(x->keys[1], y->keys[1]);
}

static uint64_t ended(const struct span_row *row)
{
	return lifetime_ended(&row->sum, LIFETIME_STEPS);
}

/* Those with most frees first. */
static int compare_spans(const void *a, const void *b)
{
	const struct span_row *x = a, *y = b;

	return x->space - y->space ?: compare_u64(ended(y), ended(x)) ?: by_sites(a, b);
}

static void add_lifetimes(void *sum, const void *row)
{
	lifetime_add(&((struct span_row *)sum)->sum, &((const struct span_row *)row)->sum);
}

/* ---- rows ---- */

/* Return the key of a kind, or INTERN_NO_MEMORY. */
static uint64_t key_of_span(struct kmemtrace_relation *r, const struct kmemtrace_kind *kind)
{
	return grouping_key(r, r->grouping->dims[0], kind);
}

/* Add a row with so many keys. */
static int add_lifetime(struct kmemtrace_relation *r, const struct lifetime *lifetime,
			unsigned int keys)
{
	const struct ledger *l = &r->trace->t.ledger;
	const struct kmemtrace_kind kinds[] = { api_kind(l, lifetime->kind), api_kind(l, lifetime->freed_by) };
	struct span_row row = { .space = kinds->space, .sum = *lifetime };
	unsigned int i;

	if (!kind_is_counted(kinds_get(&l->kinds, lifetime->kind)))
		return 0;
	for (i = 0; i < keys; i++) {
		row.keys[i] = key_of_span(r, &kinds[i]);
		if (row.keys[i] == INTERN_NO_MEMORY && r->grouping->dims[0] != DIM_SITE)
			return -ENOMEM;
	}
	return relation_add(r, &row);
}

/* Set the allocations of each row, those of memory that was never freed included. */
static void set_allocs(struct kmemtrace_relation *r, unsigned int keys)
{
	const struct ledger *l = &r->trace->t.ledger;
	struct span_row key = { .space = 0 }, *row;
	uint32_t i;

	for (i = 0; i < l->kinds.nr; i++) {
		const struct kmemtrace_kind kind = api_kind(l, i);

		if (kind.is_free || kind.is_hidden)
			continue;
		key.space = kind.space;
		key.keys[0] = keys ? key_of_span(r, &kind) : 0;
		row = r->nr ? bsearch(&key, r->rows, r->nr, sizeof(key), by_sites) : NULL;
		if (row)
			row->allocs += total_row(l, i).allocs;
	}
}

/* Let keys that are numbers of texts be in the order of the texts. Return 0 or -ENOMEM. */
static int sort_span_keys(struct kmemtrace_relation *r, unsigned int keys)
{
	struct span_row *rows = (struct span_row *)r->rows;
	uint32_t *numbers;
	unsigned int j;
	size_t i;
	int ret = grouping_sort(r, r->grouping->dims[0], &numbers);

	for (i = 0; numbers && i < r->nr; i++)
		for (j = 0; j < keys; j++)
			rows[i].keys[j] = numbers[rows[i].keys[j]];
	free(numbers);
	return ret;
}

/* Add up lifetimes by so many keys. */
static int collect_spans(struct kmemtrace_relation *r, unsigned int keys)
{
	const struct lifetimes *all = &r->trace->t.ledger.stats.lifetimes;
	uint32_t i;
	int ret = 0;

	for (i = 1; !ret && i < all->nr; i++)
		ret = add_lifetime(r, &all->list[i], keys);
	if (ret)
		return ret;
	relation_merge(r, by_sites, add_lifetimes);
	if (keys < 2)
		set_allocs(r, keys);
	return keys ? sort_span_keys(r, keys) : 0;
}

/* Add the allocators that have no lifetimes. */
static int fill_totals(struct kmemtrace_relation *r)
{
	int space, ret = 0;

	for (space = 0; !ret && space < NR_SPACES; space++)
		ret = relation_add(r, &(struct span_row) { .space = space });
	return ret ? ret : collect_spans(r, 0);
}

static int fill_lifetimes(struct kmemtrace_relation *r)
{
	return collect_spans(r, 1);
}

static int fill_pairs(struct kmemtrace_relation *r)
{
	return collect_spans(r, 2);
}

/* ---- values ---- */

static bool get_ended(const struct kmemtrace_relation *r, const void *row, unsigned int steps,
		      struct kmemtrace_field *value)
{
	(void)r;
	value->number = lifetime_ended(&((const struct span_row *)row)->sum, steps);
	return true;
}

/* Return the mean in nanoseconds; 0 of none. */
static uint64_t mean_of(const struct span_row *row)
{
	uint64_t nr = ended(row), high = row->sum.carry, low = row->sum.ns, mean = 0;
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

static bool get_mean(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
		     struct kmemtrace_field *value)
{
	(void)r;
	(void)arg;
	value->number = mean_of(row);
	return true;
}

/* Sets the end of the step of the median. */
static bool get_median(const struct kmemtrace_relation *r, const void *row, unsigned int arg,
		       struct kmemtrace_field *value)
{
	const struct lifetime *l = &((const struct span_row *)row)->sum;
	const uint64_t nr = ended(row);
	unsigned int step = 0;

	(void)r;
	(void)arg;
	value->number = 1000;
	while (step + 1 < LIFETIME_STEPS && lifetime_ended(l, step + 1) < nr - nr / 2) {
		value->number *= 10;
		step++;
	}
	return nr && step + 1 < LIFETIME_STEPS;
}

/* Sets the part of frees on another CPU, or of short lifetimes. */
static bool get_ratio(const struct kmemtrace_relation *r, const void *row, unsigned int is_remote,
		      struct kmemtrace_field *value)
{
	const struct span_row *span = row;
	const uint64_t part = is_remote ? span->sum.remote :
					  lifetime_ended(&span->sum, SHORT_STEPS);
	uint64_t whole = ended(span);

	(void)r;
	/* Pairs have no allocations. Where blocks are freed in parts, more lifetimes end. */
	if (!is_remote && span->allocs > whole)
		whole = span->allocs;
	value->real = whole ? (double)part / (double)whole : 0;
	return true;
}

/* ---- places ---- */

static enum dim dim_of(const struct kmemtrace_relation *r)
{
	return r->grouping->dims[0];
}

/* Sets a call site of the group: that of the allocations, or of the frees. */
static bool span_site(const struct kmemtrace_relation *r, const void *row, unsigned int is_free,
		      struct kmemtrace_field *value)
{
	value->number = ((const struct span_row *)row)->keys[is_free];
	if (dim_of(r) != DIM_SITE)
		value->number = r->grouping->examples[dim_of(r)][value->number].site;
	return true;
}

/* Sets the pointer to the text that identifies the group. */
static bool span_key(const struct kmemtrace_relation *r, const void *row, unsigned int is_free,
		     struct kmemtrace_field *value)
{
	const uint64_t key = ((const struct span_row *)row)->keys[is_free];

	value->number = (uintptr_t)r->grouping->interned[dim_of(r)].list[key].bytes;
	return true;
}

static bool span_file(const struct kmemtrace_relation *r, const void *row, unsigned int is_free,
		      struct kmemtrace_field *value)
{
	if (dim_of(r) == DIM_FILE)
		return span_key(r, row, is_free, value);
	return span_site(r, row, is_free, value) && file_of_site(r, value);
}

static bool span_line(const struct kmemtrace_relation *r, const void *row, unsigned int is_free,
		      struct kmemtrace_field *value)
{
	return span_site(r, row, is_free, value) && line_of_site(r, value);
}

static bool span_inlined(const struct kmemtrace_relation *r, const void *row, unsigned int is_free,
			 struct kmemtrace_field *value)
{
	return span_site(r, row, is_free, value) && inlined_of_site(r, value);
}

/* ---- columns ---- */

#define KNOW_SITE	(DIM_BIT(DIM_SITE) | DIM_BIT(DIM_LINE) | DIM_BIT(DIM_FUNCTION))

#define PLACE(n, h, t, d, k, getter, of, printer, text, ...)			\
	{ .name = n, .heading = h, .type = KMEMTRACE_##t, .dims = d, .key_of = k, .get = getter,	\
	  .arg = of, .print = printer, .help = text, ##__VA_ARGS__ }

/* The columns of a call site. @p: begins their names; @of: 0: of the allocations, 1: of the frees */
#define PLACES(p, of, who)							\
	PLACE(p "site", "call site", TEXT, DIM_BIT(DIM_SITE), DIM_BIT(DIM_SITE), span_site, of,	\
	      write_site, "function, offset and module of the call site of the " who),	\
	PLACE(p "address", "address", ADDRESS, DIM_BIT(DIM_SITE), DIM_BIT(DIM_SITE), span_site, of, \
	      NULL, "address of that call site, a return address"),		\
	PLACE(p "function", "function", TEXT, KNOW_SITE,				\
	      DIM_BIT(DIM_FUNCTION) | DIM_BIT(DIM_LINE), span_site, of, write_function,	\
	      "function and module of that call site"),				\
	PLACE(p "module", "module", TEXT, KNOW_SITE, 0, span_site, of, write_module,	\
	      "module of that call site, or kernel"),				\
	PLACE(p "module", "module", TEXT, DIM_BIT(DIM_MODULE), DIM_BIT(DIM_MODULE), span_key,	\
	      of, write_string, "module of that call site, or kernel"),		\
	PLACE(p "file", "file", TEXT, KNOW_SITE | DIM_BIT(DIM_FILE),		\
	      DIM_BIT(DIM_FILE) | DIM_BIT(DIM_LINE), span_file, of, write_string,	\
	      "source file of that call site, with a vmlinux", MAYBE),		\
	PLACE(p "line", "line", NUMBER, DIM_BIT(DIM_SITE) | DIM_BIT(DIM_LINE),	\
	      DIM_BIT(DIM_LINE), span_line, of, NULL, "line in that file", MAYBE),	\
	PLACE(p "inlined", "inlined in", TEXT, DIM_BIT(DIM_SITE), 0, span_inlined, of,	\
	      write_string, INLINED_HELP, MAYBE),				\
	PLACE(p "dir", "directory", TEXT, DIM_BIT(DIM_DIR), DIM_BIT(DIM_DIR), span_key, of,	\
	      write_string, "directory of that file")

#define ENDED(n, h, steps, text)						\
	{ .name = n, .heading = h, .type = KMEMTRACE_NUMBER, .unit = KMEMTRACE_COUNT,	\
	  .get = get_ended, .arg = steps, .help = text }

#define RATIO(n, h, is_remote, text)						\
	{ .name = n, .heading = h, .type = KMEMTRACE_REAL, .unit = KMEMTRACE_RATIO,	\
	  .get = get_ratio, .arg = is_remote, .help = text }

#define SPAN_COLUMNS								\
	ENDED("ended", "ended", LIFETIME_STEPS, "lifetimes that ended with a free"),	\
	COLUMN("freed_bytes", "all bytes", NUMBER, BYTES, MEMBER(struct span_row, sum.bytes),	\
	       "bytes that they freed"),					\
	{ .name = "mean_ns", .heading = "mean", .type = KMEMTRACE_NUMBER, .unit = KMEMTRACE_NS,	\
	  .get = get_mean, .help = "mean of the lifetimes" },			\
	{ .name = "median_below_ns", .heading = "median", .type = KMEMTRACE_NUMBER,	\
	  .unit = KMEMTRACE_NS, .get = get_median, MAYBE,			\
	  .help = "half of the lifetimes are shorter; none: than a second and more" },	\
	COLUMN("longest_ns", "longest", NUMBER, NS, MEMBER(struct span_row, sum.longest),	\
	       "the longest of the lifetimes"),					\
	COLUMN("remote_frees", "remote", NUMBER, COUNT, MEMBER(struct span_row, sum.remote),	\
	       "lifetimes that ended on another CPU than they began"),		\
	RATIO("remote_ratio", "remote", true, "these as a part of all that ended"),	\
	ENDED("ended_in_1us", "<1us", 1, "lifetimes of less than 1 us"),	\
	ENDED("ended_in_10us", "<10us", 2, "lifetimes of less than 10 us"),	\
	ENDED("ended_in_100us", "<100us", 3, "lifetimes of less than 100 us"),	\
	ENDED("ended_in_1ms", "<1ms", SHORT_STEPS, "lifetimes of less than 1 ms"),	\
	RATIO("short_ratio", "in 1 ms", false,					\
	      "these as a part of the allocations, or of all that ended if these are more"),	\
	ENDED("ended_in_10ms", "<10ms", 5, "lifetimes of less than 10 ms"),	\
	ENDED("ended_in_100ms", "<100ms", 6, "lifetimes of less than 100 ms"),	\
	ENDED("ended_in_1s", "<1s", 7, "lifetimes of less than 1 s")

#define ALLOCS									\
	COLUMN("allocs", "allocations", NUMBER, COUNT, MEMBER(struct span_row, allocs),	\
	       "allocations, those of memory that was not freed included")

static const struct column total_columns[] = {
	ALLOCATOR(struct span_row), ALLOCS, SPAN_COLUMNS,
};

static const struct column lifetime_columns[] = {
	ALLOCATOR(struct span_row),
	PLACES("", 0, "allocations"), ALLOCS, SPAN_COLUMNS,
};

static const struct column pair_columns[] = {
	ALLOCATOR(struct span_row),
	PLACES("", 0, "allocations"), PLACES("freed_", 1, "frees"), SPAN_COLUMNS,
};

#define SPANS(name, text, list, f, by)						\
	{ INFO(name, text), COLUMNS(list), .row_size = sizeof(struct span_row), .fill = f,	\
	  .compare = compare_spans, .group_by = by, .group_dims = GROUP_DIMS, .space = NR_SPACES }

#define GROUP_DIMS	(KNOW_SITE | DIM_BIT(DIM_MODULE) | DIM_BIT(DIM_FILE) | DIM_BIT(DIM_DIR))

static const struct relation list[] = {
	SPANS("lifetime_totals", "Lifetimes of memory that was freed in the trace.", total_columns,
	      fill_totals, NULL),
	SPANS("lifetimes", "Lifetimes by the call site of the allocation.", lifetime_columns,
	      fill_lifetimes, "site"),
	SPANS("churn", "Lifetimes by the call sites of the allocation and the free.", pair_columns,
	      fill_pairs, "site"),
};

RELATIONS(span_relations, list);
