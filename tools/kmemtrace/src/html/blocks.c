// SPDX-License-Identifier: GPL-2.0
/*
 * blocks.c - the page frames at the end of the trace
 */
#include "config.h"

#include "common/memory.h"
#include "html/blocks.h"
#include "report/format.h"
#include "report/table.h"
#include "report/view.h"

/* A page of 2 MB can be made of a pageblock whose pages are all free or can be moved. */
#define PAGEBLOCK	(UINT64_C(2) << 20)
/* On large machines, each block of the map is several pageblocks. */
#define MAX_BLOCKS	4096
/* Owners of each block that are listed. */
#define MAX_OWNERS	3

/* ---- the map of pageblocks ---- */

/**
 * struct map - the walk that makes the map
 * @rows: the rows
 * @bytes: of a block
 * @block: the current block
 * @numbers: blocks that have live pages, while @bytes is being chosen
 * @nr: entries of @numbers
 * @live: pages that are live in the current block, by row
 * @used: rows that have such pages
 * @nr_used: entries of @used
 * @page_size: bytes
 * @is_pinned: by row, whether its pages can't be moved
 * @list: the blocks that were completed
 */
struct map {
	const struct rows *rows;
	uint64_t bytes, block, page_size;
	uint64_t numbers[MAX_BLOCKS + 1];
	size_t nr;
	uint64_t *live;
	uint32_t *used;
	size_t nr_used;
	bool *is_pinned;
	json_object *list;
};

/* Compare rows for a block: those that pin it come first, then those with many pages. */
static int by_block_weight(const void *a, const void *b, void *arg)
{
	const struct map *m = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (m->is_pinned[x] != m->is_pinned[y])
		return m->is_pinned[x] ? -1 : 1;
	if (m->live[x] != m->live[y])
		return m->live[x] > m->live[y] ? -1 : 1;
	return (x > y) - (x < y);
}

static void add_number(json_object *array, uint64_t number)
{
	json_object_array_add(array, json_object_new_uint64(number));
}

/* Add [block, live pages, those that can't be moved, and rows with their pages]. */
static void end_block(struct map *m)
{
	uint64_t live = 0, pinned = 0;
	json_object *block;
	size_t i;

	if (!m->nr_used)
		return;
	qsort_r(m->used, m->nr_used, sizeof(*m->used), by_block_weight, m);
	for (i = 0; i < m->nr_used; i++) {
		live += m->live[m->used[i]];
		pinned += m->is_pinned[m->used[i]] ? m->live[m->used[i]] : 0;
	}
	block = json_object_new_array();
	add_number(block, m->block);
	add_number(block, live);
	add_number(block, pinned);
	for (i = 0; i < m->nr_used && i < MAX_OWNERS; i++) {
		add_number(block, m->used[i]);
		add_number(block, m->live[m->used[i]]);
	}
	json_object_array_add(m->list, block);
	for (i = 0; i < m->nr_used; i++)
		m->live[m->used[i]] = 0;
	m->nr_used = 0;
}

static int add_pages(void *arg, const struct kmemtrace_object *pages)
{
	uint64_t at = pages->ptr, left = pages->bytes_alloc, n;
	struct map *m = arg;
	uint32_t row = m->rows->of_kind[pages->kind];

	for (; row != NO_ROW && left; at += n, left -= n) {
		if (at / m->bytes != m->block)
			end_block(m);
		m->block = at / m->bytes;
		n = m->bytes - at % m->bytes;
		n = n < left ? n : left;
		if (!m->live[row])
			m->used[m->nr_used++] = row;
		m->live[row] += n / m->page_size;
	}
	return 0;
}

/* Make blocks twice as large. */
static void widen_block(struct map *m)
{
	size_t i, nr = 0;

	m->bytes *= 2;
	for (i = 0; i < m->nr; i++)
		if (!nr || m->numbers[nr - 1] != m->numbers[i] / 2)
			m->numbers[nr++] = m->numbers[i] / 2;
	m->nr = nr;
}

/* Make blocks so large that there are few enough of them up to these pages. */
static int fit_pages(void *arg, const struct kmemtrace_object *pages)
{
	uint64_t at = pages->ptr, left = pages->bytes_alloc, n;
	struct map *m = arg;

	for (; m->rows->of_kind[pages->kind] != NO_ROW && left; at += n, left -= n) {
		if (!m->nr || m->numbers[m->nr - 1] != at / m->bytes)
			m->numbers[m->nr++] = at / m->bytes;
		while (m->nr > MAX_BLOCKS)
			widen_block(m);
		n = m->bytes - at % m->bytes;
		n = n < left ? n : left;
	}
	return 0;
}

/* Mark the rows of pages that can't be moved. Returns a list by row. */
static bool *pinned_rows(const struct rows *rows)
{
	bool *is_pinned = must_calloc(rows->nr + 1, sizeof(*is_pinned));
	size_t i;

	for (i = 0; i < rows->nr; i++)
		is_pinned[i] = rows->list[i].space == KMEMTRACE_SPACE_PAGES &&
			       rows->list[i].cache == KMEMTRACE_UNMOVABLE;
	return is_pinned;
}

/**
 * blocks_json - return the map of pageblocks
 * @r: the report
 * @rows: its rows
 *
 * Return: the bytes of a block, and the blocks that have live pages, by address.
 */
