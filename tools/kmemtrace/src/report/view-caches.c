// SPDX-License-Identifier: GPL-2.0
/*
 * View: the slab caches.
 */
#include "config.h"

#include "common/memory.h"
#include "common/text.h"
#include "report/format.h"
#include "report/parts.h"
#include "report/view.h"

/**
 * struct cache_row - a slab cache and its counters
 * @cache: the cache
 * @row: the counters
 */
struct cache_row {
	const struct kmemtrace_slab_cache *cache;
	struct kmemtrace_row row;
};

/**
 * struct cache_rows - slab caches
 * @list: in the order of the report
 * @nr: entries of @list
 * @sum: sum of their counters
 */
struct cache_rows {
	struct cache_row *list;
	size_t nr;
	struct kmemtrace_row sum;
};

static bool key_of_kind(void *arg, const struct kmemtrace_kind *kind, uint64_t keys[2])
{
	(void)arg;
	keys[0] = kind->cache;
	return true;
}

/* List the caches that have counters. */
static void collect(struct cache_rows *c, const struct report *r)
{
	const struct kmemtrace_grouping grouping = {
		.size = sizeof(grouping), .keys = key_of_kind,
	};
	const struct kmemtrace_row *row;
	struct kmemtrace_rows *rows;

	rows_group(&rows, r, KMEMTRACE_SPACE_SLAB, &grouping, r->sort->order);
	*c = (struct cache_rows) { .sum = *kmemtrace_total(r->trace, KMEMTRACE_SPACE_SLAB) };
	c->list = must_calloc(rows_count(rows) + 1, sizeof(*c->list));
	for (; (row = kmemtrace_rows_get(rows, c->nr)); c->nr++)
		c->list[c->nr] = (struct cache_row) {
			.cache = kmemtrace_get_cache(r->trace, row->key),
			.row = *row,
		};
	kmemtrace_rows_close(rows);
}

/* Append the caches that have no counters; a filter leaves them out. */
static void append_unused(struct cache_rows *c, const struct report *r)
{
	const struct kmemtrace_slab_cache *cache;
	size_t nr = 0, i;
	bool *seen;

	if (is_filtered(r))
		return;
	while (kmemtrace_get_cache(r->trace, nr))
		nr++;
	seen = must_calloc(nr + 1, sizeof(*seen));
	for (i = 0; i < c->nr; i++)
		seen[c->list[i].row.key] = true;
	c->list = must_realloc(c->list, c->nr + nr + 1, sizeof(*c->list));
	for (i = 1; (cache = kmemtrace_get_cache(r->trace, i)); i++)
		if (!seen[i])
			c->list[c->nr++] = (struct cache_row) {
				.cache = cache, .row.key = i,
			};
	free(seen);
}

/* Stands for the name of a cache where there is none. */
#define NO_CACHE_NAME	"none: large kmalloc()"

/* Call sites of a cache in the text. */
#define TOP_SITES	3

static void print_own_name(const struct kmemtrace_slab_cache *cache, FILE *out)
{
	if (cache->name)
		text_print(cache->name, out);
	else
		fprintf(out, "without a name");
}

/* Print "dentry (also foo, bar), destroyed". */
static void print_name(const struct kmemtrace_slab_cache *cache, FILE *out)
{
	size_t i;

	print_own_name(cache, out);
	for (i = 0; i < cache->nr_aliases; i++) {
		fprintf(out, i ? ", " : " (also ");
		text_print(cache->aliases[i], out);
	}
	if (cache->nr_aliases)
		putc(')', out);
	if (cache->is_destroyed)
		fprintf(out, ", destroyed");
}

static void print_counters(const struct report *r, const struct kmemtrace_row *row, FILE *out)
{
	row_begin_text(r, row, out);
	fprintf(out, " %11s %6s", NUMBER(row->frees),
		PERCENT(wasted(row->bytes_req, row->bytes_alloc), row->bytes_alloc));
}

static void print_cache(const struct report *r, const struct kmemtrace_slab_cache *cache,
			const struct kmemtrace_row *row, FILE *out)
{
	print_counters(r, row, out);
	fprintf(out, " %7s %7s  ",
		!row->key ? "" : NUMBER(cache->object_size),
		!row->key ? "" : NUMBER(cache->slot_size));
	if (!row->key)
		fprintf(out, NO_CACHE_NAME);
	else
		print_name(cache, out);
	fputc('\n', out);
}

static bool keys_of_site(void *arg, const struct kmemtrace_kind *kind, uint64_t keys[2])
{
	(void)arg;
	keys[0] = kind->call_site;
	keys[1] = kind->cache;
	return true;
}

static void print_sites(const struct report *r, const struct parts *sites,
			FILE *out)
{
	size_t i;

	for (i = 0; i < view_limit(r, sites->nr) && i < TOP_SITES; i++) {
		print_counters(r, sites->list[i], out);
		fprintf(out, "%18s  ", "");
		print_site(r, sites->list[i]->key, out);
		fputc('\n', out);
	}
}

