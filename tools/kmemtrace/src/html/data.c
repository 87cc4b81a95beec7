// SPDX-License-Identifier: GPL-2.0
/*
 * data.c - the cells of a trace by row, and what the page shows beside them
 */
#include "config.h"

#include <string.h>

#include "common/memory.h"
#include "html/blocks.h"
#include "html/columns.h"
#include "html/data.h"
#include "html/rows.h"
#include "html/who.h"
#include "report/format.h"
#include "report/view.h"
#include "report/views.h"

/* Rows of each list of the text report that the page takes over. */
#define LIST_ROWS	1000

enum column {
	ROW, BORN, ENDED, NR, WASTE, CALLS,
	NR_COLUMNS
};

/**
 * struct packing - the cells as columns
 * @rows: the rows
 * @columns: neighbours in a column are alike, or mostly 0: the compression makes use of it
 * @row: of the last cell
 * @nr: how many cells
 */
struct packing {
	const struct rows *rows;
	struct columns columns[NR_COLUMNS];
	uint32_t row;
	uint64_t nr;
};

static int add_cell(void *arg, const struct kmemtrace_cell *cell)
{
	struct packing *p = arg;
	uint32_t row = p->rows->of_kind[cell->kind];

	if (row == NO_ROW)
		return 0;
	columns_add_signed(&p->columns[ROW], (int64_t)row - p->row);
	columns_add(&p->columns[BORN], cell->born);
	columns_add(&p->columns[ENDED], cell->ended);
	columns_add_signed(&p->columns[NR], cell->nr);
	columns_add_signed(&p->columns[WASTE], cell->bytes_alloc - cell->bytes_req);
	columns_add_signed(&p->columns[CALLS], cell->calls - cell->nr);
	p->row = row;
	p->nr++;
	return 0;
}

static json_object *cells_json(const struct report *r, const struct rows *rows)
{
	const struct kmemtrace_cells *cells = kmemtrace_get_cells(r->trace);
	struct packing p = { .rows = rows };
	json_object *obj = json_object_new_object();
	char *text;

	must_succeed(kmemtrace_each_cell(r->trace, add_cell, &p));
	text = columns_text(p.columns, NR_COLUMNS);
	add_u64(obj, "step_ns", cells->step_ns);
	add_u64(obj, "nr_steps", cells->nr_steps);
	add_u64(obj, "nr", p.nr);
	json_object_object_add(obj, "columns",
			       json_object_new_string_len(text, strlen(text)));
	free(text);
	return obj;
}

static void add_number(json_object *list, uint64_t number)
{
	json_object_array_add(list, json_object_new_uint64(number));
}

/* Return the rows of an allocator: for each, numbers. Add its call sites to @sites. */
static json_object *space_rows_json(const struct report *r, const struct rows *rows, int space,
				    json_object *sites)
{
	json_object *list = json_object_new_array(), *numbers;
	uint64_t site = KMEMTRACE_NO_SITE;
	size_t i;

	for (i = 0; i < rows->nr[space]; i++) {
		const struct kmemtrace_row *row = kmemtrace_rows_get(rows->of[space], i);
		const uint64_t of_row = row_place(rows, row)->site;

		if (of_row != site)
			json_object_array_add(sites, site_json(r, of_row));
		site = of_row;
		numbers = json_object_new_array();
		add_number(numbers, json_object_array_length(sites) - 1);
		add_number(numbers, row_cache(row));
		add_number(numbers, row_size(row));
		add_number(numbers, row_is_older(row));
		add_number(numbers, row->peak_bytes_alloc);
		if (kmemtrace_get_with(r->trace))
			add_number(numbers, row->key);
		json_object_array_add(list, numbers);
	}
	return list;
}

static void add_rows(json_object *obj, const struct report *r, const struct rows *rows)
{
	json_object *sites = json_object_new_array(), *of = json_object_new_object();
	int i;

	for (i = 0; i < NR_SPACES; i++)
		json_object_object_add(of, space_infos[i].name,
				       space_rows_json(r, rows, i, sites));
	json_object_object_add(obj, "sites", sites);
	json_object_object_add(obj, "rows", of);
	if (kmemtrace_get_with(r->trace))
		json_object_object_add(obj, "who", who_json(r, rows));
}

/* Return the exact peak of an allocator, which is between two steps. */
static json_object *peak_of_space_json(const struct report *r, enum kmemtrace_space space)
{
	json_object *obj = json_object_new_object();
	uint64_t bytes = kmemtrace_total(r->trace, space)->peak_bytes_alloc;

	add_u64(obj, "bytes", bytes);
	if (bytes)
		add_time(obj, "time_ns", r, kmemtrace_get_space(r->trace, space)->peak_time);
	return obj;
}

/* Return the caches by number. */
static json_object *caches_list_json(const struct report *r)
{
	json_object *list = json_object_new_array();
	const struct kmemtrace_slab_cache *cache;
	size_t i, j;

	for (i = 0; (cache = kmemtrace_get_cache(r->trace, i)); i++) {
		json_object *obj = json_object_new_object();
		json_object *merged = json_object_new_array();

		add_str(obj, "name", cache->name);
		for (j = 0; j < cache->nr_aliases; j++)
			json_object_array_add(merged, text_json(cache->aliases[j]));
		json_object_object_add(obj, "merged", merged);
		add_u64(obj, "object_size", cache->object_size);
		add_u64(obj, "size", cache->slot_size);
		json_object_object_add(obj, "is_destroyed",
				       json_object_new_boolean(cache->is_destroyed));
		json_object_array_add(list, obj);
	}
	return list;
}

/* Let the page say that the trace was still being recorded. */
static void add_state(json_object *trace, const struct report *r)
{
	const struct kmemtrace_live *live = kmemtrace_get_live(r->trace);

	if (live && !live->is_over)
		json_object_object_add(trace, "running", json_object_new_boolean(true));
}

/**
 * data_json - return what the page needs of a trace
 * @r: the report on a trace with cells
 *
 * Return: an object, with parts of the JSON of kmemtrace-report.
 */
json_object *data_json(const struct report *r)
{
	struct report all = *r;
	json_object *obj;
	struct rows rows;

	all.limit = LIST_ROWS;
	all.views = 0;
	must_succeed(views_choose(&all.views, "trace,totals,baseline,timeline,phases,failed,findings"));
	obj = report_json(&all);
	add_state(json_object_object_get(obj, "trace"), r);
	rows_make(&rows, r);
	add_rows(obj, r, &rows);
	json_object_object_add(obj, "peaks", spaces_json(json_object_new_object(), r,
							 peak_of_space_json));
	json_object_object_add(obj, "slab_caches", caches_list_json(r));
	json_object_object_add(obj, "cells", cells_json(r, &rows));
	json_object_object_add(obj, "blocks", blocks_json(r, &rows));
	json_object_object_add(obj, "slabs", slabs_json(r));
	json_object_object_add(obj, "phase_titles", phase_titles_json());
	json_object_object_add(obj, "finding_texts", finding_texts_json(r));
	rows_free(&rows);
	return obj;
}