json_object *blocks_json(const struct report *r, const struct rows *rows)
{
	struct map m = {
		.rows = rows,
		.bytes = PAGEBLOCK,
		.block = UINT64_MAX,
		.page_size = kmemtrace_get_machine(r->trace)->page_size,
	};
	json_object *obj = json_object_new_object();

	m.is_pinned = pinned_rows(rows);
	m.live = must_calloc(rows->nr + 1, sizeof(*m.live));
	m.used = must_calloc(rows->nr + 1, sizeof(*m.used));
	if (m.bytes < m.page_size)
		m.bytes = m.page_size;
	must_succeed(kmemtrace_each_live(r->trace, KMEMTRACE_SPACE_PAGES, fit_pages, &m));
	m.list = json_object_new_array();
	must_succeed(kmemtrace_each_live(r->trace, KMEMTRACE_SPACE_PAGES, add_pages, &m));
	end_block(&m);
	add_u64(obj, "bytes", m.bytes);
	json_object_object_add(obj, "list", m.list);
	free(m.is_pinned);
	free(m.live);
	free(m.used);
	return obj;
}

/* ---- the slabs of each cache ---- */

/**
 * struct run - pages of allocations of one size
 * @ptr: address of the first
 * @bytes: of all of them
 * @each: bytes of each allocation
 */
struct run {
	uint64_t ptr, bytes, each;
};

/**
 * struct origin - what the slabs need to know of a kind
 * @cache: its cache
 * @bytes: bytes that each allocation got
 */
struct origin {
	uint32_t cache;
	uint64_t bytes;
};

/**
 * struct slabs - the walk that adds up slabs
 * @runs: all live pages, by address
 * @nr_runs: entries of @runs
 * @at: the run of the last object
 * @counted: end of the pages that were counted
 * @origins: by number of the kind
 * @nr_kinds: entries of @origins
 * @bytes: result, by number of the cache
 * @page_size: bytes
 */
struct slabs {
	struct run *runs;
	size_t nr_runs, at;
	uint64_t counted;
	struct origin *origins;
	size_t nr_kinds;
	uint64_t *bytes;
	uint64_t page_size;
};

static int add_block_run(void *arg, const struct kmemtrace_object *pages)
{
	struct slabs *s = arg;
	struct run run = { pages->ptr, pages->bytes_alloc, s->origins[pages->kind].bytes };

	/* What older pages belong to is unknown: each page is a slab. */
	if (!run.each)
		run.each = s->page_size;
	s->runs = must_grow_list(s->runs, s->nr_runs, sizeof(*s->runs));
	s->runs[s->nr_runs++] = run;
	return 0;
}

static int add_kind(void *arg, const struct kmemtrace_kind *kind)
{
	struct slabs *s = arg;

	s->origins = must_grow_list(s->origins, s->nr_kinds, sizeof(*s->origins));
	s->origins[s->nr_kinds++] = kind->is_free ? (struct origin) { .bytes = 0 } :
		(struct origin) { kind->cache, kind->bytes_alloc };
	return 0;
}

/*
 * Return the pages of an object's allocation, and all pages of the object. Pages are aligned to
 * the size of their allocation.
 */
static struct run slab_of(struct slabs *s, const struct kmemtrace_object *object)
{
	uint64_t each = s->page_size, end;
	struct run slab = { .each = 0 };

	while (s->at + 1 < s->nr_runs && s->runs[s->at + 1].ptr <= object->ptr)
		s->at++;
	if (s->nr_runs && object->ptr - s->runs[s->at].ptr < s->runs[s->at].bytes)
		each = s->runs[s->at].each;
	slab.ptr = object->ptr / each * each;
	end = object->ptr + object->bytes_alloc;
	slab.bytes = (end - slab.ptr + each - 1) / each * each;
	return slab;
}

/* Count the slab of an object, but for pages that were counted for the objects before. */
static int add_object(void *arg, const struct kmemtrace_object *object)
{
	struct slabs *s = arg;
	const struct run slab = slab_of(s, object);
	uint64_t end = slab.ptr + slab.bytes;
	uint64_t begin = slab.ptr > s->counted ? slab.ptr : s->counted;

	/* The objects of a sample are in a part of the slabs only. */
	if (object->weight == 1 && begin < end) {
		s->bytes[s->origins[object->kind].cache] += end - begin;
		s->counted = end;
	}
	return 0;
}

/**
 * slabs_json - return the bytes of the slabs that have a live object
 * @r: the report
 *
 * A slab is the pages of one allocation. Of pages that are older than the trace, each is one.
 *
 * Return: bytes by number of the cache; 0 also for a cache of whose objects there is a sample.
 */
json_object *slabs_json(const struct report *r)
{
	struct slabs s = { .page_size = kmemtrace_get_machine(r->trace)->page_size };
	json_object *list = json_object_new_array();
	const uint64_t caches = trace_figure(r, "caches");
	size_t i;

	s.bytes = must_calloc(caches + 1, sizeof(*s.bytes));
	must_succeed(kmemtrace_each_kind(r->trace, add_kind, &s));
	must_succeed(kmemtrace_each_live(r->trace, KMEMTRACE_SPACE_PAGES, add_block_run, &s));
	must_succeed(kmemtrace_each_live(r->trace, KMEMTRACE_SPACE_SLAB, add_object, &s));
	for (i = 0; caches && i <= caches; i++)
		json_object_array_add(list, json_object_new_uint64(s.bytes[i]));
	free(s.bytes);
	free(s.runs);
	free(s.origins);
	return list;
}
