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

#include "ledger/rules.h"
#include "ledger/sample.h"
#include "ledger/contradictions.h"
#include "ledger/shard.h"
#include "ledger/slots.h"
#include "ledger/waiting.h"

/* Return the frame of a change that look_ahead() didn't find. Others may lose their places. */
static __attribute__((noinline)) struct slot *look_up_frame(struct shard_work *j, const struct change *c)
{
	j->looked = true;
	return work_frame(j, c->ptr);
}

/* Return the slab object of a change that was not guessed. Others may lose their places. */
static __attribute__((noinline)) struct object *look_up_object(struct shard_work *j,
							       const struct change *c)
{
	j->looked = true;
	return objects_look_up(&j->s->objects[SPACE_SLAB], c->ptr, c->time);
}

/**
 * take_plain_object - take a plain change of an object
 * @j: the work on the shard
 * @c: the change
 * @space: its allocator
 * @obj: the object
 * @frame: its frame, NULL: unknown; only of slab objects
 * @effect: result
 *
 * Return: false, with nothing done, if it isn't plain.
 */
static ALWAYS_INLINE bool take_plain_object(struct shard_work *j, const struct change *c,
					    enum space space,
					    struct object *obj, struct slot *frame,
					    struct effect *effect)
{
	const uint8_t freed = SLOT_BITS(.state = SLOT_FREED);

	if (rules_not_plain(&obj->slot, c))
		return false;
	if (space == SPACE_SLAB) {
		if (!frame)
			frame = look_up_frame(j, c);
		/* An allocation in a free frame; the change of a free has the bit, too. */
		if (frame->bits & ~c->bits & freed)
			return false;
	}
	rules_apply_to_object(j, c, space, &obj->slot, frame, effect, true);
	return true;
}

/* The same for an object of percpu memory or of vmalloc(). */
static __attribute__((noinline)) bool take_rare_object(struct shard_work *j, const struct change *c,
						       struct effect *effect)
{
	struct object *obj = objects_get(&j->s->objects[c->space], c->ptr, c->time);

	return take_plain_object(j, c, c->space, obj, NULL, effect);
}

/* Return whether pages are fewer than a chunk, and in one. */
static inline bool are_in_chunk(const struct shard_work *j, const struct change *c)
{
	const uint64_t n = slots_frames(j, c);

	return n < CHUNK_FRAMES &&
	       (c->ptr >> j->l->page_shift) % CHUNK_FRAMES + n <= CHUNK_FRAMES;
}

/* The same for pages that are in one chunk; @slots: their frames. They are plain if alike. */
static __attribute__((noinline)) bool take_plain_pages(struct shard_work *j, const struct change *c,
						       struct slot *slots, struct effect *effect)
{
	uint64_t wrong = c->type ^ KMEMTRACE_TYPE_PAGES, mask = mask_of(c->is_free);
	uint64_t pfn = c->ptr >> j->l->page_shift, i, n = slots_frames(j, c);

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
static __attribute__((noinline)) void take_by_rules(struct shard_work *j, struct change *c,
						    struct effect *effect)
{
	bool is_alloc = !c->is_free & !c->is_rest;
	uint32_t examined = 0;

