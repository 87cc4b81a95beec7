// SPDX-License-Identifier: GPL-2.0
/*
 * shard.c - all changes of one shard in a batch
 *
 * Allocations and frees of one object, or of one page frame, alternate. Objects are
 * matched by pointer, whatever interface was called. Pages are matched frame by frame,
 * since blocks are split and merged between allocation and free without an event. Slab
 * objects lie in pages: a frame counts its live objects, and pages that are free have none.
 */
#include "config.h"

#include "books/rules.h"
#include "books/sample.h"
#include "books/settle.h"
#include "books/shard.h"
#include "books/slots.h"
#include "books/waiting.h"

/* Take a plain change of an object. Returns false, and does nothing, if it isn't plain. */
static inline bool take_object(struct job *j, const struct change *c,
			       struct effect *effect)
{
	struct slot *slot = &objects_get(&j->s->objects[c->space], c->ptr, c->time)->slot;
	struct slot *frame = NULL;

	if (rules_not_plain(slot, c))
		return false;
	if (c->space == SPACE_SLAB) {
		frame = job_frame(j, c->ptr);
		if (~mask_of(c->is_free) & (frame->state == SLOT_FREED))
			return false;
	}
	rules_apply_to_object(j, c, slot, frame, effect, true);
	return true;
}

/* The same for pages in one chunk, fewer than all of it: plain if they are alike. */
static inline bool take_pages(struct job *j, const struct change *c,
			      struct effect *effect)
{
	uint64_t wrong = c->type ^ KMEMTRACE_TYPE_PAGES, mask = mask_of(c->is_free);
	uint64_t pfn = c->ptr >> j->l->page_shift, i, n = slots_frames(j, c);
	struct slot *slots;

	if (n >= CHUNK_FRAMES || pfn % CHUNK_FRAMES + n > CHUNK_FRAMES)
		return false;
	slots = frames_get(&j->s->frames, pfn);
	for (i = 0; i < n; i++)
		wrong |= rules_not_plain(&slots[i], c) |
			 (mask & (slots[i].objects | (slots[i].kind ^ slots->kind)));
	if (wrong)
		return false;
	for (i = 0; j->l->each_life && c->is_free && i < n; i++)
		lives_add(j, c, &slots[i], (pfn + i) << j->l->page_shift, j->l->page_size);
	rules_apply_to_frames(j, c, slots, n, n, false, effect, true);
	return true;
}

/* Take a change that isn't plain, or while others wait. */
static __attribute__((noinline)) void take_other(struct job *j, struct change *c,
						 struct effect *effect)
{
	struct sum *sum = job_sum(j, c->kind);
	bool is_alloc = !c->is_free & !c->is_rest;
	uint32_t examined = 0;

	*effect = (struct effect) { .kind = NO_KIND };
	j->at = c->event;
	j->effect = effect;
	j->space = c->space;
	sum->allocs += is_alloc;
	sum->req += c->req & mask_of(is_alloc);
	if (j->s->has_cells && is_alloc)
		job_count_cell(j, c->kind, c->time, CELLS_LIVE,
			       &(struct cell) { .calls = 1 });
	if (j->s->nr_waiting && waiting_holds(j, c)) {
		waiting_add(j, c);
	} else if (slots_fit(j, c, &examined)) {
		settle_take(j, c, true);
		if (j->s->nr_waiting)
			waiting_retry(j, c);
	} else if (j->l->patient) {
		c->waited = true;
		waiting_add(j, c);
	} else {
		settle_take(j, c, false);
	}
}

static inline void take_change(struct job *j, struct change *c, struct effect *effect)
{
	if (j->s->nr_waiting | j->s->nr_owed | j->s->has_cells ||
	    !(c->space == SPACE_PAGES ? take_pages(j, c, effect) :
					take_object(j, c, effect)))
		take_other(j, c, effect);
}

/* ---- NUMA nodes ---- */

/* Return whether an allocator's addresses are in the linear map, and have a known node. */
static bool is_linear(const struct change *c)
{
	return c->space == SPACE_SLAB || c->space == SPACE_PAGES;
}

/*
 * Count the nodes of allocations, only for machines with several nodes. Most allocations
 * are on the node, and counted in the row, of the one before.
 */
static __attribute__((noinline)) void count_nodes(const struct job *j,
						  const struct segment *seg)
{
	struct node_range range = nodes_find(&j->l->nodes, 0);
	const struct change *c, *end = &seg->changes[seg->nr];
	struct row *rows[NR_SPACES] = { NULL };

	for (c = seg->changes; c < end; c++) {
		const struct kind *kind = job_kind(j, c->kind);
		unsigned int weight = sample_weight(j->l, kind);
		struct row **row = &rows[c->space];
		int node = NO_NODE;
		uint64_t key;

		if (c->is_free || kind_is_hidden(kind))
			continue;
		if (is_linear(c)) {
			if (c->ptr - range.first > range.last - range.first)
				range = nodes_find(&j->l->nodes, c->ptr);
			node = range.node;
		}
		key = node_key(kind_node(kind), c->cpu, node);
		if (!*row || (*row)->key != key)
			*row = table_row(&j->sums->nodes[c->space], key);
		(*row)->allocs += weight * !c->is_rest;
		(*row)->alloc += weight * c->alloc;
	}
}

/* ---- public interface ---- */

static uint32_t min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/*
 * Changes whose state is prefetched at a time, before the first of them needs it: the
 * processor loads all of it at once. More would exceed its reorder buffer.
 */
#define LOOK_AHEAD	16

/**
 * shard_take - take all changes of one shard in a batch
 * @l: the ledger
 * @b: the batch, after ledger_open()
 * @shard: number of the shard
 * @thread: number of the thread; each may work on another shard at a time
 */
void shard_take(struct ledger *l, struct batch *b, unsigned int shard,
		unsigned int thread)
{
	struct segment *seg = &b->segments[shard];
	uint32_t i, end, seen = 0;
	struct job j;

	job_begin(&j, l, shard, thread);
	for (i = 0; i < seg->nr;) {
		/* No function: the compiler would remove a call without a result. */
		for (end = min(i + 2 * LOOK_AHEAD, seg->nr); seen < end; seen++) {
			const struct change *c = &seg->changes[seen];

			__builtin_prefetch(objects_home(&j.s->objects[c->space],
							c->ptr), 1);
			__builtin_prefetch(frames_at(&j.s->frames,
						     c->ptr >> l->page_shift), 1);
			__builtin_prefetch(job_sum(&j, c->kind), 1);
		}
		for (end = min(i + LOOK_AHEAD, seg->nr); i < end; i++) {
			take_change(&j, &seg->changes[i], &seg->effects[i]);
			b->deltas[seg->changes[i].place] = seg->effects[i].bytes;
		}
	}
	job_end(&j);
	if (l->nodes.are_many)
		count_nodes(&j, seg);
}

/* Take all changes of a shard that have waited longer than the window, at a time. */
void shard_pass(struct ledger *l, unsigned int shard, int64_t time)
{
	struct job j;

	if (!l->shards[shard].nr_waiting)
		return;
	job_begin_alone(&j, l, shard);
	waiting_pass(&j, time);
	job_end(&j);
}

/* After the last event: take all pending changes of a shard. */
void shard_give_up(struct ledger *l, unsigned int shard)
{
	struct job j;

	job_begin_alone(&j, l, shard);
	waiting_give_up(&j);
	settle_give_up(&j);
	job_end(&j);
}
