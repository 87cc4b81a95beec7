// SPDX-License-Identifier: GPL-2.0
/*
 * View: what slab objects waste, by call site and by the size that was asked for.
 */
#include "config.h"

#include "common/memory.h"
#include "report/format.h"
#include "report/parts.h"
#include "report/view.h"

/* So many sizes of a call site are in the text: it has few, or too many. */
#define TOP_SIZES	3

/* All classes of kmalloc() are multiples of this, the smallest alignment. */
#define SMALLEST_ALIGN	8

/**
 * struct waste - what was given beyond what was asked for
 * @bytes: all of it
 * @avoidable: so much less it would be if each step had a size of its own
 */
struct waste {
	uint64_t bytes, avoidable;
};

/**
 * struct waster - a call site
 * @row: its counters
 * @all: of all allocations
 * @live: of what lives
 * @steps: by request_step()
 */
struct waster {
	struct row row;
	struct waste all, live;
	struct parts steps;
};

/**
 * struct wasters - all of them
 * @list: those that allocated
 * @nr: of @list
 * @parts: the steps of all
 * @sum: of all allocations
 */
struct wasters {
	struct waster *list;
	size_t nr;
	struct parts parts;
	struct waste sum;
};

static void by_step(const struct kind *kind, struct part *part)
{
	part->whole = kind->site;
	part->row.key = kind_step(kind);
}

/* Of @nr objects of one step. */
static struct waste waste_of(unsigned int step, uint64_t nr, uint64_t req,
			     uint64_t alloc)
{
	uint64_t class = (request_step_max(step) + SMALLEST_ALIGN - 1) &
			 -(uint64_t)SMALLEST_ALIGN;

	return (struct waste) {
		.bytes = wasted(req, alloc),
		/* Nobody knows what would fit what isn't known. */
		.avoidable = step ? wasted(nr * class, alloc) : 0,
	};
}

static struct waste waste_of_all(const struct row *step)
{
	return waste_of(step->key, step->allocs, step->req, step->alloc);
}

static struct waste waste_of_live(const struct row *step)
{
	return waste_of(step->key, step->live, step->live_req, step->live_alloc);
}

static void waste_add(struct waste *sum, struct waste w)
{
	sum->bytes += w.bytes;
	sum->avoidable += w.avoidable;
}

static struct waster waster_of(struct parts steps)
{
	struct waster w = { .row.key = steps.list->whole, .steps = steps };
	size_t i;

	for (i = 0; i < steps.nr; i++) {
		const struct row *step = &steps.list[i].row;

		row_add(&w.row, step);
		waste_add(&w.all, waste_of_all(step));
		waste_add(&w.live, waste_of_live(step));
	}
	return w;
}

/* Larger ones first, and the rest as in all lists. */
static int by_waste(const void *a, const void *b, void *key)
{
	const struct waster *x = a, *y = b;

	if (x->all.bytes != y->all.bytes)
		return x->all.bytes > y->all.bytes ? -1 : 1;
	return compare_rows(&x->row, &y->row, key);
}

static void collect(struct wasters *w, const struct report *r)
{
	struct parts steps;
	size_t i;

	*w = (struct wasters) { .nr = 0 };
	parts_collect(&w->parts, r, SPACE_SLAB, by_step);
	w->list = must_calloc(w->parts.nr + 1, sizeof(*w->list));
	for (i = 0; i < w->parts.nr; i += steps.nr) {
		steps = parts_of(&w->parts, w->parts.list[i].whole);
		w->list[w->nr] = waster_of(steps);
		if (!w->list[w->nr].row.allocs)
			continue;
		waste_add(&w->sum, w->list[w->nr++].all);
	}
	qsort_r(w->list, w->nr, sizeof(*w->list), by_waste,
		(void *)sort_key_find("waste"));
}

static void wasters_free(struct wasters *w)
{
	free(w->list);
	parts_free(&w->parts);
}

static uint64_t step_min(unsigned int step)
{
	return step ? request_step_max(step - 1) + 1 : 0;
}