	*effect = (struct effect) { .kind = NO_KIND };
	j->looked = true;
	j->at = c->event;
	j->effect = effect;
	j->space = c->space;
	work_count_allocs(j, c->kind, is_alloc, c->req & mask_of(is_alloc));
	if (j->s->has_cells && is_alloc)
		work_count_cell(j, c->kind, c->time, CELLS_LIVE,
				&(struct cell) { .calls = 1 });
	if (j->s->nr_waiting && waiting_holds(j, c)) {
		waiting_add(j, c);
	} else if (slots_fit(j, c, &examined)) {
		contradiction_take(j, c, true);
		if (j->s->nr_waiting)
			waiting_retry(j, c);
	} else if (j->l->patient) {
		c->waited = true;
		waiting_add(j, c);
	} else {
		contradiction_take(j, c, false);
	}
}

/* Return whether no change of the shard is plain now. */
static inline bool none_is_plain(const struct shard *s)
{
	return s->nr_waiting | s->nr_owed | s->has_cells;
}

/* ---- NUMA nodes ---- */

/* Return whether an allocator's addresses are in the linear map, and have a known node. */
static inline bool is_linear(const struct change *c)
{
	return c->space == SPACE_SLAB || c->space == SPACE_PAGES;
}

/**
 * struct near - the nodes of addresses, which are often near others
 * @nodes: all nodes
 * @last: the last two ranges of addresses
 */
struct near {
	const struct nodes *nodes;
	struct node_range last[2];
};

/* Return the node of an address. */
static inline int near_find(struct near *near, uint64_t ptr)
{
	struct node_range *last = near->last, before = *last;

	if (node_range_has(last, ptr))
		return last->node;
	*last = node_range_has(&last[1], ptr) ? last[1] : nodes_find(near->nodes, ptr);
	last[1] = before;
	return last->node;
}

/*
 * Count the nodes of allocations, only for machines with several nodes. Most allocations
 * are counted in the row of the one before.
 */
static __attribute__((noinline)) void count_nodes(const struct shard_work *j,
						  const struct segment *seg)
{
	const struct node_range first = nodes_find(&j->l->nodes, 0);
	struct near near = { &j->l->nodes, { first, first } };
	const struct change *c, *end = &seg->changes[seg->nr];
	struct row *rows[NR_SPACES] = { NULL }, **row;

	for (c = seg->changes; c < end; c++) {
		unsigned int weight = 1;
		int asked = NO_NODE;
		uint64_t key;

		if (c->is_free | c->is_hidden)
			continue;
		if (c->is_special) {
			asked = kind_node(work_kind(j, c->kind));
			weight = sample_weight(j->l, work_kind(j, c->kind));
		}
		key = node_key(asked, c->cpu, is_linear(c) ? near_find(&near, c->ptr) : NO_NODE);
		row = &rows[c->space];
		if (!*row || (*row)->key != key)
			*row = table_row_of(&j->sums->nodes[c->space], key);
		(*row)->allocs += weight * !c->is_rest;
		(*row)->alloc += weight * c->alloc;
	}
}

/* ---- the places of changes ---- */

/*
 * Changes whose state is found and prefetched at a time, before the first of them needs it: the
 * processor loads all of it at once. More would exceed its reorder buffer. What the search for the
 * state reads is prefetched for as many changes behind them.
 */
#define LOOK_AHEAD	16

/**
 * struct frame_place - where the state of a change is
 * @obj: the entry that may be its slab object
 * @frame: its first frame; NULL: it was not found
 */
struct frame_place {
	struct object *obj;
	struct slot *frame;
};

/**
 * struct round - changes whose places were found together
 * @changes: those that were not taken
 * @end: their end
 * @places: of all of the round
 */
struct round {
	struct change *changes, *end;
	struct frame_place places[LOOK_AHEAD];
};

/* Return the end of a round that begins at @c. */
static inline struct change *round_end(struct change *c, struct change *end)
{
	return end - c < LOOK_AHEAD ? end : c + LOOK_AHEAD;
}

/* Prefetch what the search for the places of changes will read. */
static ALWAYS_INLINE void prefetch_searches(const struct shard_work *j, const struct change *c,
					    const struct change *end)
{
	const struct objects *o = &j->s->objects[SPACE_SLAB];
	const unsigned int page_shift = j->l->page_shift;
	const struct frames *f = &j->s->frames;

	for (; c < end; c++) {
		objects_prefetch_tags(o, c->ptr);
		frames_prefetch_home(f, c->ptr >> page_shift);
	}
}

/*
 * Begin a round at @c: find the places of its changes as if all were of slab objects, as most are,
 * and prefetch them.
 */
static __attribute__((noinline)) void look_ahead(const struct shard_work *j, struct change *c,
						 struct change *end, struct round *r)
{
	const struct objects *o = &j->s->objects[SPACE_SLAB];
	const unsigned int page_shift = j->l->page_shift;
	const struct frames *f = &j->s->frames;
	struct frame_place *place = r->places;

