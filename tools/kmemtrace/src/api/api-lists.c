// SPDX-License-Identifier: GPL-2.0
/*
 * The library's interface: kinds of allocations, and cells. kmemtrace-records.h describes the
 * functions.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "api/api-lists.h"
#include "api/api-who.h"
#include "api/namesakes.h"
#include "ledger/total.h"
#include "ledger/sample.h"
#include "read/gfp.h"

static_assert(KMEMTRACE_NR_SPACES == NR_SPACES, "KMEMTRACE_NR_SPACES");

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

/* Fill all lists of a trace that was read. Return 0 or -ENOMEM. */
int api_list_all(struct kmemtrace_trace *trace)
{
	set_cells(trace);
	api_list_who(trace);
	if (namesakes_find(trace))
		context_fail(&trace->t.ctx, -ENOMEM);
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
	free_list(&trace->namesakes);
	free(trace->aged);
	trace->aged = NULL;
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
		.is_own = kind_is_own(kind),
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
		kind.peak_bytes = total_row(l, i).peak;
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
