// SPDX-License-Identifier: GPL-2.0
/*
 * Views: call sites and sizes, in an order that the user chose.
 */
#include "config.h"

#include <string.h>

#include "format.h"
#include "memory.h"
#include "view.h"

static uint64_t value_live(const struct row *row)
{
	return row->live_alloc;
}

static uint64_t value_alloc(const struct row *row)
{
	return row->alloc;
}

static uint64_t value_count(const struct row *row)
{
	return row->allocs;
}

static uint64_t value_waste(const struct row *row)
{
	return wasted(row->req, row->alloc);
}

static uint64_t value_remote(const struct row *row)
{
	return row->remote;
}

const struct sort_key sort_keys[] = {
	{ "live", "bytes live at the end", value_live },
	{ "alloc", "bytes allocated", value_alloc },
	{ "count", "allocations", value_count },
	{ "waste", "bytes wasted", value_waste },
	{ "remote", "frees on another CPU", value_remote },
	{ NULL, NULL, NULL }
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

static int by_sort_key(const void *a, const void *b, void *arg)
{
	const struct row *x = *(const struct row * const *)a;
	const struct row *y = *(const struct row * const *)b;
	const struct sort_key *key = arg;
	uint64_t i = key->value(x), j = key->value(y);

	if (i == j) {
		i = x->alloc;
		j = y->alloc;
	}
	if (i != j)
		return i > j ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

/* The rows that allocated or have something; *@nr of them. To be freed. */
const struct row **sorted_rows(const struct table *t,
			       const struct sort_key *key, size_t *nr)
{
	const struct row **rows = must_calloc(t->nr + 1, sizeof(*rows));
	uint32_t i;

	*nr = 0;
	for (i = 0; i < t->nr; i++)
		if (t->rows[i].allocs || t->rows[i].live)
			rows[(*nr)++] = &t->rows[i];
	qsort_r(rows, *nr, sizeof(*rows), by_sort_key, (void *)key);
	return rows;
}

static void print_row(const struct row *row, FILE *out)
{
	fprintf(out, "  %9s %10s %11s %9s %9s %6s %9s",
		BYTES(row->live_alloc), NUMBER(row->live), NUMBER(row->allocs),
		BYTES(row->req), BYTES(row->alloc),
		PERCENT(wasted(row->req, row->alloc), row->alloc),
		NUMBER(row->remote));
}

/* What of a list is shown, and the names of its columns. */
static void print_heading(const struct report *r, enum space space, size_t nr,
			  const char *rows, const char *last, FILE *out)
{
	print_title(r, out, "%s: %zu of %zu %s, by %s", space_infos[space].title,
		    view_limit(r, nr), nr, rows, r->sort->title);
	fprintf(out, " live bytes %10s allocations requested allocated wasted    remote  %s\n",
		space_infos[space].unit, last);
}

static void print_sites(const struct report *r, enum space space, FILE *out)
{
	const struct row **rows;
	size_t i, nr;

	rows = sorted_rows(&r->trace->ledger.stats.sites[space], r->sort, &nr);
	if (nr)
		print_heading(r, space, nr, "call sites", "call site", out);
	for (i = 0; i < view_limit(r, nr); i++) {
		print_row(rows[i], out);
		fprintf(out, "  ");
		print_site(r, rows[i]->key, out);
		fputc('\n', out);
	}
	free(rows);
}

void sites_text(const struct report *r, FILE *out)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		print_sites(r, i, out);
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
	add_u64(obj, "remote_frees", row->remote);
	return obj;
}

static json_object *space_sites(const struct report *r, enum space space)
{
	json_object *list = json_object_new_array();
	const struct row **rows;
	size_t i, nr;

	rows = sorted_rows(&r->trace->ledger.stats.sites[space], r->sort, &nr);
	for (i = 0; i < view_limit(r, nr); i++)
		json_object_array_add(list, row_json(site_json(r, rows[i]->key),
						     rows[i]));
	free(rows);
	return list;
}

json_object *sites_json(const struct report *r)
{
	json_object *obj = json_object_new_object();
	int i;

	for (i = 0; i < NR_SPACES; i++)
		json_object_object_add(obj, space_infos[i].name,
				       space_sites(r, i));
	return obj;
}

/* Of what was there before, the size of a block of pages isn't known. */
static void print_size(const struct row *row, FILE *out)
{
	print_row(row, out);
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
		print_heading(r, space, nr, "sizes", "bytes each", out);
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

static json_object *space_sizes(const struct report *r, enum space space)
{
	json_object *list = json_object_new_array();
	const struct row **rows;
	struct table sizes;
	size_t i, nr;

	stats_by_size(&r->trace->ledger.stats, space, &sizes);
	rows = sorted_rows(&sizes, r->sort, &nr);
	for (i = 0; i < view_limit(r, nr); i++) {
		json_object *size = json_object_new_object();

		add_u64(size, "size", rows[i]->key);
		json_object_array_add(list, row_json(size, rows[i]));
	}
	free(rows);
	table_free(&sizes);
	return list;
}

json_object *sizes_json(const struct report *r)
{
	json_object *obj = json_object_new_object();
	int i;

	for (i = 0; i < NR_SPACES; i++)
		json_object_object_add(obj, space_infos[i].name,
				       space_sizes(r, i));
	return obj;
}