	r->changes = c;
	r->end = round_end(c, end);
	prefetch_searches(j, r->end, round_end(r->end, end));
	for (; c < r->end; c++, place++) {
		place->obj = objects_guess(o, c->ptr);
		place->frame = frames_at_home(f, c->ptr >> page_shift);
		__builtin_prefetch(place->obj, 1);
		if (place->frame)
			__builtin_prefetch(&place->frame->objects, 1);
	}
}

/* Return whether slab objects or frames got new places since the last call. */
static bool have_moved(struct shard_work *j)
{
	const uint32_t before = j->moves;

	j->looked = false;
	j->moves = j->s->frames.moves + j->s->objects[SPACE_SLAB].moves;
	return j->moves != before;
}

/* Take a plain change. Nearly all are plain. */
static ALWAYS_INLINE bool take_plain(struct shard_work *j, const struct change *c,
				     const struct frame_place *place, struct effect *effect)
{
	struct object *obj;

	if (c->space == SPACE_SLAB) {
		obj = place->obj;
		if (obj->ptr != c->ptr)
			obj = look_up_object(j, c);
		return take_plain_object(j, c, SPACE_SLAB, obj, place->frame, effect);
	}
	if (c->space == SPACE_PAGES)
		return are_in_chunk(j, c) &&
		       take_plain_pages(j, c,
					place->frame ? place->frame : look_up_frame(j, c), effect);
	return take_rare_object(j, c, effect);
}

/*
 * Take the changes of a round while objects and frames stay at their places. Return false if some
 * were moved: the places of all changes that follow must be found again.
 */
static __attribute__((noinline)) bool take_round(struct shard_work *j, struct round *r,
						 struct effect *effects)
{
	bool none = none_is_plain(j->s), holds = true;
	const struct frame_place *place = r->places;
	struct change *c = r->changes;

	while (c < r->end && holds) {
		struct effect *effect = &effects[c->place];

		if (none || !take_plain(j, c, place, effect)) {
			take_by_rules(j, c, effect);
			none = none_is_plain(j->s);
		}
		c++;
		place++;
		if (j->looked)
			holds = !have_moved(j);
	}
	r->changes = c;
	return holds;
}

/* ---- public interface ---- */

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
	struct change *end = seg->changes + seg->nr;
	struct round rounds[2], *now = &rounds[0], *next = &rounds[1], *done;
	struct shard_work j;

	work_begin(&j, l, shard, thread);
	have_moved(&j);
	look_ahead(&j, seg->changes, end, now);
	while (now->changes < end) {
		look_ahead(&j, now->end, end, next);
		if (take_round(&j, now, b->effects)) {
			done = now;
			now = next;
			next = done;
		} else {
			look_ahead(&j, now->changes, end, now);
		}
	}
	work_end(&j);
	if (l->nodes.are_many)
		count_nodes(&j, seg);
}

/* Take all changes of a shard that have waited longer than the window, at a time. */
void shard_pass(struct ledger *l, unsigned int shard, int64_t time)
{
	struct shard_work j;

	if (!l->shards[shard].nr_waiting)
		return;
	work_begin_alone(&j, l, shard);
	waiting_pass(&j, time);
	work_end(&j);
}

/* After the last event: take all pending changes of a shard. */
void shard_give_up(struct ledger *l, unsigned int shard)
{
	struct shard_work j;

	work_begin_alone(&j, l, shard);
	waiting_give_up(&j);
	contradiction_give_up(&j);
	work_end(&j);
}
