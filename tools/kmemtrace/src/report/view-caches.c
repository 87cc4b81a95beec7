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

/*
 * The counters of all caches, those without any included, but those that don't match.
 * To be table_free()d.
 */
static void add_up(const struct report *r, struct table *sum)
{
	uint32_t i;

	stats_by_cache(&r->trace->ledger.stats, sum);
	for (i = NO_CACHE + 1; !is_filtered(r) && i < r->trace->ledger.caches.nr; i++)
		table_row(sum, i);
}

/* What no cache has. */
#define NO_CACHE_NAME	"none: large kmalloc()"

/* So many call sites of a cache are enough to see whose it is. */
#define TOP_SITES	3

static void print_own_name(const struct cache *cache, FILE *out)
{
	if (cache->name)
		text_print(cache->name, out);
	else
		fprintf(out, "without a name");
}

/* "dentry (also foo, bar), destroyed"; the names are from the trace. */
static void print_name(const struct cache *cache, FILE *out)
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

static void print_counters(const struct row *row, FILE *out)
{
	fprintf(out, "  %9s %10s %11s %11s %6s",
		BYTES(row->live_alloc), NUMBER(row->live), NUMBER(row->allocs),
		NUMBER(row->frees),
		PERCENT(wasted(row->req, row->alloc), row->alloc));
}

static void print_cache(const struct cache *cache, const struct row *row,
			FILE *out)
{
	print_counters(row, out);
	fprintf(out, " %7s %7s  ",
		row->key == NO_CACHE ? "" : NUMBER(cache->object_size),
		row->key == NO_CACHE ? "" : NUMBER(cache->size));
	if (row->key == NO_CACHE)
		fprintf(out, NO_CACHE_NAME);
	else
		print_name(cache, out);
	fputc('\n', out);
}

static void by_cache(const struct kind *kind, struct part *part)
{
	part->whole = class_cache(kind->class);
	part->row.key = kind->site;
}

/* The call sites of a cache, in the order of the list. */
static struct parts sites_of(const struct report *r, const struct parts *all,
			     uint32_t cache)
{
	struct parts sites = parts_of(all, cache);

	parts_sort(&sites, r->sort);
	return sites;
}

static void print_sites(const struct report *r, const struct parts *sites,
			FILE *out)
{
	size_t i;

	for (i = 0; i < view_limit(r, sites->nr) && i < TOP_SITES; i++) {
		print_counters(&sites->list[i].row, out);
		fprintf(out, "%18s  ", "");
		print_site(r, sites->list[i].row.key, out);
		fputc('\n', out);
	}
}

void caches_text(const struct report *r, FILE *out)
{
	const struct caches *c = &r->trace->ledger.caches;
	struct parts sites, all;
	const struct row **rows;
	struct table sum;
	size_t i, nr;

	if (!c->nr)
		return;
	add_up(r, &sum);
	parts_collect(&all, r, SPACE_SLAB, by_cache);
	rows = sorted_rows(&sum, r->sort, &nr);
	print_title(r, out, "Caches: %zu of %zu in use%s, by %s",
		    view_limit(r, nr), nr, which(r), r->sort->title);
	fprintf(out, " live bytes    objects allocations       frees wasted  object    each  cache, top call sites\n");
	for (i = 0; i < view_limit(r, nr); i++) {
		print_cache(&c->list[rows[i]->key], rows[i], out);
		sites = sites_of(r, &all, rows[i]->key);
		print_sites(r, &sites, out);
	}
	parts_free(&all);
	free(rows);
	table_free(&sum);
}

/* So many caches are in the overview. */
#define BRIEF_CACHES	3

static void print_brief_cache(const struct report *r, const struct row *row,
			      const struct row *sum, FILE *out)
{
	const struct cache *cache = &r->trace->ledger.caches.list[row->key];

	fprintf(out, "%10s", "");
	brief_text(r, row, sum, out);
	fprintf(out, " %11s %6s  ", NUMBER(row->live),
		row->key == NO_CACHE ? "" : NUMBER(cache->size));
	if (row->key == NO_CACHE)
		fprintf(out, NO_CACHE_NAME);
	else
		print_own_name(cache, out);
	if (cache->nr_aliases)
		fprintf(out, " and %zu more", cache->nr_aliases);
	fputc('\n', out);
}

