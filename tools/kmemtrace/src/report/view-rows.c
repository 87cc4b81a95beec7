// SPDX-License-Identifier: GPL-2.0
/*
 * Views: call sites, grouped or not, and sizes, in an order that the user chose.
 */
#include "config.h"

#include <string.h>

#include "common/memory.h"
#include "report/format.h"
#include "report/list.h"
#include "report/view.h"

const struct sort_key sort_keys[] = {
	{ "live", "bytes live at the end", "live bytes", format_bytes, row_live },
	{ "peak", "bytes live at the peak", "peak", format_bytes, row_peak },
	{ "alloc", "bytes allocated", "allocated", format_bytes, row_alloc },
	{ "count", "allocations", "allocations", format_number, row_count },
	{ "waste", "bytes wasted", "wasted", format_bytes, row_waste },
	{ "remote", "frees on another CPU", "remote", format_number, row_remote },
	{ .name = NULL }
};

/* The key of that name, or NULL. */
const struct sort_key *sort_key_find(const char *name)
{
	const struct sort_key *key;

	for (key = sort_keys; key->name; key++)
		if (!strcmp(key->name, name))
			return key;
	return NULL;
}

/* Larger ones first, as for qsort(). */
int compare_rows(const struct row *x, const struct row *y,
		 const struct sort_key *key)
{
	uint64_t i = key->value(x), j = key->value(y);

	if (i == j) {
		i = x->alloc;
		j = y->alloc;
	}
	if (i != j)
		return i > j ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

static int by_sort_key(const void *a, const void *b, void *key)
{
	return compare_rows(*(const struct row * const *)a,
			    *(const struct row * const *)b, key);
}

/* The rows that count anything, *@nr of them. To be freed. */
const struct row **sorted_rows(const struct table *t,
			       const struct sort_key *key, size_t *nr)
{
	const struct row **rows = must_calloc(t->nr + 1, sizeof(*rows));
	uint32_t i;

	*nr = 0;
	for (i = 0; i < t->nr; i++)
		if (row_is_used(&t->rows[i]))
			rows[(*nr)++] = &t->rows[i];
	qsort_r(rows, *nr, sizeof(*rows), by_sort_key, (void *)key);
	return rows;
}

/* The counters, without what they are of. */
void row_text(const struct row *row, FILE *out)
{
	fprintf(out, "  %9s %10s %11s %9s %9s %6s %9s",
		BYTES(row->live_alloc), NUMBER(row->live), NUMBER(row->allocs),
		BYTES(row->req), BYTES(row->alloc),
		PERCENT(wasted(row->req, row->alloc), row->alloc),
		NUMBER(row->remote));
}

/* The value of the order that was chosen, also as a share of all. */
void brief_text(const struct report *r, const struct row *row,
		const struct row *sum, FILE *out)
{
	const struct sort_key *key = r->sort;

	fprintf(out, "%11s %6s", key->format((char[FORMAT_LEN]) { 0 }, key->value(row)),
		PERCENT(key->value(row), key->value(sum)));
}

/* What of a list is shown, and the names of its columns. */
void rows_heading(const struct report *r, enum space space, size_t nr,
		  const char *rows, const char *last, FILE *out)
{
	print_title(r, out, "%s: %zu of %zu %s%s, by %s",
		    space_infos[space].title, view_limit(r, nr), nr, rows,
		    which(r), r->sort->title);
	fprintf(out, " live bytes %10s allocations requested allocated wasted    remote  %s\n",
		space_infos[space].unit, last);
}

static void print_counters(const struct list *list, const struct row *row,
			   bool first, FILE *out)
{
	(void)list;
	(void)first;
	row_text(row, out);
}

/* Print a list; returns how many there are, shown or not. */
static size_t print_sites(const struct report *r, enum space space, FILE *out)
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

/* So many call sites are in the overview. */
#define BRIEF_SITES	4

static void print_brief_counters(const struct list *list, const struct row *row,
				 bool first, FILE *out)
{
	fprintf(out, "  %-8s", first ? space_infos[list->space].name : "");
	brief_text(list->r, row, &list->g.sum, out);
	fprintf(out, " %11s", NUMBER(row->allocs));
}

/* What there is nothing of, in the order that was chosen, is left out. */
static size_t print_brief_sites(const struct report *r, enum space space, FILE *out)
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

/* Add the counters of @row to @obj, and return that. */
json_object *row_json(json_object *obj, const struct row *row)
{
	add_u64(obj, "allocs", row->allocs);
	add_u64(obj, "bytes_req", row->req);
	add_u64(obj, "bytes_alloc", row->alloc);
	add_u64(obj, "frees", row->frees);
	add_u64(obj, "live", row->live);
	add_u64(obj, "live_bytes_req", row->live_req);
	add_u64(obj, "live_bytes_alloc", row->live_alloc);
	add_u64(obj, "peak_bytes_alloc", row->peak);
	add_u64(obj, "remote_frees", row->remote);
	return obj;
}

static json_object *space_sites(const struct report *r, enum space space)
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

/* Of what was there before, the size of a block of pages isn't known. */
static void print_size(const struct row *row, FILE *out)
{
	row_text(row, out);
	fprintf(out, "  %s\n", row->key ? NUMBER(row->key) : "unknown");
}

static void print_sizes(const struct report *r, enum space space, FILE *out)
{
	const struct row **rows;
	struct table sizes;
	size_t i, nr;

	stats_by_size(&r->trace->ledger.stats, space, &sizes);
	rows = sorted_rows(&sizes, r->sort, &nr);
	if (nr)
		rows_heading(r, space, nr, "sizes", "bytes each", out);
	for (i = 0; i < view_limit(r, nr); i++)
		print_size(rows[i], out);
	free(rows);
	table_free(&sizes);
}

void sizes_text(const struct report *r, FILE *out)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		print_sizes(r, i, out);
}

/* A list of what is shown of a table, each row with what @key_json says of its key. */
json_object *rows_json(const struct report *r, const struct table *t,
		       json_object *(*key_json)(const struct report *r,
						uint64_t key))
{
	json_object *list = json_object_new_array();
	const struct row **rows;
	size_t i, nr;

	rows = sorted_rows(t, r->sort, &nr);
	for (i = 0; i < view_limit(r, nr); i++)
		json_object_array_add(list, row_json(key_json(r, rows[i]->key),
						     rows[i]));
	free(rows);
	return list;
}

static json_object *size_json(const struct report *r, uint64_t size)
{
	json_object *obj = json_object_new_object();

	(void)r;
	add_u64(obj, "size", size);
	return obj;
}

static json_object *space_sizes(const struct report *r, enum space space)
{
	struct table sizes;
	json_object *list;

	stats_by_size(&r->trace->ledger.stats, space, &sizes);
	list = rows_json(r, &sizes, size_json);
	table_free(&sizes);
	return list;
}

json_object *sizes_json(const struct report *r)
{
	return spaces_json(json_object_new_object(), r, space_sizes);
}
