// SPDX-License-Identifier: GPL-2.0
/*
 * The library's interface: groups of allocations. kmemtrace.h describes
 * the functions.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/api-lists.h"
#include "api/api-rows.h"
#include "api/api-who.h"
#include "api/api.h"
#include "common/callsite.h"
#include "common/number.h"
#include "common/text.h"

/* ---- orders ---- */

static uint64_t row_waste_of(const struct kmemtrace_row *row)
{
	return row->bytes_alloc > row->bytes_req ? row->bytes_alloc - row->bytes_req : 0;
}

uint64_t kmemtrace_value(const struct kmemtrace_row *row, enum kmemtrace_order order)
{
	switch (order) {
	case KMEMTRACE_LIVE:
		return row->live_bytes_alloc;
	case KMEMTRACE_PEAK:
		return row->peak_bytes_alloc;
	case KMEMTRACE_ALLOC:
		return row->bytes_alloc;
	case KMEMTRACE_ALLOCS:
		return row->allocs;
	case KMEMTRACE_WASTE:
		return row_waste_of(row);
	case KMEMTRACE_REMOTE:
		return row->remote_frees;
	case KMEMTRACE_KEYS:
		break;
	}
	return 0;
}

static int by_keys(const struct kmemtrace_row *x, const struct kmemtrace_row *y)
{
	int order = compare_u64(x->key, y->key);

	return order ? order : compare_u64(x->second_key, y->second_key);
}

static int by_name(const struct kmemtrace_row *x, const struct kmemtrace_row *y)
{
	return x->name ? strcmp(x->name, y->name) : 0;
}

static int compare_rows(const void *a, const void *b, void *arg)
{
	const enum kmemtrace_order *by = arg;
	const struct kmemtrace_row *x = a, *y = b;
	int order = compare_u64(kmemtrace_value(y, *by), kmemtrace_value(x, *by));

	if (!order && *by != KMEMTRACE_KEYS)
		order = compare_u64(y->bytes_alloc, x->bytes_alloc);
	if (!order)
		order = by_keys(x, y);
	return order ? order : by_name(x, y);
}

/* ---- rows ---- */

/**
 * struct part - a row, or its part from one group of sampled objects
 * @row: the row; first, for functions that compare rows
 * @group: see api_group()
 */
struct part {
	struct kmemtrace_row row;
	unsigned int group;
};

/**
 * struct kmemtrace_rows - a list
 * @nr: entries of @list
 * @list: the rows; their names are freed with them
 */
struct kmemtrace_rows {
	size_t nr;
	struct part *list;
};

const struct kmemtrace_row *kmemtrace_rows_get(const struct kmemtrace_rows *rows,
					  size_t i)
{
	return i < rows->nr ? &rows->list[i].row : NULL;
}

static void free_name(struct kmemtrace_row *row)
{
	free((char *)row->name);
}

void kmemtrace_rows_close(struct kmemtrace_rows *rows)
{
	size_t i;

	if (!rows)
		return;
	for (i = 0; i < rows->nr; i++)
		free_name(&rows->list[i].row);
	free(rows->list);
	free(rows);
}

static int by_group(const struct part *x, const struct part *y)
{
	return (x->group > y->group) - (x->group < y->group);
}

static int compare_keys(const void *a, const void *b)
{
	return by_keys(a, b) ?: by_group(a, b);
}

static int compare_names(const void *a, const void *b)
{
	return by_name(a, b) ?: by_group(a, b);
}

/* Sort by @compare, then merge equal rows of one group. */
static void merge_parts(struct kmemtrace_rows *rows,
			int (*compare)(const void *a, const void *b))
{
	struct part *list = rows->list;
	size_t i, nr = 0;

	if (rows->nr)
		qsort(list, rows->nr, sizeof(*list), compare);
	for (i = 0; i < rows->nr; i++) {
		if (nr && !compare(&list[nr - 1], &list[i])) {
			api_row_add(&list[nr - 1].row, &list[i].row);
			free_name(&list[i].row);
		} else {
			list[nr++] = list[i];
		}
	}
	rows->nr = nr;
}

/* ---- standard errors ---- */

/* Merge the first @nr parts into the first of them. */
static void join_parts(struct part *parts, size_t nr)
{
	struct row_errors errors = { 0 };
	size_t i;

	for (i = 0; i < nr; i++) {
		row_errors_add(&errors, parts[i].group, &parts[i].row);
		if (!i)
			continue;
		api_row_add(&parts->row, &parts[i].row);
		free_name(&parts[i].row);
	}
	row_errors_end(&errors, &parts->row);
}

/* Merge the parts of each row, which follow each other. */
static void merge_groups(struct kmemtrace_rows *rows,
			 int (*compare)(const struct kmemtrace_row *x,
					const struct kmemtrace_row *y))
{
	struct part *list = rows->list;
	size_t i, next, nr = 0;

	for (i = 0; i < rows->nr; i = next) {
		for (next = i + 1; next < rows->nr; next++)
			if (compare(&list[i].row, &list[next].row))
				break;
		join_parts(&list[i], next - i);
		list[nr++] = list[i];
	}
	rows->nr = nr;
}

