// SPDX-License-Identifier: GPL-2.0
/*
 * data.c - the cells of a trace by row, and what the page shows beside them
 */
#include "config.h"

#include <inttypes.h>

#include "common/memory.h"
#include "html/blocks.h"
#include "html/columns.h"
#include "html/data.h"
#include "html/rows.h"
#include "html/who.h"
#include "report/document.h"
#include "report/format.h"
#include "report/relations.h"
#include "report/view.h"
#include "report/views.h"

/* Rows of each list of the text report that the page takes over; suspects have long names. */
#define LIST_ROWS	1000
#define SUSPECT_ROWS	50

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

static void print_page_cells(const struct report *r, const struct rows *rows, FILE *out)
{
	const struct kmemtrace_cells *cells = kmemtrace_get_cells(r->trace);
	struct packing p = { .rows = rows };
	char *text;

	must_succeed(kmemtrace_each_cell(r->trace, add_cell, &p));
	text = columns_text(p.columns, NR_COLUMNS);
	print_member_name("cells", out);
	fprintf(out, "{\"step_ns\":%" PRIu64 ",\"nr_steps\":%zu,\"nr\":%" PRIu64
		",\"columns\":\"%s\"}", cells->step_ns, cells->nr_steps, p.nr, text);
	free(text);
}

/*
 * Print the rows by allocator: for each its place, cache or mobility, size, whether it is older
 * than the trace, and what it had at the peak.
 */
static void write_page_rows(const struct rows *rows, FILE *out)
{
	const struct page_row *row = rows->list, *end = row + rows->nr;
	const char *separator;
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		fprintf(out, "%c\"%s\":[", i ? ',' : '{', space_infos[i].name);
		for (separator = ""; row < end && row->space == i; row++, separator = ",")
			fprintf(out, "%s\n[%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%d,%" PRIu64 "]",
				separator, row->place, row->cache, row->bytes, row->is_older,
				row->peak_bytes);
		putc(']', out);
	}
	putc('}', out);
}

/* Return what the library says of the columns of relations, by name. */
static json_object *columns_json(void)
{
	static const char * const relations[] = { "sites", "failures", "findings", "suspects" };
	json_object *obj = json_object_new_object(), *columns, *one;
	const struct kmemtrace_column *column;
	size_t i, j;

	for (i = 0; i < sizeof(relations) / sizeof(*relations); i++) {
		columns = json_object_new_object();
		for (j = 0; (column = kmemtrace_get_relation_column(relations[i], j)); j++) {
			one = schema_of_column(column);
			add_str(one, "heading", column->heading);
			json_object_object_add(columns, column->name, one);
		}
		json_object_object_add(obj, relations[i], columns);
	}
	return obj;
}

/* Print members of the JSON of kmemtrace-report. */
static void print_views(const struct report *r, const char *names, size_t limit, FILE *out)
{
	struct report some = *r;

	some.limit = limit;
	some.views = 0;
	must_succeed(views_choose(&some.views, names));
	report_print_members(&some, out);
}

/**
 * data_print - print what the page needs of a trace, as JSON
 * @r: the report on a trace with cells
 * @out: where to
 *
 * An object, with parts of the JSON of kmemtrace-report. Long lists are in memory a row at a time.
 */
void data_print(const struct report *r, FILE *out)
{
	struct rows rows;

	document_begin(out);
	print_views(r, "trace,totals,timeline,phases,failed,findings", LIST_ROWS, out);
	print_views(r, "suspects", SUSPECT_ROWS, out);
	rows_make(&rows, r);
	print_member("columns", columns_json(), out);
	print_who(r, &rows, out);
	print_by_number(r, "caches", "cache", "cache,merged,object_size,slot_size", out);
	print_member_name("rows", out);
	write_page_rows(&rows, out);
	print_page_cells(r, &rows, out);
	print_member("blocks", blocks_json(r, &rows), out);
	print_member("slabs", slabs_json(r), out);
	print_member("phase_titles", phase_titles_json(), out);
	rows_free(&rows);
	document_end(out);
}
