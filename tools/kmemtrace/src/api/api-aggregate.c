// SPDX-License-Identifier: GPL-2.0
/*
 * The library's interface: sums over kinds, and what is live. kmemtrace.h says what the
 * functions do.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "api/api.h"
#include "books/books.h"
#include "common/memory.h"
#include "common/text.h"
#include "read/callsite.h"

#define NR_KEYS		(sizeof(keys) / sizeof(*keys))
#define NR_ORDERS	(sizeof(orders) / sizeof(*orders))

/* ---- keys ---- */

/* Flags have 32 bits: what is older than the trace has none that are known. */
#define UNKNOWN		UINT64_MAX

static uint64_t site_of(const struct kind *kind)
{
	return kind->site;
}

static uint64_t cache_of(const struct kind *kind)
{
	return class_cache(kind->class);
}

static uint64_t size_of(const struct kind *kind)
{
	return class_size(kind->class);
}

static uint64_t gfp_of(const struct kind *kind)
{
	return kind_step(kind) ? kind_gfp(kind) : UNKNOWN;
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
	if (flags == UNKNOWN)
		fputs("(unknown)", out);
	else
		api_print_gfp(trace, flags, out);
}

static uint64_t cache_address(const struct kmemtrace_trace *trace, uint64_t i)
{
	return i == NO_CACHE ? 0 : trace->t.ledger.caches.list[i].addr;
}

/**
 * struct key - what allocations may have in common
 * @of: that of a kind
 * @print: its name
 * @shown: what the user knows it by; NULL: @of
 * @is_name: those of one name are one, and have no key
 */
static const struct key {
	uint64_t (*of)(const struct kind *kind);
	void (*print)(const struct kmemtrace_trace *trace, uint64_t key,
		      FILE *out);
	uint64_t (*shown)(const struct kmemtrace_trace *trace, uint64_t key);
	bool is_name;
} keys[] = {
	[KMEMTRACE_BY_SITE] = { site_of, api_print_site, NULL, false },
	[KMEMTRACE_BY_FUNCTION] = { site_of, print_function, NULL, true },
	[KMEMTRACE_BY_MODULE] = { site_of, print_module, NULL, true },
	[KMEMTRACE_BY_CACHE] = { cache_of, print_cache, cache_address, false },
	[KMEMTRACE_BY_SIZE] = { size_of, print_size, NULL, false },
	[KMEMTRACE_BY_GFP] = { gfp_of, print_gfp, NULL, false },
};

/* ---- orders ---- */

static uint64_t (* const orders[])(const struct row *row) = {
	[KMEMTRACE_LIVE] = row_live,
	[KMEMTRACE_PEAK] = row_peak,
	[KMEMTRACE_ALLOC] = row_alloc,
	[KMEMTRACE_ALLOCS] = row_count,
	[KMEMTRACE_WASTE] = row_waste,
	[KMEMTRACE_REMOTE] = row_remote,
};

/* ---- rows ---- */

/**
 * struct named - counters, and what they are called
 * @row: the counters
 * @rank: the largest comes first
 * @name: to be free()d
 */
struct named {
	struct row row;
	uint64_t rank;
	char *name;
};

/**
 * struct kmemtrace_rows - a list
 * @nr: how many
 * @list: of them
 */
struct kmemtrace_rows {
	size_t nr;
	struct kmemtrace_row *list;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->row.key > y->row.key) - (x->row.key < y->row.key);
}

static int by_rank(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? 1 : -1;
	return by_name(a, b);
}

static struct named *name_rows(const struct kmemtrace_trace *trace,
			       const struct key *key, const struct table *sum)
{
	struct named *list = must_calloc(sum->nr + 1, sizeof(*list));
	uint32_t i;

	for (i = 0; i < sum->nr; i++) {
		struct row *row = &list[i].row;

		*row = sum->rows[i];
		list[i].name = api_text(trace, row->key, key->print);
		if (key->shown)
			row->key = key->shown(trace, row->key);
		else if (key->is_name)
			row->key = 0;
	}
	return list;
}

/* Those of one name become one; returns how many there are then. */
static size_t merge_names(struct named *list, size_t nr)
{
	size_t i, merged = 0;

	qsort(list, nr, sizeof(*list), by_name);
	for (i = 0; i < nr; i++) {
		if (merged && !strcmp(list[merged - 1].name, list[i].name)) {
			row_add(&list[merged - 1].row, &list[i].row);
			free(list[i].name);
		} else {
			list[merged++] = list[i];
		}
	}
	return merged;
}

static struct kmemtrace_row public_row(const struct named *named)
{
	const struct row *row = &named->row;

	return (struct kmemtrace_row) {
		.size = sizeof(struct kmemtrace_row),
		.name = named->name,
		.key = row->key,
		.allocs = row->allocs,
		.bytes_req = row->req,
		.bytes_alloc = row->alloc,
		.frees = row->frees,
		.remote_frees = row->remote,
		.live = row->live,
		.live_bytes_req = row->live_req,
		.live_bytes_alloc = row->live_alloc,
		.peak_bytes_alloc = row->peak,
	};
}