void caches_brief(const struct report *r, FILE *out)
{
	struct row sum = { 0 };
	const struct row **rows;
	struct table caches;
	size_t i, nr;

	if (!r->trace->ledger.caches.nr)
		return;
	add_up(r, &caches);
	rows = sorted_rows(&caches, r->sort, &nr);
	for (i = 0; i < nr; i++)
		row_add(&sum, rows[i]);
	if (r->sort->value(&sum))
		print_title(r, out, "Caches    %11s  share     objects   each  cache",
			    r->sort->column);
	nr = brief_limit(r, nr, BRIEF_CACHES);
	for (i = 0; i < nr && r->sort->value(rows[i]); i++)
		print_brief_cache(r, rows[i], &sum, out);
	free(rows);
	table_free(&caches);
}

static json_object *names_json(const struct cache *cache)
{
	json_object *names = json_object_new_array();
	size_t i;

	for (i = 0; i < cache->nr_aliases; i++)
		json_object_array_add(names,
				      text_json(cache->aliases[i]));
	return names;
}

static json_object *cache_json(const struct cache *cache)
{
	json_object *obj = json_object_new_object();

	if (!cache->addr) {
		add_str(obj, "note", NO_CACHE_NAME);
		return obj;
	}
	add_str(obj, "name", cache->name);
	json_object_object_add(obj, "merged", names_json(cache));
	add_hex(obj, "address", cache->addr);
	add_u64(obj, "object_size", cache->object_size);
	add_u64(obj, "size", cache->size);
	add_u64(obj, "align", cache->align);
	add_hex(obj, "flags", cache->flags);
	json_object_object_add(obj, "users", json_object_new_int(cache->users));
	if (cache->is_created)
		json_object_object_add(obj, "created_ns",
				       json_object_new_int64(cache->created));
	if (cache->is_destroyed)
		json_object_object_add(obj, "destroyed_ns",
				       json_object_new_int64(cache->destroyed));
	return obj;
}

static json_object *cache_sites_json(const struct report *r,
				     const struct parts *sites)
{
	json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < view_limit(r, sites->nr); i++) {
		const struct row *row = &sites->list[i].row;

		json_object_array_add(list, row_json(site_json(r, row->key), row));
	}
	return list;
}

/* Rows in the order of the text, then what nothing was ever taken from. */
static int by_use(const void *a, const void *b, void *arg)
{
	const struct row *x = *(const struct row * const *)a;
	const struct row *y = *(const struct row * const *)b;
	const struct sort_key *key = arg;
	uint64_t i = key->value(x), j = key->value(y);

	if (i != j)
		return i > j ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

json_object *caches_json(const struct report *r)
{
	const struct caches *c = &r->trace->ledger.caches;
	json_object *array = json_object_new_array(), *obj;
	struct parts sites, all;
	const struct row **rows;
	struct table sum;
	uint32_t i;

	add_up(r, &sum);
	parts_collect(&all, r, SPACE_SLAB, by_cache);
	rows = must_calloc(sum.nr + 1, sizeof(*rows));
	for (i = 0; i < sum.nr; i++)
		rows[i] = &sum.rows[i];
	qsort_r(rows, sum.nr, sizeof(*rows), by_use, (void *)r->sort);
	for (i = 0; c->nr && i < sum.nr; i++) {
		obj = row_json(cache_json(&c->list[rows[i]->key]), rows[i]);
		sites = sites_of(r, &all, rows[i]->key);
		json_object_object_add(obj, "sites", cache_sites_json(r, &sites));
		json_object_array_add(array, obj);
	}
	parts_free(&all);
	free(rows);
	table_free(&sum);
	return array;
}
