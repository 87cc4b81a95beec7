// SPDX-License-Identifier: GPL-2.0
/*
 * rows.c - rows by place, cache or mobility, size and age
 */
#include "config.h"

#include "common/memory.h"
#include "common/number.h"
#include "html/rows.h"
#include "report/view.h"

static enum kmemtrace_mobility mobility_of(const struct report *r,
					   const struct kmemtrace_kind *kind)
{
	return kind->gfp_flags == KMEMTRACE_UNKNOWN_GFP ? KMEMTRACE_MOBILITY_UNKNOWN :
	       kmemtrace_gfp_mobility(r->trace, kind->gfp_flags);
}

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

static uint64_t find_place(const struct rows *rows, const struct kmemtrace_kind *kind)
{
	const struct place place = place_of(kind), *found;

	found = bsearch(&place, rows->places, rows->nr_places, sizeof(place), compare_places);
	return found - rows->places;
}

/* ---- rows ---- */

static bool keys_of(void *arg, const struct kmemtrace_kind *kind, uint64_t keys[2])
{
	const struct rows *rows = arg;
	uint64_t group = kind->space == KMEMTRACE_SPACE_PAGES ? mobility_of(rows->r, kind) :
			 kind->cache;

	keys[0] = find_place(rows, kind);
	keys[1] = (uint64_t)kind->is_older << 63 | (group & 0x7fffff) << 40 |
		  kind->bytes_alloc;
	return true;
}

/* Return the row with these keys, counted over all allocators, or NO_ROW. */
static uint32_t find(const struct rows *rows, int space, const uint64_t keys[2])
{
	size_t first = 0, end = rows->nr[space], before = 0;
	int i;

	for (i = 0; i < space; i++)
		before += rows->nr[i];
	while (first < end) {
		size_t middle = first + (end - first) / 2;
		const struct kmemtrace_row *row = kmemtrace_rows_get(rows->of[space], middle);

		if (row->key == keys[0] && row->second_key == keys[1])
			return before + middle;
		if (row->key < keys[0] ||
		    (row->key == keys[0] && row->second_key < keys[1]))
			first = middle + 1;
		else
			end = middle;
	}
	return NO_ROW;
}

static int add_kind(void *arg, const struct kmemtrace_kind *kind)
{
	struct rows *rows = arg;
	uint64_t keys[2];

	rows->of_kind = must_grow_list(rows->of_kind, rows->nr_kinds, sizeof(*rows->of_kind));
	rows->of_kind[rows->nr_kinds] = NO_ROW;
	if (!kind->is_free && !kind->is_hidden && keys_of(rows, kind, keys))
		rows->of_kind[rows->nr_kinds] = find(rows, kind->space, keys);
	rows->nr_kinds++;
	return 0;
}

/* Make the rows of a report. Call rows_free() at the end. */
void rows_make(struct rows *rows, const struct report *r)
{
	const struct kmemtrace_grouping grouping = {
		.size = sizeof(grouping), .keys = keys_of, .arg = rows,
	};
	int i;

	*rows = (struct rows) { .r = r };
	list_places(rows);
	for (i = 0; i < NR_SPACES; i++) {
		rows_group(&rows->of[i], r, i, &grouping, KMEMTRACE_KEYS);
		rows->nr[i] = rows_count(rows->of[i]);
	}
	must_succeed(kmemtrace_each_kind(r->trace, add_kind, rows));
}

/* Free what rows_make() allocated. */
void rows_free(struct rows *rows)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		kmemtrace_rows_close(rows->of[i]);
	free(rows->of_kind);
	free(rows->places);
}