static bool is_used(const struct kmemtrace_row *row)
{
	return row->allocs || row->frees || row->remote_frees || row->live ||
	       row->peak_bytes_alloc;
}

static void drop_unused(struct kmemtrace_rows *rows)
{
	size_t i, nr = 0;

	for (i = 0; i < rows->nr; i++) {
		if (is_used(&rows->list[i].row))
			rows->list[nr++] = rows->list[i];
		else
			free_name(&rows->list[i].row);
	}
	rows->nr = nr;
}

/* ---- groups ---- */

/* Return the part that is kind @i. */
static struct part part_of(const struct ledger *l, uint32_t i, const uint64_t keys[2])
{
	struct part part = { .row = api_row(l, i), .group = api_group(l, i) };

	part.row.key = keys[0];
	part.row.second_key = keys[1];
	return part;
}

/* Add a row for each kind that is in the groups. Return 0 or -ENOMEM. */
static int collect_rows(struct kmemtrace_rows *rows, const struct ledger *l,
			enum kmemtrace_space space, const struct kmemtrace_grouping *g)
{
	uint32_t i;

	rows->list = calloc(l->kinds.nr + 1, sizeof(*rows->list));
	if (!rows->list)
		return -ENOMEM;
	for (i = 0; i < l->kinds.nr; i++) {
		const struct kmemtrace_kind kind = api_kind(l, i);
		uint64_t keys[2] = { 0 };

		if (kind.space == (int)space && !kind.is_free && !kind.is_hidden &&
		    g->keys(g->arg, &kind, keys))
			rows->list[rows->nr++] = part_of(l, i, keys);
	}
	return 0;
}

/* Name the rows, whose parts follow each other. Return 0 or -ENOMEM. */
static int name_rows(struct kmemtrace_rows *rows, const struct kmemtrace_grouping *g)
{
	const struct kmemtrace_row *last = NULL;
	size_t i;

	for (i = 0; i < rows->nr; i++) {
		struct kmemtrace_row *row = &rows->list[i].row;
		const uint64_t keys[2] = { row->key, row->second_key };

		row->name = last && !by_keys(last, row) ? strdup(last->name) :
							  g->name(g->arg, keys);
		if (!row->name)
			return -ENOMEM;
		last = row;
	}
	return 0;
}

static void forget_keys(struct kmemtrace_rows *rows)
{
	size_t i;

	for (i = 0; i < rows->nr; i++) {
		rows->list[i].row.key = 0;
		rows->list[i].row.second_key = 0;
	}
}

static int group(struct kmemtrace_rows *rows, const struct ledger *l,
		 enum kmemtrace_space space, const struct kmemtrace_grouping *g)
{
	int ret = collect_rows(rows, l, space, g);

	if (ret)
		return ret;
	merge_parts(rows, compare_keys);
	if (g->name)
		ret = name_rows(rows, g);
	if (!ret && g->is_by_name) {
		forget_keys(rows);
		merge_parts(rows, compare_names);
	}
	if (!ret && l->one_of > 1)
		merge_groups(rows, g->is_by_name ? by_name : by_keys);
	drop_unused(rows);
	return ret;
}

int kmemtrace_group(const struct kmemtrace_trace *trace, enum kmemtrace_space space,
		    const struct kmemtrace_grouping *grouping,
		    enum kmemtrace_order order, struct kmemtrace_rows **rows)
{
	struct kmemtrace_grouping g = { .size = 0 };
	struct kmemtrace_rows *new;
	int ret;

	*rows = NULL;
	memcpy(&g, grouping, grouping->size < sizeof(g) ? grouping->size : sizeof(g));
	if (!is_space(space) || (unsigned int)order > KMEMTRACE_KEYS || !g.keys ||
	    (g.is_by_name && !g.name))
		return -EINVAL;
	if (!trace->is_read)
		return -ENODATA;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	ret = group(new, &trace->t.ledger, space, &g);
	if (ret) {
		kmemtrace_rows_close(new);
		return ret;
	}
	if (new->nr)
		qsort_r(new->list, new->nr, sizeof(*new->list), compare_rows, &order);
	*rows = new;
	return 0;
}

/* ---- groups by one property ---- */

static uint64_t site_of(const struct kmemtrace_kind *kind)
{
	return kind->call_site;
}

static uint64_t cache_of(const struct kmemtrace_kind *kind)
{
	return kind->cache;
}

static uint64_t size_of(const struct kmemtrace_kind *kind)
{
	return kind->bytes_alloc;
}

static uint64_t gfp_of(const struct kmemtrace_kind *kind)
{
	return kind->gfp_flags;
}

static uint64_t path_of(const struct kmemtrace_kind *kind)
{
	return kind->path;
}

static uint64_t task_of(const struct kmemtrace_kind *kind)
{
	return kind->task;
}

static uint64_t cgroup_of(const struct kmemtrace_kind *kind)
{
	return kind->cgroup;
}

