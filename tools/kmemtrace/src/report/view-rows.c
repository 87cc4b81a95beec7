// SPDX-License-Identifier: GPL-2.0
/*
 * Views: call sites, grouped or not, and sizes; and how all views handle rows.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <string.h>

#include "common/memory.h"
#include "report/format.h"
#include "report/list.h"
#include "report/view.h"

const struct sort_key sort_keys[] = {
	{ "live", "bytes live at the end", "live bytes", format_bytes, KMEMTRACE_LIVE },
	{ "peak", "bytes live at the peak", "peak", format_bytes, KMEMTRACE_PEAK },
	{ "alloc", "bytes allocated", "allocated", format_bytes, KMEMTRACE_ALLOC },
	{ "count", "allocations", "allocations", format_number, KMEMTRACE_ALLOCS },
	{ "waste", "bytes wasted", "wasted", format_bytes, KMEMTRACE_WASTE },
	{ "remote", "frees on another CPU", "remote", format_number, KMEMTRACE_REMOTE },
	{ .name = NULL }
};

/* Return the key with a name, or NULL. */
const struct sort_key *sort_key_find(const char *name)
{
	const struct sort_key *key;

	for (key = sort_keys; key->name; key++)
		if (!strcmp(key->name, name))
			return key;
	return NULL;
}

/* ---- rows ---- */

/* End the program if a function of the library failed, which needs no more than memory. */
void must_succeed(int ret)
{
	if (!ret)
		return;
	errno = -ret;
	err(EXIT_UNUSABLE, "cannot add up the trace");
}

/* kmemtrace_group() that ends the program instead of failing. */
void rows_group(struct kmemtrace_rows **rows, const struct report *r,
		enum kmemtrace_space space, const struct kmemtrace_grouping *grouping,
		enum kmemtrace_order order)
{
	must_succeed(kmemtrace_group(r->trace, space, grouping, order, rows));
}

/* Return the rows for one property, in the order of the report. */
struct kmemtrace_rows *rows_by(const struct report *r, enum kmemtrace_space space,
			       enum kmemtrace_key key)
{
	struct kmemtrace_rows *rows;

	must_succeed(kmemtrace_aggregate(r->trace, space, key, r->sort->order, &rows));
	return rows;
}

size_t rows_count(const struct kmemtrace_rows *rows)
{
	size_t nr = 0;

	while (kmemtrace_rows_get(rows, nr))
		nr++;
	return nr;
}

/* Return an array of all rows, to be freed. */
const struct kmemtrace_row **rows_list(const struct kmemtrace_rows *rows, size_t *nr)
{
	const struct kmemtrace_row **list;
	size_t i;

	*nr = rows_count(rows);
	list = must_calloc(*nr + 1, sizeof(*list));
	for (i = 0; i < *nr; i++)
		list[i] = kmemtrace_rows_get(rows, i);
	return list;
}

/* Print the counters, without the group. */
void row_text(const struct kmemtrace_row *row, FILE *out)
{
	fprintf(out, "  %9s %10s %11s %9s %9s %6s %9s",
		BYTES(row->live_bytes_alloc), NUMBER(row->live), NUMBER(row->allocs),
		BYTES(row->bytes_req), BYTES(row->bytes_alloc),
		PERCENT(wasted(row->bytes_req, row->bytes_alloc), row->bytes_alloc),
		NUMBER(row->remote_frees));
}

/* Print the value of the chosen order, also as a share of all. */
void brief_text(const struct report *r, const struct kmemtrace_row *row,
		const struct kmemtrace_row *sum, FILE *out)
{
	const struct sort_key *key = r->sort;

	fprintf(out, "%11s %6s",
		key->format((char[FORMAT_LEN]) { 0 }, sort_value(key, row)),
		PERCENT(sort_value(key, row), sort_value(key, sum)));
}

/* Print the title of a list and the names of its columns. */
void rows_heading(const struct report *r, enum kmemtrace_space space, size_t nr,
		  const char *rows, const char *last, FILE *out)
{
	print_title(r, out, "%s: %zu of %zu %s%s, by %s",
		    space_infos[space].title, view_limit(r, nr), nr, rows,
		    which(r), r->sort->title);
	fprintf(out, " live bytes %10s allocations requested allocated wasted    remote  %s\n",
		space_infos[space].unit, last);
}

/* Add the counters of @row to @obj, and return @obj. */
json_object *row_json(json_object *obj, const struct kmemtrace_row *row)
{
	add_u64(obj, "allocs", row->allocs);
	add_u64(obj, "bytes_req", row->bytes_req);
	add_u64(obj, "bytes_alloc", row->bytes_alloc);
	add_u64(obj, "frees", row->frees);
	add_u64(obj, "live", row->live);
	add_u64(obj, "live_bytes_req", row->live_bytes_req);
	add_u64(obj, "live_bytes_alloc", row->live_bytes_alloc);
	add_u64(obj, "peak_bytes_alloc", row->peak_bytes_alloc);
	add_u64(obj, "remote_frees", row->remote_frees);
	return obj;
}