/* Takes the names over. */
static struct kmemtrace_rows *publish(struct named *list, size_t nr,
				      enum kmemtrace_order order)
{
	struct kmemtrace_rows *rows = must_calloc(1, sizeof(*rows));
	size_t i;

	for (i = 0; i < nr; i++)
		list[i].rank = orders[order](&list[i].row);
	qsort(list, nr, sizeof(*list), by_rank);
	rows->nr = nr;
	rows->list = must_calloc(nr + 1, sizeof(*rows->list));
	for (i = 0; i < nr; i++)
		rows->list[i] = public_row(&list[i]);
	return rows;
}

int kmemtrace_aggregate(const struct kmemtrace_trace *trace,
			enum kmemtrace_space space, enum kmemtrace_key key,
			enum kmemtrace_order order,
			struct kmemtrace_rows **rows)
{
	struct named *list;
	struct table sum;
	size_t nr;

	*rows = NULL;
	if ((unsigned int)space >= NR_SPACES || (unsigned int)key >= NR_KEYS ||
	    (unsigned int)order >= NR_ORDERS)
		return -EINVAL;
	if (!trace->is_read)
		return -ENODATA;
	books_add_up(&trace->t.ledger, (enum space)space, keys[key].of, &sum);
	list = name_rows(trace, &keys[key], &sum);
	nr = sum.nr;
	table_free(&sum);
	if (keys[key].is_name)
		nr = merge_names(list, nr);
	*rows = publish(list, nr, order);
	free(list);
	return 0;
}

const struct kmemtrace_row *kmemtrace_rows_get(const struct kmemtrace_rows *rows,
					  size_t i)
{
	return i < rows->nr ? &rows->list[i] : NULL;
}

void kmemtrace_rows_close(struct kmemtrace_rows *rows)
{
	size_t i;

	if (!rows)
		return;
	for (i = 0; i < rows->nr; i++)
		free((char *)rows->list[i].name);
	free(rows->list);
	free(rows);
}

/* ---- what is live ---- */

/**
 * struct collection - what lives of one namespace
 * @l: the ledger
 * @list: of that
 * @nr: of @list
 * @room: of @list
 */
struct collection {
	const struct ledger *l;
	struct kmemtrace_object *list;
	size_t nr, room;
};

/* @bytes_alloc is what an object takes; of a frame, a page. */
static void collect(struct collection *c, uint64_t ptr, const struct slot *slot,
		    uint64_t bytes_alloc, uint64_t bytes_req)
{
	const struct kind *kind = kinds_get(&c->l->kinds, slot->kind);
	uint32_t cache = class_cache(kind->class);

	if (!kind_is_counted(kind))
		return;
	if (c->nr == c->room) {
		c->room = 2 * c->room + 1024;
		c->list = must_realloc(c->list, c->room, sizeof(*c->list));
	}
	c->list[c->nr++] = (struct kmemtrace_object) {
		.size = sizeof(struct kmemtrace_object),
		.ptr = ptr,
		.bytes_req = bytes_req,
		.bytes_alloc = bytes_alloc,
		.call_site = kind->site,
		.time = slot->time,
		.cpu = slot->cpu,
		.api = slot->type,
		.cache = cache == NO_CACHE ? NULL :
			 c->l->caches.list[cache].name,
	};
}

static void collect_object(void *collection, const struct object *obj)
{
	struct collection *c = collection;
	uint64_t size;

	if (obj->slot.state != SLOT_LIVE)
		return;
	size = class_size(kinds_get(&c->l->kinds, obj->slot.kind)->class);
	collect(c, obj->ptr, &obj->slot, size, size - obj->slot.spare);
}

static void collect_frames(void *collection, uint64_t pfn, uint64_t nr,
			   const struct slot *slot)
{
	struct collection *c = collection;

	if (slot->state != SLOT_LIVE || slot->reserved ||
	    slot->type == SLOT_OWN_TYPE)
		return;
	for (; nr--; pfn++)
		collect(c, pfn << c->l->page_shift, slot, c->l->page_size,
			c->l->page_size);
}

static int by_address(const void *a, const void *b)
{
	const struct kmemtrace_object *x = a, *y = b;

	return (x->ptr > y->ptr) - (x->ptr < y->ptr);
}

static void collect_all(struct collection *c, enum space space)
{
	unsigned int i;

	for (i = 0; i < NR_SHARDS; i++) {
		const struct shard *s = &c->l->shards[i];

		if (space == SPACE_PAGES)
			frames_each(&s->frames, i, collect_frames, c);
		else
			objects_each(&s->objects[space], collect_object, c);
	}
	if (c->nr)
		qsort(c->list, c->nr, sizeof(*c->list), by_address);
}

int kmemtrace_each_live(const struct kmemtrace_trace *trace,
			enum kmemtrace_space space,
			int (*each)(void *arg,
				    const struct kmemtrace_object *object),
			void *arg)
{
	struct collection c = { .l = &trace->t.ledger };
	int ret = 0;
	size_t i;

	if ((unsigned int)space >= NR_SPACES)
		return -EINVAL;
	if (!trace->is_read)
		return -ENODATA;
	collect_all(&c, (enum space)space);
	for (i = 0; !ret && i < c.nr; i++)
		ret = each(arg, &c.list[i]);
	free(c.list);
	return ret;
}