static struct symbol_ref find(const struct kmemtrace_trace *trace, uint64_t site)
{
	struct symbol_ref ref = { 0 };

	if (!trace_site_note(&trace->t, site))
		symbols_find(&trace->t.symbols, site, &ref);
	return ref;
}

static void print_function(const struct kmemtrace_trace *trace, uint64_t site,
			   FILE *out)
{
	const struct symbol_ref ref = find(trace, site);

	callsite_print_full(&ref, trace_site_note(&trace->t, site), out);
}

static void print_module(const struct kmemtrace_trace *trace, uint64_t site,
			 FILE *out)
{
	const struct symbol_ref ref = find(trace, site);

	callsite_print_module(&ref, trace_site_note(&trace->t, site), out);
}

static void print_cache(const struct kmemtrace_trace *trace, uint64_t i,
			FILE *out)
{
	const struct cache *cache = &trace->t.ledger.caches.list[i];

	if (i != NO_CACHE && cache->name)
		text_print(cache->name, out);
	else
		fputs(i == NO_CACHE ? "(none)" : "(no name)", out);
}

static void print_size(const struct kmemtrace_trace *trace, uint64_t size,
		       FILE *out)
{
	(void)trace;
	fprintf(out, "%" PRIu64, size);
}

static void print_gfp(const struct kmemtrace_trace *trace, uint64_t flags,
		      FILE *out)
{
	if (flags == KMEMTRACE_UNKNOWN_GFP)
		fputs("(unknown)", out);
	else
		api_print_gfp(trace, flags, out);
}

/**
 * struct property - a property that all allocations of a group share
 * @of: returns the property of a kind
 * @print: prints its name; NULL: it is a call path, with the call site as the second key
 * @is_name: allocations with the same name are in one group
 */
static const struct property {
	uint64_t (*of)(const struct kmemtrace_kind *kind);
	void (*print)(const struct kmemtrace_trace *trace, uint64_t key,
		      FILE *out);
	bool is_name;
} properties[] = {
	[KMEMTRACE_BY_SITE] = { site_of, api_print_site, false },
	[KMEMTRACE_BY_FUNCTION] = { site_of, print_function, true },
	[KMEMTRACE_BY_MODULE] = { site_of, print_module, true },
	[KMEMTRACE_BY_CACHE] = { cache_of, print_cache, false },
	[KMEMTRACE_BY_SIZE] = { size_of, print_size, false },
	[KMEMTRACE_BY_GFP] = { gfp_of, print_gfp, false },
	[KMEMTRACE_BY_PATH] = { path_of, NULL, true },
	[KMEMTRACE_BY_TASK] = { task_of, api_print_task, false },
	[KMEMTRACE_BY_PROCESS] = { task_of, api_print_process, false },
	[KMEMTRACE_BY_CGROUP] = { cgroup_of, api_print_cgroup, false },
};

#define NR_PROPERTIES	(sizeof(properties) / sizeof(*properties))

/**
 * struct grouped - the argument of the functions below
 * @trace: the trace
 * @property: the property to group by
 */
struct grouped {
	const struct kmemtrace_trace *trace;
	const struct property *property;
};

static bool key_of(void *arg, const struct kmemtrace_kind *kind, uint64_t keys[2])
{
	const struct grouped *g = arg;

	keys[0] = g->property->of(kind);
	if (!g->property->print)
		keys[1] = kind->call_site;
	else if (g->property->print == api_print_process)
		keys[0] = api_process_of(g->trace, kind->task);
	return true;
}

static char *name_of_path(const struct kmemtrace_trace *trace, const uint64_t keys[2])
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	api_print_path(trace, keys[0], keys[1], out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static char *name_of(void *arg, const uint64_t keys[2])
{
	const struct grouped *g = arg;

	return g->property->print ? api_text(g->trace, keys[0], g->property->print) :
				    name_of_path(g->trace, keys);
}

/* The public interface identifies caches by address. */
static void show_addresses(const struct kmemtrace_trace *trace, struct kmemtrace_rows *rows)
{
	const struct caches *caches = &trace->t.ledger.caches;
	size_t i;

	for (i = 0; i < rows->nr; i++)
		if (rows->list[i].row.key != NO_CACHE)
			rows->list[i].row.key = caches->list[rows->list[i].row.key].addr;
}

int kmemtrace_aggregate(const struct kmemtrace_trace *trace,
			enum kmemtrace_space space, enum kmemtrace_key key,
			enum kmemtrace_order order,
			struct kmemtrace_rows **rows)
{
	struct grouped g = { .trace = trace };
	struct kmemtrace_grouping grouping = {
		.size = sizeof(grouping),
		.keys = key_of,
		.name = name_of,
		.arg = &g,
	};
	int ret;

	*rows = NULL;
	if ((unsigned int)key >= NR_PROPERTIES)
		return -EINVAL;
	g.property = &properties[key];
	grouping.is_by_name = g.property->is_name;
	ret = kmemtrace_group(trace, space, &grouping, order, rows);
	if (!ret && key == KMEMTRACE_BY_CACHE)
		show_addresses(trace, *rows);
	return ret;
}
