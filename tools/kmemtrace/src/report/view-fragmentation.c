// SPDX-License-Identifier: GPL-2.0
/*
 * View: memory that slab objects waste, by call site and by requested size.
 */
#include "config.h"

#include "common/memory.h"
#include "report/format.h"
#include "report/parts.h"
#include "report/view.h"

/* Sizes of a call site in the text. */
#define TOP_SIZES	3

/* All sizes of kmalloc() objects are multiples of this, the smallest alignment. */
#define SMALLEST_ALIGN	8

/**
 * struct waste - wasted memory
 * @bytes: allocated bytes beyond the requested ones
 * @avoidable: the part that a slab cache for each step would avoid
 */
struct waste {
	uint64_t bytes, avoidable;
};

/**
 * struct waster - a call site
 * @site: its address
 * @allocs: allocations
 * @bytes_req: bytes that they requested
 * @bytes_alloc: bytes that they got
 * @live_nr: live objects
 * @all: waste of all allocations
 * @live: waste of live objects
 * @steps: requested sizes
 */
struct waster {
	uint64_t site;
	uint64_t allocs, bytes_req, bytes_alloc, live_nr;
	struct waste all, live;
	struct parts steps;
};

/**
 * struct wasters - all call sites
 * @list: those that allocated, the largest waste first
 * @nr: entries of @list
 * @parts: the steps of all
 * @sum: waste of all allocations
 */
struct wasters {
	struct waster *list;
	size_t nr;
	struct parts parts;
	struct waste sum;
};

/* The key of a step: its largest size, and the logarithm of the number of its sizes. */
#define WIDTH_BITS	6

/* A step is a range of requested sizes; the width of each is a power of two. */
static bool keys_of_step(void *arg, const struct kmemtrace_kind *kind, uint64_t keys[2])
{
	(void)arg;
	keys[1] = kind->call_site;
	if (kind->min_req)
		keys[0] = kind->max_req << WIDTH_BITS |
			  __builtin_ctzll(kind->max_req - kind->min_req + 1);
	return true;
}

static uint64_t step_max(uint64_t step)
{
	return step >> WIDTH_BITS;
}

static uint64_t step_min(uint64_t step)
{
	uint64_t width = UINT64_C(1) << (step & ((1 << WIDTH_BITS) - 1));

	return step ? step_max(step) - width + 1 : 0;
}

/* Return the waste of @nr objects of one step. */
static struct waste waste_of(uint64_t step, uint64_t nr, uint64_t req, uint64_t alloc)
{
	uint64_t class = (step_max(step) + SMALLEST_ALIGN - 1) &
			 -(uint64_t)SMALLEST_ALIGN;

	return (struct waste) {
		.bytes = wasted(req, alloc),
		/* Waste of unknown sizes does not count as avoidable. */
		.avoidable = step ? wasted(nr * class, alloc) : 0,
	};
}

static struct waste waste_of_all(const struct kmemtrace_row *step)
{
	return waste_of(step->key, step->allocs, step->bytes_req, step->bytes_alloc);
}

static struct waste waste_of_live(const struct kmemtrace_row *step)
{
	return waste_of(step->key, step->live, step->live_bytes_req,
			step->live_bytes_alloc);
}

static void waste_add(struct waste *sum, struct waste w)
{
	sum->bytes += w.bytes;
	sum->avoidable += w.avoidable;
}

static struct waster waster_of(struct parts steps)
{
	struct waster w = { .site = steps.list[0]->second_key, .steps = steps };
	size_t i;

	for (i = 0; i < steps.nr; i++) {
		const struct kmemtrace_row *step = steps.list[i];

		w.allocs += step->allocs;
		w.bytes_req += step->bytes_req;
		w.bytes_alloc += step->bytes_alloc;
		w.live_nr += step->live;
		waste_add(&w.all, waste_of_all(step));
		waste_add(&w.live, waste_of_live(step));
	}
	return w;
}

/* Return the waste of the sums. All lists sort by it; w->all.bytes is a sum of wastes. */
static uint64_t sum_waste(const struct waster *w)
{
	return wasted(w->bytes_req, w->bytes_alloc);
}

static int by_waste(const void *a, const void *b)
{
	const struct waster *x = a, *y = b;

	if (x->all.bytes != y->all.bytes)
		return x->all.bytes > y->all.bytes ? -1 : 1;
	if (sum_waste(x) != sum_waste(y))
		return sum_waste(x) > sum_waste(y) ? -1 : 1;
	if (x->bytes_alloc != y->bytes_alloc)
		return x->bytes_alloc > y->bytes_alloc ? -1 : 1;
	return (x->site > y->site) - (x->site < y->site);
}

/* @order: order of the steps of a call site */
static void collect(struct wasters *w, const struct report *r, enum kmemtrace_order order)
{
	struct parts steps;
	size_t i;

	*w = (struct wasters) { .nr = 0 };
	parts_collect(&w->parts, r, KMEMTRACE_SPACE_SLAB, keys_of_step, order);
	w->list = must_calloc(w->parts.nr + 1, sizeof(*w->list));
	for (i = 0; i < w->parts.nr; i += steps.nr) {
		steps = parts_of(&w->parts, w->parts.list[i]->second_key);
		w->list[w->nr] = waster_of(steps);
		if (!w->list[w->nr].allocs)
			continue;
		waste_add(&w->sum, w->list[w->nr++].all);
	}
	qsort(w->list, w->nr, sizeof(*w->list), by_waste);
}

