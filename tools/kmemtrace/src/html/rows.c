// SPDX-License-Identifier: GPL-2.0
/*
 * rows.c - rows by place, cache or mobility, size and age
 */
#include "config.h"

#include "common/memory.h"
#include "common/number.h"
#include "html/rows.h"
#include "report/view.h"

/* ---- places ---- */

static struct place place_of(const struct kmemtrace_kind *kind)
{
	return (struct place) {
		.site = kind->call_site,
		.path = kind->path,
		.task = kind->task,
		.cgroup = kind->cgroup,
	};
}

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return compare_u64(x->site, y->site) ?: compare_u64(x->path, y->path) ?:
	       compare_u64(x->task, y->task) ?: compare_u64(x->cgroup, y->cgroup);
}

static int add_place(void *arg, const struct kmemtrace_kind *kind)
{
	struct rows *rows = arg;

	if (kind->is_free || kind->is_hidden)
		return 0;
	rows->places = must_grow_list(rows->places, rows->nr_places, sizeof(*rows->places));
	rows->places[rows->nr_places++] = place_of(kind);
	return 0;
}

/* List the places of all kinds, each once. */
static void list_places(struct rows *rows)
{
	size_t i, nr = 0;

	must_succeed(kmemtrace_each_kind(rows->r->trace, add_place, rows));
	if (rows->nr_places)
		qsort(rows->places, rows->nr_places, sizeof(*rows->places), compare_places);
	for (i = 0; i < rows->nr_places; i++)
		if (!nr || compare_places(&rows->places[nr - 1], &rows->places[i]))
			rows->places[nr++] = rows->places[i];
	rows->nr_places = nr;
}

static uint32_t find_place(const struct rows *rows, const struct kmemtrace_kind *kind)
{
	const struct place place = place_of(kind), *found;

	found = bsearch(&place, rows->places, rows->nr_places, sizeof(place), compare_places);
	return found - rows->places;
}

/* ---- rows ---- */

static struct page_row row_of_page(const struct rows *rows, const struct kmemtrace_kind *kind)
{
	return (struct page_row) {
		.space = kind->space,
		.place = find_place(rows, kind),
		.cache = kind->space == KMEMTRACE_SPACE_PAGES ? (uint32_t)kind->mobility :
								kind->cache,
		.bytes = kind->bytes_alloc,
		.is_older = kind->is_older,
		.peak_bytes = kind->peak_bytes,
	};
}

static int compare_page_rows(const void *a, const void *b)
{
	const struct page_row *x = a, *y = b;

	return x->space - y->space ?: compare_u64(x->place, y->place) ?:
	       x->is_older - y->is_older ?: compare_u64(x->cache, y->cache) ?:
	       compare_u64(x->bytes, y->bytes);
}

static int add_page_row(void *arg, const struct kmemtrace_kind *kind)
{
	struct rows *rows = arg;

	rows->nr_kinds++;
	if (kind->is_free || kind->is_hidden)
		return 0;
	rows->list = must_grow_list(rows->list, rows->nr, sizeof(*rows->list));
	rows->list[rows->nr++] = row_of_page(rows, kind);
	return 0;
}

/* List the rows of all kinds, each once. */
static void list_page_rows(struct rows *rows)
{
	size_t i, nr = 0;

	must_succeed(kmemtrace_each_kind(rows->r->trace, add_page_row, rows));
	if (rows->nr)
		qsort(rows->list, rows->nr, sizeof(*rows->list), compare_page_rows);
	for (i = 0; i < rows->nr; i++) {
		if (nr && !compare_page_rows(&rows->list[nr - 1], &rows->list[i]))
			rows->list[nr - 1].peak_bytes += rows->list[i].peak_bytes;
		else
			rows->list[nr++] = rows->list[i];
	}
	rows->nr = nr;
}

static int find_page_row(void *arg, const struct kmemtrace_kind *kind)
{
	struct rows *rows = arg;
	const struct page_row *found = NULL;
	struct page_row row;

	if (!kind->is_free && !kind->is_hidden) {
		row = row_of_page(rows, kind);
		found = bsearch(&row, rows->list, rows->nr, sizeof(row), compare_page_rows);
	}
	rows->of_kind[rows->nr_kinds++] = found ? (uint32_t)(found - rows->list) : NO_ROW;
	return 0;
}

/* Make the rows of a report. Call rows_free() at the end. */
void rows_make(struct rows *rows, const struct report *r)
{
	*rows = (struct rows) { .r = r };
	list_places(rows);
	list_page_rows(rows);
	rows->of_kind = must_calloc(rows->nr_kinds + 1, sizeof(*rows->of_kind));
	rows->nr_kinds = 0;
	must_succeed(kmemtrace_each_kind(r->trace, find_page_row, rows));
}

/* Free what rows_make() allocated. */
void rows_free(struct rows *rows)
{
	free(rows->list);
	free(rows->of_kind);
	free(rows->places);
}
