// SPDX-License-Identifier: GPL-2.0
/*
 * The library's interface: lists of counters. kmemtrace.h describes the functions.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/api-lists.h"
#include "api/api-who.h"
#include "api/namesakes.h"
#include "books/books.h"
#include "books/sample.h"
#include "read/gfp.h"

static_assert(KMEMTRACE_NR_SPACES == NR_SPACES, "KMEMTRACE_NR_SPACES");

/**
 * list_make - make a list
 * @list: result
 * @ctx: the context of the trace
 * @nr: entries
 * @size: bytes of an entry
 *
 * Return: the entries, zeroed and with their size in the first member; NULL without
 * memory.
 */
static void *list_make(struct list *list, struct context *ctx, size_t nr, size_t size)
{
	size_t i;

	list->nr = 0;
	list->at = context_calloc(ctx, nr + 1, size);
	if (!list->at)
		return NULL;
	for (i = 0; i < nr; i++)
		*(size_t *)((char *)list->at + i * size) = size;
	list->nr = nr;
	return list->at;
}

/* Return entry @i of a list of entries of @size bytes, or NULL. */
static const void *list_get(const struct list *list, size_t i, size_t size)
{
	return i < list->nr ? (const char *)list->at + i * size : NULL;
}

/* ---- time ---- */

static void list_steps(struct kmemtrace_trace *trace, const struct history *h)
{
	struct kmemtrace_step *to;
	size_t i;
	int s;

	trace->timeline = (struct kmemtrace_timeline) {
		.size = sizeof(trace->timeline),
		.begin = h->begin,
		.step_ns = h->width,
		.nr_steps = h->nr_steps,
	};
	to = list_make(&trace->steps, &trace->t.ctx, h->nr_steps, sizeof(*to));
	for (i = 0; i < trace->steps.nr; i++) {
		for (s = 0; s < NR_SPACES; s++) {
			to[i].most[s] = h->steps[i].most[s];
			to[i].live[s] = h->steps[i].live[s];
			to[i].allocs[s] = h->steps[i].allocs[s];
			to[i].bytes_alloc[s] = h->steps[i].bytes[s];
		}
	}
}

static void set_cells(struct kmemtrace_trace *trace)
{
	const struct cells *c = &trace->t.ledger.cells;

	trace->cells = (struct kmemtrace_cells) {
		.size = sizeof(trace->cells),
		.begin = c->begin,
		.step_ns = UINT64_C(1) << c->shift,
		.nr_steps = (trace_span(&trace->t) >> c->shift) + 1,
		.nr = c->nr,
	};
}

static void list_phases(struct kmemtrace_trace *trace, const struct history *h)
{
	struct kmemtrace_boot_phase *to;
	size_t i;
	int s;

	to = list_make(&trace->phases, &trace->t.ctx, h->nr_phases, sizeof(*to));
	for (i = 0; i < trace->phases.nr; i++) {
		to[i].id = h->phases[i].id;
		to[i].begin = h->phases[i].begin;
		for (s = 0; s < NR_SPACES; s++) {
			to[i].most[s] = h->phases[i].most[s];
			to[i].live[s] = h->phases[i].live[s];
		}
	}
}

static void list_history(struct kmemtrace_trace *trace)
{
	struct history h = trace->t.ledger.history;

	/* The last step and phase of the original go on. */
	if (trace->t.is_growing)
		history_end(&h);
	list_steps(trace, &h);
	list_phases(trace, &h);
}

static void set_space(struct kmemtrace_trace *trace, enum space space)
{
	const struct stats *s = &trace->t.ledger.stats;
	const struct peak *peak = &trace->t.ledger.history.peaks[space];
	const struct totals *t = &s->totals[space];
	const struct amount *begin = &s->baseline.at_end[space];

	trace->spaces[space] = (struct kmemtrace_space_info) {
		.size = sizeof(struct kmemtrace_space_info),
		.is_used = s->sites[space].nr,
		.free_calls = t->frees,
		.failed = t->failed,
		.peak_time = peak->time,
		.older_live = t->older.nr,
		.older_bytes_req = t->older.req,
		.older_bytes_alloc = t->older.alloc,
		.begin_live = begin->nr,
		.begin_bytes_req = begin->req,
		.begin_bytes_alloc = begin->alloc,
		.freed_during = s->baseline.freed_during[space],
		.has_baseline = s->baseline.complete && !s->baseline.without[space],
	};
}

/* Fill all lists of a trace that was read. Return 0 or -ENOMEM. */
int api_list_all(struct kmemtrace_trace *trace)
{
	int space;

	list_history(trace);
	set_cells(trace);
	api_list_who(trace);
	if (namesakes_find(trace))
		context_fail(&trace->t.ctx, -ENOMEM);
	for (space = 0; space < NR_SPACES; space++)
		set_space(trace, space);
	return context_error(&trace->t.ctx);
}

static void free_list(struct list *list)
{
	free(list->at);
	*list = (struct list) { .nr = 0 };
}

/* Free what api_list_all() allocated. */
void api_free_lists(struct kmemtrace_trace *trace)
{
	api_free_who(trace);
	free_list(&trace->steps);
	free_list(&trace->phases);
	free_list(&trace->namesakes);
}

/* ---- getters ---- */