/* Return the first rows as an array; @key_json describes the key of each. Frees @rows. */
json_object *rows_json(const struct report *r, struct kmemtrace_rows *rows,
		       json_object *(*key_json)(const struct report *r,
						uint64_t key))
{
	json_object *list = json_object_new_array();
	const struct kmemtrace_row *row;
	size_t i;

	for (i = 0; i < r->limit && (row = kmemtrace_rows_get(rows, i)); i++)
		json_object_array_add(list, row_json(key_json(r, row->key), row));
	kmemtrace_rows_close(rows);
	return list;
}

/* Add a time to @obj. */
void add_time(json_object *obj, const char *key, const struct report *r, int64_t time)
{
	(void)r;
	json_object_object_add(obj, key, json_object_new_int64(time));
}

/* ---- call sites ---- */

static void print_counters(const struct list *list, const struct kmemtrace_row *row,
			   bool first, FILE *out)
{
	(void)list;
	(void)first;
	row_text(row, out);
}

/* Print a list. Return how many groups there are, shown or not. */
static size_t print_sites(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct list list;
	size_t nr;

	list_collect(&list, r, space, r->sort);
	nr = list.g.nr;
	if (nr)
		rows_heading(r, space, nr, list.g.key->rows, list.g.key->column,
			     out);
	list_text(&list, print_counters, out);
	list_free(&list);
	return nr;
}

void sites_text(const struct report *r, FILE *out)
{
	size_t nr = 0;
	int i;

	for (i = 0; i < NR_SPACES; i++)
		nr += print_sites(r, i, out);
	if (!nr)
		print_title(r, out, "Call sites: none%s", which(r));
}

/* Call sites of an allocator in the overview. */
#define BRIEF_SITES	4

static void print_brief_counters(const struct list *list, const struct kmemtrace_row *row,
				 bool first, FILE *out)
{
	fprintf(out, "  %-8s", first ? space_infos[list->space].name : "");
	brief_text(list->r, row, kmemtrace_total(list->r->trace, list->space), out);
	fprintf(out, " %11s", NUMBER(row->allocs));
}

/* Print the first groups, but those whose value is 0. Return how many. */
static size_t print_brief_sites(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct list list;
	size_t shown;

	list_collect(&list, r, space, r->sort);
	list.limit = brief_limit(r, list.g.nr, brief_rows(space, BRIEF_SITES));
	list_end(&list, r->sort);
	shown = list.limit;
	list_text(&list, print_brief_counters, out);
	list_free(&list);
	return shown;
}

void sites_brief(const struct report *r, FILE *out)
{
	size_t shown = 0;
	int i;

	print_title(r, out, "Sites     %11s  share allocations  %s%s",
		    r->sort->column, r->group->rows, which(r));
	for (i = 0; i < NR_SPACES; i++)
		shown += print_brief_sites(r, i, out);
	if (!shown)
		fprintf(out, "  none%s\n", which(r));
}

static json_object *space_sites(const struct report *r, enum kmemtrace_space space)
{
	json_object *array;
	struct list list;

	list_collect(&list, r, space, r->sort);
	array = list_json(&list, row_json);
	list_free(&list);
	return array;
}

json_object *sites_json(const struct report *r)
{
	return spaces_json(json_object_new_object(), r, space_sites);
}

/* ---- sizes ---- */

/* The size of a block of pages is unknown if it is older than the trace. */
static void print_size(const struct kmemtrace_row *row, FILE *out)
{
	row_text(row, out);
	fprintf(out, "  %s\n", row->key ? NUMBER(row->key) : "unknown");
}

static void print_sizes(const struct report *r, enum kmemtrace_space space, FILE *out)
{
	struct kmemtrace_rows *rows = rows_by(r, space, KMEMTRACE_BY_SIZE);
	size_t i, nr = rows_count(rows);

	if (nr)
		rows_heading(r, space, nr, "sizes", "bytes each", out);
	for (i = 0; i < view_limit(r, nr); i++)
		print_size(kmemtrace_rows_get(rows, i), out);
	kmemtrace_rows_close(rows);
}

void sizes_text(const struct report *r, FILE *out)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		print_sizes(r, i, out);
}

static json_object *size_json(const struct report *r, uint64_t size)
{
	json_object *obj = json_object_new_object();

	(void)r;
	add_u64(obj, "size", size);
	return obj;
}

static json_object *space_sizes(const struct report *r, enum kmemtrace_space space)
{
	return rows_json(r, rows_by(r, space, KMEMTRACE_BY_SIZE), size_json);
}

json_object *sizes_json(const struct report *r)
{
	return spaces_json(json_object_new_object(), r, space_sizes);
}