void caches_text(const struct report *r, FILE *out)
{
	const char *error = error_blanks(r);
	struct cache_rows caches;
	struct parts sites, all;
	size_t i;

	if (!kmemtrace_get_cache(r->trace, 0))
		return;
	collect(&caches, r);
	parts_collect(&all, r, KMEMTRACE_SPACE_SLAB, keys_of_site, r->sort->order);
	print_title(r, out, "Caches: %zu of %zu in use%s, by %s",
		    view_limit(r, caches.nr), caches.nr, title_suffix(r), r->sort->title);
	fprintf(out, " live bytes%s    objects%s allocations%s       frees wasted  object    each  cache, top call sites\n",
		error, error, error);
	for (i = 0; i < view_limit(r, caches.nr); i++) {
		const struct kmemtrace_row *row = &caches.list[i].row;

		print_cache(r, caches.list[i].cache, row, out);
		sites = parts_of(&all, row->key);
		print_sites(r, &sites, out);
	}
	parts_free(&all);
	free(caches.list);
}

/* Caches in the overview. */
#define BRIEF_CACHES	3

static void print_brief_cache(const struct report *r, const struct cache_row *c,
			      const struct kmemtrace_row *sum, FILE *out)
{
	fprintf(out, "%10s", "");
	brief_text(r, &c->row, sum, out);
	fprintf(out, " %11s %6s  ", NUMBER(c->row.live),
		!c->row.key ? "" : NUMBER(c->cache->slot_size));
	if (!c->row.key)
		fprintf(out, NO_CACHE_NAME);
	else
		print_own_name(c->cache, out);
	if (c->cache->nr_aliases)
		fprintf(out, " and %zu more", c->cache->nr_aliases);
	fputc('\n', out);
}

void caches_brief(const struct report *r, FILE *out)
{
	struct cache_rows caches;
	size_t i, nr;

	if (!kmemtrace_get_cache(r->trace, 0))
		return;
	collect(&caches, r);
	if (sort_value(r->sort, &caches.sum))
		print_title(r, out, "Caches    %11s%s  share     objects   each  cache",
			    r->sort->column, error_blanks(r));
	nr = brief_limit(r, caches.nr, BRIEF_CACHES);
	for (i = 0; i < nr && sort_value(r->sort, &caches.list[i].row); i++)
		print_brief_cache(r, &caches.list[i], &caches.sum, out);
	free(caches.list);
}

static json_object *names_json(const struct kmemtrace_slab_cache *cache)
{
	json_object *names = json_object_new_array();
	size_t i;

	for (i = 0; i < cache->nr_aliases; i++)
		json_object_array_add(names,
				      text_json(cache->aliases[i]));
	return names;
}

static json_object *cache_json(const struct report *r,
			       const struct kmemtrace_slab_cache *cache)
{
	json_object *obj = json_object_new_object();

	if (!cache->address) {
		add_str(obj, "note", NO_CACHE_NAME);
		return obj;
	}
	add_str(obj, "name", cache->name);
	json_object_object_add(obj, "merged", names_json(cache));
	add_hex(obj, "address", cache->address);
	add_u64(obj, "object_size", cache->object_size);
	add_u64(obj, "size", cache->slot_size);
	add_u64(obj, "align", cache->align);
	add_hex(obj, "flags", cache->flags);
	json_object_object_add(obj, "users", json_object_new_int(cache->users));
	if (cache->is_created)
		add_time(obj, "created_ns", r, cache->created);
	if (cache->is_destroyed)
		add_time(obj, "destroyed_ns", r, cache->destroyed);
	return obj;
}

static json_object *cache_sites_json(const struct report *r,
				     const struct parts *sites)
{
	json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < view_limit(r, sites->nr); i++) {
		const struct kmemtrace_row *row = sites->list[i];

		json_object_array_add(list, row_json(site_json(r, row->key), row));
	}
	return list;
}

static int by_use(const void *a, const void *b, void *arg)
{
	const struct cache_row *x = a, *y = b;
	const struct sort_key *key = arg;
	uint64_t i = sort_value(key, &x->row), j = sort_value(key, &y->row);

	if (i != j)
		return i > j ? -1 : 1;
	return (x->row.key > y->row.key) - (x->row.key < y->row.key);
}

json_object *caches_json(const struct report *r)
{
	json_object *array = json_object_new_array(), *obj;
	struct cache_rows caches;
	struct parts sites, all;
	size_t i;

	if (!kmemtrace_get_cache(r->trace, 0))
		return array;
	collect(&caches, r);
	append_unused(&caches, r);
	parts_collect(&all, r, KMEMTRACE_SPACE_SLAB, keys_of_site, r->sort->order);
	qsort_r(caches.list, caches.nr, sizeof(*caches.list), by_use, (void *)r->sort);
	for (i = 0; i < caches.nr; i++) {
		const struct kmemtrace_row *row = &caches.list[i].row;

		obj = row_json(cache_json(r, caches.list[i].cache), row);
		sites = parts_of(&all, row->key);
		json_object_object_add(obj, "sites", cache_sites_json(r, &sites));
		json_object_array_add(array, obj);
	}
	parts_free(&all);
	free(caches.list);
	return array;
}
