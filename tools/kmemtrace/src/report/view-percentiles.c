// SPDX-License-Identifier: GPL-2.0
/*
 * View: percentiles of the sizes of allocations.
 */
#include "config.h"

#include "report/format.h"
#include "report/view.h"

static const struct {
	unsigned int percent;
	const char *title;
} percents[] = {
	{ 50, "50%" },
	{ 90, "90%" },
	{ 99, "99%" },
	{ 100, "all" },
};

#define NR_PERCENTS	(sizeof(percents) / sizeof(*percents))

/**
 * struct percentiles - sizes of an allocator
 * @allocs: allocations whose size is known
 * @bytes: by @percents; this percentage of @allocs is no larger
 */
struct percentiles {
	uint64_t allocs;
	uint64_t bytes[NR_PERCENTS];
};

/* Rows are in the order of these keys; a kind whose size is unknown is in none. */
static bool keys_of_allocated(void *arg, const struct kmemtrace_kind *kind,
			      uint64_t keys[2])
{
	(void)arg;
	keys[0] = kind->bytes_alloc;
	return keys[0];
}

/* The most bytes that may have been requested. */
static bool keys_of_requested(void *arg, const struct kmemtrace_kind *kind,
			      uint64_t keys[2])
{
	(void)arg;
	keys[0] = kind->max_req;
	/* No more than was allocated, unless the record is a finding. */
	if (kind->bytes_alloc >= kind->min_req && kind->bytes_alloc < keys[0])
		keys[0] = kind->bytes_alloc;
	return keys[0];
}

static struct percentiles collect(const struct report *r, enum kmemtrace_space space,
				  bool (*keys)(void *arg,
					       const struct kmemtrace_kind *kind,
					       uint64_t keys[2]))
{
	const struct kmemtrace_grouping grouping = {
		.size = sizeof(grouping), .keys = keys,
	};
	struct percentiles p = { 0 };
	const struct kmemtrace_row *row;
	struct kmemtrace_rows *rows;
	uint64_t smaller = 0;
	size_t i, j = 0;

	rows_group(&rows, r, space, &grouping, KMEMTRACE_KEYS);
	for (i = 0; (row = kmemtrace_rows_get(rows, i)); i++)
		p.allocs += row->allocs;
	for (i = 0; (row = kmemtrace_rows_get(rows, i)); i++) {
		smaller += row->allocs;
		for (; j < NR_PERCENTS && smaller &&
		     100 * smaller >= percents[j].percent * p.allocs; j++)
			p.bytes[j] = row->key;
	}
	kmemtrace_rows_close(rows);
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

	print_title(r, out, "Percentiles of the sizes of allocations, in bytes");
	fprintf(out, "  %-7s %11s  %39s  %39s\n         %11s ", "", "",
		"requested", "allocated", "allocations");
	for (i = 0; i < 2 * NR_PERCENTS; i++)
		fprintf(out, "%s %9s", i == NR_PERCENTS ? "  " : "",
			percents[i % NR_PERCENTS].title);
	fputc('\n', out);
	for (i = 0; i < NR_SPACES; i++) {
		struct percentiles req = collect(r, i, keys_of_requested);
		struct percentiles alloc = collect(r, i, keys_of_allocated);

		if (!space_is_used(r, i))
			continue;
		fprintf(out, "  %-7s%11s ", space_infos[i].name,
			NUMBER(kmemtrace_total(r->trace, i)->allocs));
		print_percentiles(&req, out);
		fprintf(out, "  ");
		print_percentiles(&alloc, out);
		fputc('\n', out);
	}
}