/* "65-72: 1,200", the sizes and how often they were asked for. */
static void print_step(const struct row *step, FILE *out)
{
	uint64_t min = step_min(step->key), max = request_step_max(step->key);

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

	parts_sort(&steps, sort_key_find("waste"));
	fprintf(out, "%65s", "");
	for (i = 0; i < steps.nr && i < TOP_SIZES; i++) {
		if (i)
			fprintf(out, "; ");
		print_step(&steps.list[i].row, out);
	}
	fprintf(out, i < steps.nr ? "; ...\n" : "\n");
}

static void print_waster(const struct report *r, const struct waster *w, FILE *out)
{
	fprintf(out, "  %9s %6s %9s %11s %10s %9s  ", BYTES(w->all.bytes),
		PERCENT(w->all.bytes, w->row.alloc), BYTES(w->all.avoidable),
		NUMBER(w->row.allocs), BYTES(w->live.bytes),
		BYTES(w->live.avoidable));
	print_site(r, w->row.key, out);
	fputc('\n', out);
	print_steps(w->steps, out);
}

void fragmentation_text(const struct report *r, FILE *out)
{
	struct wasters w;
	size_t i, nr = 0;

	collect(&w, r);
	while (nr < w.nr && w.list[nr].all.bytes)
		nr++;
	if (nr) {
		print_title(r, out, "Fragmentation: %zu of %zu call sites that %swaste slab, by bytes wasted: %s, %s avoidable",
			    view_limit(r, nr), nr, is_filtered(r) ? "match and " : "",
			    BYTES(w.sum.bytes), BYTES(w.sum.avoidable));
		fprintf(out, "     wasted  share avoidable allocations live waste avoidable  call site, sizes: allocations\n");
	}
	for (i = 0; i < view_limit(r, nr); i++)
		print_waster(r, &w.list[i], out);
	wasters_free(&w);
}

/* So many call sites are in the overview. */
#define BRIEF_WASTERS	3

static void print_brief_waster(const struct report *r, const struct wasters *all,
			       const struct waster *w, FILE *out)
{
	fprintf(out, "  %19s %6s %11s %6s  ", BYTES(w->all.bytes),
		PERCENT(w->all.bytes, all->sum.bytes), NUMBER(w->row.allocs),
		BYTES(w->live.bytes));
	print_site(r, w->row.key, out);
	fputc('\n', out);
}

void fragmentation_brief(const struct report *r, FILE *out)
{
	struct wasters w;
	size_t i, nr;

	collect(&w, r);
	nr = brief_limit(r, w.nr, BRIEF_WASTERS);
	if (w.sum.bytes)
		print_title(r, out, "Fragmentation  wasted  share allocations   live  call sites%s",
			    which(r));
	for (i = 0; i < nr && w.list[i].all.bytes; i++)
		print_brief_waster(r, &w, &w.list[i], out);
	wasters_free(&w);
}

static json_object *waste_json(json_object *obj, const struct row *row,
			       struct waste all, struct waste live)
{
	add_u64(obj, "allocs", row->allocs);
	add_u64(obj, "bytes_req", row->req);
	add_u64(obj, "bytes_alloc", row->alloc);
	add_u64(obj, "bytes_wasted", all.bytes);
	add_u64(obj, "bytes_avoidable", all.avoidable);
	add_u64(obj, "live", row->live);
	add_u64(obj, "live_bytes_wasted", live.bytes);
	add_u64(obj, "live_bytes_avoidable", live.avoidable);
	return obj;
}

static json_object *steps_json(const struct parts *steps)
{
	json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < steps->nr; i++) {
		const struct row *row = &steps->list[i].row;
		json_object *step = json_object_new_object();

		add_u64(step, "from", step_min(row->key));
		add_u64(step, "to", request_step_max(row->key));
		json_object_array_add(list,
			waste_json(step, row, waste_of_all(row), waste_of_live(row)));
	}
	return list;
}

json_object *fragmentation_json(const struct report *r)
{
	json_object *list = json_object_new_array(), *site;
	struct wasters w;
	size_t i;

	collect(&w, r);
	for (i = 0; i < view_limit(r, w.nr); i++) {
		const struct waster *at = &w.list[i];

		site = waste_json(site_json(r, at->row.key), &at->row, at->all,
				  at->live);
		json_object_object_add(site, "sizes", steps_json(&at->steps));
		json_object_array_add(list, site);
	}
	wasters_free(&w);
	return list;
}
