// SPDX-License-Identifier: GPL-2.0
/*
 * Table: memory by call site, by the step of time of its allocation and that of its end.
 *
 * These are the cells of the library, added up by call site. The figures of any part of the
 * trace that begins and ends with a step are sums of them. Their number depends on call sites
 * and steps, not on events.
 */
#include "config.h"

#include <stdlib.h>

#include "common/memory.h"
#include "export/table.h"

enum {
	ALLOCATOR = NR_COMMON, SITE, BORN, DIED, STEP, OBJECTS, BYTES,
};

static const struct parquet_column columns[] = {
	COMMON_COLUMNS,
	[ALLOCATOR] = { "allocator", PARQUET_TEXT, false },
	[SITE] = { "site", PARQUET_TEXT, false },
	[BORN] = { "born_ns", PARQUET_NUMBER, true },
	[DIED] = { "died_ns", PARQUET_NUMBER, true },
	[STEP] = { "step_ns", PARQUET_NUMBER, false },
	[OBJECTS] = { "objects", PARQUET_NUMBER, false },
	[BYTES] = { "bytes", PARQUET_NUMBER, false },
	{ NULL }
};

/**
 * struct site_cell - a cell of a call site
 * @site: the call site
 * @space: the allocator
 * @born: step of the allocations; KMEMTRACE_NEVER: they are older than the trace
 * @died: step in which the memory ended; KMEMTRACE_NEVER: it is live at the end
 * @nr: objects, or single pages
 * @bytes: their bytes
 */
struct site_cell {
	uint64_t site;
	uint8_t space, born, died;
	uint64_t nr, bytes;
};

/**
 * struct site_cells - all of them
 * @kinds: the kinds of the trace; only what a cell needs is set
 * @nr_kinds: entries of @kinds
 * @list: the cells
 * @nr: entries of @list
 */
struct site_cells {
	struct site_cell *kinds;
	size_t nr_kinds;
	struct site_cell *list;
	size_t nr;
};

static int add_kind(void *cells, const struct kmemtrace_kind *kind)
{
	struct site_cells *c = cells;

	c->kinds = must_grow_list(c->kinds, c->nr_kinds, sizeof(*c->kinds));
	c->kinds[c->nr_kinds++] = (struct site_cell) {
		.site = kind->call_site,
		.space = kind->space,
		.born = kind->is_older ? KMEMTRACE_NEVER : 0,
	};
	return 0;
}

static int add_cell(void *cells, const struct kmemtrace_cell *cell)
{
	struct site_cells *c = cells;
	struct site_cell *last;

	if (!cell->nr)
		return 0;
	c->list = must_grow_list(c->list, c->nr, sizeof(*c->list));
	last = &c->list[c->nr++];
	*last = c->kinds[cell->kind];
	if (last->born != KMEMTRACE_NEVER)
		last->born = cell->born;
	last->died = cell->ended;
	last->nr = cell->nr;
	last->bytes = cell->bytes_alloc;
	return 0;
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_site(const void *a, const void *b)
{
	const struct site_cell *x = a, *y = b;

	if (x->space != y->space)
		return compare(x->space, y->space);
	if (x->site != y->site)
		return compare(x->site, y->site);
	return x->born != y->born ? compare(x->born, y->born) : compare(x->died, y->died);
}

/* Make one of the cells that differ in their kinds only. */
static void merge(struct site_cells *c)
{
	size_t i, nr = 0;

	if (c->nr)
		qsort(c->list, c->nr, sizeof(*c->list), by_site);
	for (i = 0; i < c->nr; i++) {
		if (nr && !by_site(&c->list[nr - 1], &c->list[i])) {
			c->list[nr - 1].nr += c->list[i].nr;
			c->list[nr - 1].bytes += c->list[i].bytes;
		} else {
			c->list[nr++] = c->list[i];
		}
	}
	c->nr = nr;
}

static int add_row(struct table_file *t, const struct site_cell *cell)
{
	const struct kmemtrace_cells *steps = kmemtrace_get_cells(t->e->r.trace);
	struct parquet *file = t->file;

	table_begin_row(t);
	parquet_text(file, ALLOCATOR, cell->space);
	parquet_text(file, SITE, cell->site);
	if (cell->born != KMEMTRACE_NEVER)
		parquet_number(file, BORN, steps->begin + cell->born * steps->step_ns);
	if (cell->died != KMEMTRACE_NEVER)
		parquet_number(file, DIED, steps->begin + cell->died * steps->step_ns);
	parquet_number(file, STEP, steps->step_ns);
	parquet_number(file, OBJECTS, cell->nr);
	parquet_number(file, BYTES, cell->bytes);
	return parquet_end_row(file);
}

static int add_cells(struct table_file *t)
{
	struct site_cells c = { .nr = 0 };
	size_t i;
	int ret;

	ret = kmemtrace_each_kind(t->e->r.trace, add_kind, &c);
	if (!ret)
		ret = kmemtrace_each_cell(t->e->r.trace, add_cell, &c);
	merge(&c);
	for (i = 0; !ret && i < c.nr; i++)
		ret = add_row(t, &c.list[i]);
	free(c.kinds);
	free(c.list);
	return ret;
}

static char *text(const struct table_file *t, size_t column, uint64_t key)
{
	return column == ALLOCATOR ? text_of_space(key) : text_of_site(t, key);
}

const struct table_info table_cells = {
	.name = "cells",
	.columns = columns,
	.has_cells = true,
	.text = text,
	.end = add_cells,
};
