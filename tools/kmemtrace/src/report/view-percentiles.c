// SPDX-License-Identifier: GPL-2.0
/*
 * View: how large allocations are: so many in a hundred are no larger than that.
 */
#include "config.h"

#include "books/books.h"
#include "common/memory.h"
#include "report/format.h"
#include "report/view.h"

static const struct {
	unsigned int percent;
	const char *title, *key;
} percents[] = {
	{ 50, "50%", "p50" },
	{ 90, "90%", "p90" },
	{ 99, "99%", "p99" },
	{ 100, "all", "max" },
};

#define NR_PERCENTS	(sizeof(percents) / sizeof(*percents))

/**
 * struct percentiles - sizes of a namespace
 * @allocs: allocations whose size is known
 * @bytes: that so many of them are no larger than, by @percents
 */
struct percentiles {
	uint64_t allocs;
	uint64_t bytes[NR_PERCENTS];
};

static uint64_t given(const struct kind *kind)
{
	return class_size(kind->class);
}

/* Bytes asked for, as many as may be; 0: not known. */
static uint64_t requested(const struct kind *kind)
{
	unsigned int step = kind_step(kind);
	uint64_t most = request_step_max(step);

	/* No more than was given, unless that shows that it was. */
	if (step && given(kind) > request_step_max(step - 1) && given(kind) < most)
		return given(kind);
	return most;
}

static int by_key(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* Allocations by size, smallest first; to be table_free()d, and for nothing else. */
static void sort_sizes(const struct report *r, enum space space,
		       uint64_t (*size)(const struct kind *kind), struct table *t)
{
	const struct ledger *l = &r->trace->ledger;
	uint32_t i;

	*t = (struct table) { .ctx = l->ctx };
	for (i = 0; i < l->kinds.nr; i++) {
		const struct kind *kind = kinds_get(&l->kinds, i);
		struct row row;

		if (kind_space(kind) != space || !kind_is_counted(kind) ||
		    !size(kind))
			continue;
		row = books_row(l, i);
		table_add(t, size(kind), &row);
	}
	if (t->nr)
		qsort(t->rows, t->nr, sizeof(*t->rows), by_key);
}

static struct percentiles collect(const struct report *r, enum space space,
				  uint64_t (*size)(const struct kind *kind))
{
	struct percentiles p = { 0 };
	uint64_t smaller = 0;
	struct table t;
	uint32_t i, j = 0;

	sort_sizes(r, space, size, &t);
	for (i = 0; i < t.nr; i++)
		p.allocs += t.rows[i].allocs;
	for (i = 0; i < t.nr; i++) {
		smaller += t.rows[i].allocs;
		for (; j < NR_PERCENTS && smaller &&
		     100 * smaller >= percents[j].percent * p.allocs; j++)
			p.bytes[j] = t.rows[i].key;
	}
	table_free(&t);
	return p;
}

static void print_percentiles(const struct percentiles *p, FILE *out)
{
	size_t i;

	for (i = 0; i < NR_PERCENTS; i++)
		fprintf(out, " %9s", p->allocs ? NUMBER(p->bytes[i]) : "-");
}

void percentiles_text(const struct report *r, FILE *out)
{
	size_t i;

	print_title(r, out, "Percentiles: so many allocations in a hundred are of no more bytes");
	fprintf(out, "  %-7s %11s  %39s  %39s\n         %11s ", "", "",
		"requested", "allocated", "allocations");
	for (i = 0; i < 2 * NR_PERCENTS; i++)
		fprintf(out, "%s %9s", i == NR_PERCENTS ? "  " : "",
			percents[i % NR_PERCENTS].title);
	fputc('\n', out);
	for (i = 0; i < NR_SPACES; i++) {
		struct percentiles req = collect(r, i, requested);
		struct percentiles alloc = collect(r, i, given);

		if (!space_is_used(r, i))
			continue;
		fprintf(out, "  %-7s%11s ", space_infos[i].name,
			NUMBER(r->trace->ledger.stats.totals[i].allocs));
		print_percentiles(&req, out);
		fprintf(out, "  ");
		print_percentiles(&alloc, out);
		fputc('\n', out);
	}
}

static json_object *one_json(const struct percentiles *p)
{
	json_object *obj = json_object_new_object();
	size_t i;

	add_u64(obj, "allocs", p->allocs);
	for (i = 0; p->allocs && i < NR_PERCENTS; i++)
		add_u64(obj, percents[i].key, p->bytes[i]);
	return obj;
}

static json_object *space_json(const struct report *r, enum space space)
{
	struct percentiles req = collect(r, space, requested);
	struct percentiles alloc = collect(r, space, given);
	json_object *obj = json_object_new_object();

	json_object_object_add(obj, "bytes_req", one_json(&req));
	json_object_object_add(obj, "bytes_alloc", one_json(&alloc));
	return obj;
}

json_object *percentiles_json(const struct report *r)
{
	return spaces_json(json_object_new_object(), r, space_json);
}