static void wasters_free(struct wasters *w)
{
	free(w->list);
	parts_free(&w->parts);
}

/* Print "65-72: 1,200", the sizes and the number of allocations. */
static void print_step(const struct kmemtrace_row *step, FILE *out)
{
	uint64_t min = step_min(step->key), max = step_max(step->key);

	if (!step->key)
		fprintf(out, "unknown");
	else if (min == max)
		fprintf(out, "%s", NUMBER(max));
	else
		fprintf(out, "%s-%s", NUMBER(min), NUMBER(max));
	fprintf(out, ": %s", NUMBER(step->allocs));
}

static void print_steps(struct parts steps, FILE *out)
{
	size_t i;

	fprintf(out, "%65s", "");
	for (i = 0; i < steps.nr && i < TOP_SIZES; i++) {
		if (i)
			fprintf(out, "; ");
		print_step(steps.list[i], out);
	}
	fprintf(out, i < steps.nr ? "; ...\n" : "\n");
}

static void print_waster(const struct report *r, const struct waster *w, FILE *out)
{
	fprintf(out, "  %9s %6s %9s %11s %10s %9s  ", BYTES(w->all.bytes),
		PERCENT(w->all.bytes, w->bytes_alloc), BYTES(w->all.avoidable),
		NUMBER(w->allocs), BYTES(w->live.bytes),
		BYTES(w->live.avoidable));
	print_site(r, w->site, out);
	fputc('\n', out);
	print_steps(w->steps, out);
}

void fragmentation_text(const struct report *r, FILE *out)
{
	struct wasters w;
	size_t i, nr = 0;

	collect(&w, r, KMEMTRACE_WASTE);
	while (nr < w.nr && w.list[nr].all.bytes)
		nr++;
	if (nr) {
		print_title(r, out, "Fragmentation: %zu of %zu call sites that %swaste slab, by bytes wasted: %s, %s avoidable",
			    view_limit(r, nr), nr, is_filtered(r) ? "match and " : "",
			    BYTES(w.sum.bytes), BYTES(w.sum.avoidable));
		fprintf(out, "     wasted  ratio avoidable allocations live waste avoidable  call site, sizes: allocations\n");
	}
	for (i = 0; i < view_limit(r, nr); i++)
		print_waster(r, &w.list[i], out);
	wasters_free(&w);
}

/* Call sites in the overview. */
#define BRIEF_WASTERS	3

static void print_brief_waster(const struct report *r, const struct wasters *all,
			       const struct waster *w, FILE *out)
{
	fprintf(out, "  %19s %6s %11s %6s  ", BYTES(w->all.bytes),
		PERCENT(w->all.bytes, all->sum.bytes), NUMBER(w->allocs),
		BYTES(w->live.bytes));
	print_site(r, w->site, out);
	fputc('\n', out);
}

void fragmentation_brief(const struct report *r, FILE *out)
{
	struct wasters w;
	size_t i, nr;

	collect(&w, r, KMEMTRACE_WASTE);
	nr = brief_limit(r, w.nr, BRIEF_WASTERS);
	if (w.sum.bytes)
		print_title(r, out, "Fragmentation  wasted  share allocations   live  call sites%s",
			    title_suffix(r));
	for (i = 0; i < nr && w.list[i].all.bytes; i++)
		print_brief_waster(r, &w, &w.list[i], out);
	wasters_free(&w);
}

/* Add the waste of a call site or of one of its steps to @obj, and return @obj. */
static json_object *waste_json(json_object *obj, const struct waster *w)
{
	add_u64(obj, "allocs", w->allocs);
	add_u64(obj, "bytes_req", w->bytes_req);
	add_u64(obj, "bytes_alloc", w->bytes_alloc);
	add_u64(obj, "bytes_wasted", w->all.bytes);
	add_u64(obj, "bytes_avoidable", w->all.avoidable);
	add_u64(obj, "live", w->live_nr);
	add_u64(obj, "live_bytes_wasted", w->live.bytes);
	add_u64(obj, "live_bytes_avoidable", w->live.avoidable);
	return obj;
}

static json_object *steps_json(const struct parts *steps)
{
	json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < steps->nr; i++) {
		const struct parts one = { .list = steps->list + i, .nr = 1 };
		const struct waster w = waster_of(one);
		json_object *step = json_object_new_object();

		add_u64(step, "from", step_min(steps->list[i]->key));
		add_u64(step, "to", step_max(steps->list[i]->key));
		json_object_array_add(list, waste_json(step, &w));
	}
	return list;
}

json_object *fragmentation_json(const struct report *r)
{
	json_object *list = json_object_new_array(), *site;
	struct wasters w;
	size_t i;

	collect(&w, r, KMEMTRACE_KEYS);
	for (i = 0; i < view_limit(r, w.nr); i++) {
		const struct waster *at = &w.list[i];

		site = waste_json(site_json(r, at->site), at);
		json_object_object_add(site, "sizes", steps_json(&at->steps));
		json_object_array_add(list, site);
	}
	wasters_free(&w);
	return list;
}