const struct kmemtrace_space_info *
kmemtrace_get_space(const struct kmemtrace_trace *trace, enum kmemtrace_space space)
{
	return trace->is_read && is_space(space) ? &trace->spaces[space] : NULL;
}

const struct kmemtrace_timeline *
kmemtrace_get_timeline(const struct kmemtrace_trace *trace)
{
	return trace->is_read ? &trace->timeline : NULL;
}

const struct kmemtrace_step *kmemtrace_get_step(const struct kmemtrace_trace *trace,
						size_t i)
{
	return list_get(&trace->steps, i, sizeof(struct kmemtrace_step));
}

const struct kmemtrace_boot_phase *
kmemtrace_get_phase(const struct kmemtrace_trace *trace, size_t i)
{
	return list_get(&trace->phases, i, sizeof(struct kmemtrace_boot_phase));
}

/* ---- kinds ---- */

/* Return kind @i of the ledger as the public structure. */
struct kmemtrace_kind api_kind(const struct ledger *l, uint32_t i)
{
	const struct kind *kind = kinds_get(&l->kinds, i);
	const unsigned int step = kind_step(kind);
	const struct party *party = &l->who.parties[who_key_party(kind->who)];

	return (struct kmemtrace_kind) {
		.size = sizeof(struct kmemtrace_kind),
		.space = kind_space(kind),
		.call_site = kind->site,
		.is_free = kind_is_free(kind),
		.is_hidden = kind_is_hidden(kind),
		.is_older = kind_is_older(kind),
		.bytes_alloc = class_size(kind->class),
		.min_req = step ? request_step_max(step - 1) + 1 : 0,
		.max_req = request_step_max(step),
		.node = kind_node(kind),
		.gfp_flags = step ? kind_gfp(kind) : KMEMTRACE_UNKNOWN_GFP,
		.cache = class_cache(kind->class),
		.weight = kind_is_free(kind) ? 1 : sample_weight(l, kind),
		.path = who_key_path(kind->who),
		.task = party->task,
		.cgroup = party->cgroup,
	};
}

/* Return the mobility that the flags of a kind request. */
enum kmemtrace_mobility api_mobility(const struct kmemtrace_trace *trace, uint64_t gfp_flags)
{
	const char *release = tracedir_meta(&trace->t.dir, "kernel_release");

	return gfp_flags == KMEMTRACE_UNKNOWN_GFP ? KMEMTRACE_MOBILITY_UNKNOWN :
	       (enum kmemtrace_mobility)gfp_migratetype(release, gfp_flags);
}

int kmemtrace_each_kind(const struct kmemtrace_trace *trace,
			int (*each)(void *arg, const struct kmemtrace_kind *kind),
			void *arg)
{
	const struct ledger *l = &trace->t.ledger;
	uint32_t i;
	int ret = 0;

	if (!trace->is_read)
		return -ENODATA;
	for (i = 0; !ret && i < l->kinds.nr; i++) {
		struct kmemtrace_kind kind = api_kind(l, i);

		kind.mobility = api_mobility(trace, kind.gfp_flags);
		kind.peak_bytes = books_row(l, i).peak;
		ret = each(arg, &kind);
	}
	return ret;
}

static_assert(KMEMTRACE_NEVER == CELLS_NEVER, "KMEMTRACE_NEVER");

const struct kmemtrace_cells *kmemtrace_get_cells(const struct kmemtrace_trace *trace)
{
	return trace->is_read && trace->t.ledger.cells.list ? &trace->cells : NULL;
}

static struct kmemtrace_cell public_cell(const struct ledger *l, const struct cell *from)
{
	const struct kind *kind = kinds_get(&l->kinds, cell_kind(from));
	const uint64_t weight = sample_weight(l, kind), nr = weight * from->nr;

	return (struct kmemtrace_cell) {
		.size = sizeof(struct kmemtrace_cell),
		.kind = cell_kind(from),
		.born = cell_born(from),
		.ended = cell_ended(from),
		.nr = nr,
		.bytes_req = weight * from->req,
		.bytes_alloc = nr * (kind_space(kind) == SPACE_PAGES ? l->page_size :
			     class_size(kind->class)),
		.calls = weight * from->calls,
	};
}

/* Call a function for each cell of a list. Return as kmemtrace_each_cell(). */
static int walk_cells(const struct ledger *l, const struct cell *list, size_t nr,
		      int (*each)(void *arg, const struct kmemtrace_cell *cell), void *arg)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < nr; i++) {
		const struct kmemtrace_cell cell = public_cell(l, &list[i]);

		if (!kind_is_hidden(kinds_get(&l->kinds, cell.kind)))
			ret = each(arg, &cell);
	}
	return ret;
}

int kmemtrace_each_cell(const struct kmemtrace_trace *trace,
			int (*each)(void *arg, const struct kmemtrace_cell *cell),
			void *arg)
{
	const struct ledger *l = &trace->t.ledger;
	struct cell *list;
	size_t nr;
	int ret;

	if (!kmemtrace_get_cells(trace))
		return -ENODATA;
	if (!trace->t.is_growing)
		return walk_cells(l, l->cells.list, l->cells.nr, each, arg);
	ret = cells_list(&l->cells, &list, &nr);
	if (!ret)
		ret = walk_cells(l, list, nr, each, arg);
	free(list);
	return ret;
}
