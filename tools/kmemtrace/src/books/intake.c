// SPDX-License-Identifier: GPL-2.0
/*
 * intake.c - from records to changes in a batch
 *
 * Most records differ from others in address and time only. A memo keeps the result of
 * examining the first of them.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "books/charges.h"
#include "books/intake.h"
#include "books/live.h"
#include "books/others.h"
#include "books/sample.h"
#include "books/timeline.h"
#include "common/bits.h"

/* The last memo is for a record whose memo fits no other record. */
#define MEMOS_SHIFT	12
#define NR_MEMOS	((1 << MEMOS_SHIFT) + 1)

/* Bytes of the tail of a struct kmemtrace_who_event. */
#define WHO_TAIL	(sizeof(struct kmemtrace_who_event) - EVENT_MIN_SIZE)

/**
 * struct memo - records that differ in address and time alone
 * @head: the first word of each
 * @site: call site
 * @alloc: bytes allocated
 * @cache: address of the cache, 0 if the record has none
 * @who: number of the call path, and index of the task in the upper half; 0: unknown
 * @gfp: the flags that kinds have
 * @unaligned: bits that no address has
 * @step: request_step() of the bytes requested
 * @ended: names_ended() when @kind was looked up
 * @kind: index of their kind
 * @type: enum kmemtrace_type_id
 * @space: enum space
 * @is_free: not allocations
 * @tags: as in struct change
 */
struct memo {
	uint64_t head, site, alloc, cache, who;
	uint32_t gfp, unaligned;
	uint32_t step, ended;
	uint32_t kind;
	union {
		struct {
			uint8_t type;
			uint8_t space;
			bool is_free;
		};
		uint32_t tags;
	};
};

static_assert(sizeof(struct memo) == 64, "one cache line");

/* ---- which records are possible ---- */

/* Return whether the memory ends after the last address. */
static bool wraps(const struct kmemtrace_event *ev)
{
	return ev->bytes_alloc > -ev->ptr;
}

/* Return whether the bytes are a power of two of pages. */
static bool pages_possible(const struct ledger *l,
			   const struct kmemtrace_event *ev, bool is_free)
{
	uint64_t pages = ev->bytes_alloc >> l->page_shift;

	return ev->ptr && ev->ptr % l->page_size == 0 &&
	       ev->bytes_alloc % l->page_size == 0 &&
	       pages && !(pages & (pages - 1)) && !wraps(ev) &&
	       ev->bytes_alloc <= live_max_bytes(SPACE_PAGES, l->page_size) &&
	       (is_free || (ev->bytes_req && ev->bytes_req <= ev->bytes_alloc));
}

/* Return whether a kernel could have written the record. Others are not counted. */
static bool is_possible(const struct ledger *l, const struct kmemtrace_event *ev,
			enum space space, bool is_free)
{
	if (space == SPACE_PAGES)
		return pages_possible(l, ev, is_free);
	return (is_free & !!ev->ptr) |
	       live_object_possible(space, ev->ptr, ev->bytes_req,
				    ev->bytes_alloc);
}

/* ---- memos ---- */

/* Return whether the record is an allocation of a sampled object, whose kind has a group. */
static inline bool has_group(const struct ledger *l, const struct memo *m)
{
	return sample_applies(l, m->space, m->alloc) && !m->is_free;
}

/* Find or add the kind of a record. */
static uint32_t kind_of(struct ledger *l, const struct record *rec, const struct memo *m,
			uint32_t charged, unsigned int cpu, int64_t time)
{
	const struct kmemtrace_event *ev = rec->ev;
	uint32_t cache = caches_index(&l->caches,
				      m->space == SPACE_SLAB ? m->cache : 0);
	struct kind kind = { .site = m->site, .rest = KIND_FREE | m->space };

	if (!m->is_free) {
		kind.class = class_key(cache, m->alloc);
		kind.rest = kind_rest(m->space, ev->bytes_req, ev->node, m->gfp);
		kind.who = others_who(l, rec, cpu, charged);
	}
	if (has_group(l, m))
		kind_set_group(&kind, spread_group(ev->ptr));
	if (l->selection && others_hide(l, ev, cache, kind.who, cpu, time))
		kind.rest |= KIND_HIDDEN;
	return kinds_index(&l->kinds, &kind);
}

/* Return the entry for the memo of a record. */
static inline struct memo *memo_at(const struct ledger *l, const struct memo *m)
{
	uint64_t key = m->site ^ m->head << 40 ^ m->alloc << 20 ^
		       (uint64_t)m->step << 52 ^ m->who;

	return &l->memos[hash_u64(key) >> (64 - MEMOS_SHIFT)];
}

/* Return a number that changes when addresses of caches or numbers of paths get new meanings. */
static inline uint32_t names_ended(const struct ledger *l)
{
	return l->caches.ended + l->who.generation;
}

/* Return whether a record says who caused it. In ABI version 1 a tail may be anything. */
static inline bool has_who(const struct ledger *l, const struct record *rec)
{
	return rec->tail_size >= WHO_TAIL && !l->is_abi1;
}

/* Return the call path and the task of a record that has_who(). */
static inline uint64_t who_of(const struct ledger *l, const struct record *rec, unsigned int cpu)
{
	uint64_t who = record_word(rec, 1);

	return (who & KMEMTRACE_WHO_STACK) | (uint64_t)who_running(&l->who, who, cpu) << 32;
}

/*
 * Return the properties that a record shares with others, but for @who. The tail of a slab
 * object begins with the cache; in ABI version 1 it may be anything.
 */
static ALWAYS_INLINE struct memo memo_of(const struct ledger *l, const struct record *rec)
{
	const struct kmemtrace_event *ev = rec->ev;
	struct memo m = {
		.site = ev->call_site,
		.alloc = ev->bytes_alloc,
		.gfp = ev->gfp_flags,
		.cache = l->is_abi1 ? 0 : record_word(rec, 0),
		.step = request_step(ev->bytes_req),
		.ended = names_ended(l),
	};

	memcpy(&m.head, ev, sizeof(m.head));
	return m;
}

/* Compare all but @who. A record without who is never like one that has_who(). */
static ALWAYS_INLINE bool are_alike(const struct memo *a, const struct memo *b)
{
	return !((a->head ^ b->head) | (a->site ^ b->site) |
		 (a->alloc ^ b->alloc) | (a->gfp ^ b->gfp) |
		 (a->cache ^ b->cache) | (a->step ^ b->step) |
		 (a->ended ^ b->ended));
}

/* Return whether the address is possible, and the requested bytes fit. */
static ALWAYS_INLINE bool suits(const struct memo *m, const struct kmemtrace_event *ev)
{
	return !!ev->ptr & !(ev->ptr & m->unaligned) &
	       (m->is_free | (ev->bytes_req <= ev->bytes_alloc));
}

/* Return whether all sizes of the step are possible if this one is. */
static bool is_common(const struct kmemtrace_event *ev)
{
	return ev->bytes_req <= INT32_MAX / 2 && ev->bytes_alloc <= INT32_MAX / 2;
}

/* Return whether it may be a page of kmemtrace's own buffers, by its address. */
static bool may_be_own(const struct ledger *l, const struct memo *m)
{
	return l->own.nr && m->space == SPACE_PAGES && !m->is_free &&
	       m->alloc == l->page_size;
}

/* Return whether the memo holds for all records like this one. */
static bool holds_for_all(const struct ledger *l, const struct memo *m,
			  const struct kmemtrace_event *ev)
{
	return is_common(ev) && !(l->selection && l->selection->by_event) &&
	       !may_be_own(l, m) && !has_group(l, m) &&
	       !(l->is_abi1 && m->space == SPACE_PAGES && !m->is_free &&
		 m->alloc > l->page_size);
}

/* Return the cgroup that the memory of an allocation is charged to. */
static uint32_t charged_to(const struct ledger *l, const struct kmemtrace_event *ev)
{
	return ev->event_id == KMEMTRACE_EVENT_ALLOC ? charges_pending(l, ev) : NO_CGROUP;
}

/*
 * Make a memo. Returns NULL if the record is not a possible allocation or free, or without
 * memory for its kind.
 */
static __attribute__((noinline)) const struct memo *learn(struct ledger *l,
							  const struct record *rec,
							  unsigned int cpu,
							  int64_t time)
{
	const struct kmemtrace_event *ev = rec->ev;
	const uint32_t charged = charged_to(l, ev);
	struct memo m = memo_of(l, rec), *known;

	if (!others_is_change(ev))
		return NULL;
	m.who = has_who(l, rec) ? who_of(l, rec, cpu) : 0;
	m.type = ev->type_id;
	m.space = live_space(ev->type_id);
	m.is_free = ev->event_id == KMEMTRACE_EVENT_FREE;
	if (!is_possible(l, ev, m.space, m.is_free))
		return NULL;
	m.unaligned = m.space == SPACE_PAGES ? l->page_size - 1 : 0;
	m.kind = kind_of(l, rec, &m, charged, cpu, time);
	if (m.kind == NO_KIND)
		return NULL;
	if (may_be_own(l, &m) && own_has(&l->own, ev))
		m.type = SLOT_OWN_TYPE;
	known = charged == NO_CGROUP && holds_for_all(l, &m, ev) ? memo_at(l, &m) :
								   &l->memos[NR_MEMOS - 1];
	*known = m;
	return known;
}

/* ---- into the batch ---- */

/* Return a place for a change of one shard. */
static ALWAYS_INLINE struct change *place(struct batch *b, unsigned int shard, enum space space)
{
	struct segment *seg = &b->segments[shard];
	struct change *c = &seg->changes[seg->nr++];

	b->shards[b->nr++] = shard;
	c->place = batch_deltas(space) + b->sums[space].changes++;
	return c;
}

static ALWAYS_INLINE void set_change(struct change *c, struct ledger *l,
			      const struct kmemtrace_event *ev, const struct memo *m,
			      unsigned int cpu, int64_t time)
{
	c->ptr = ev->ptr;
	c->req = ev->bytes_req;
	c->alloc = ev->bytes_alloc;
	c->time = time;
	c->kind = m->kind;
	c->event = l->events++;
	c->cpu = cpu;
	c->tags = m->tags;
}

static ALWAYS_INLINE void count(struct batch *b, const struct memo *m, uint64_t bytes)
{
	struct batch_sum *sum = &b->sums[m->space];
	bool is_free = m->is_free;

	sum->events[is_free]++;
	sum->bytes[is_free] += bytes;
}

/* ---- blocks of pages in several shards ---- */

/* Return whether a block is in several stripes of frames. Few are: blocks are aligned. */
static inline bool has_parts(const struct ledger *l, uint64_t ptr, uint64_t bytes)
{
	unsigned int shift = l->page_shift + STRIPE_SHIFT;

	return (ptr + bytes - 1) >> shift != ptr >> shift;
}

/* Return whether each shard has room for a part. */
static bool have_room(const struct batch *b)
{
	unsigned int i;

	for (i = 0; i < NR_SHARDS; i++)
		if (b->segments[i].nr == SEGMENT_MAX)
			return false;
	return true;
}

/* Add a change for each shard that has frames of a block. */
static void add_parts(struct ledger *l, struct batch *b, struct change c)
{
	uint64_t pfn = c.ptr >> l->page_shift, nr = c.alloc >> l->page_shift;
	unsigned int i;

	c.is_part = true;
	for (i = 0; i < NR_SHARDS; i++) {
		struct block_part frames = block_part(pfn, nr, i);
		struct change *part;

		if (!frames.nr)
			break;
		part = place(b, shard_of(frames.pfn), c.space);
		c.ptr = frames.pfn << l->page_shift;
		c.alloc = frames.nr << l->page_shift;
		c.place = part->place;
		*part = c;
		c.is_rest = true;
	}
}

/* ---- unusual records ---- */

static bool is_free_of_pages(const struct kmemtrace_event *ev)
{
	return ev->event_id == KMEMTRACE_EVENT_FREE &&
	       ev->type_id == KMEMTRACE_TYPE_PAGES;
}

/*
 * Return whether all fields of a free of pages are defined. In ABI version 1, only our own
 * recorders defined them.
 */
static bool is_defined(const struct ledger *l, const struct kmemtrace_event *ev)
{
	return ev->node == -1 && !ev->bytes_req && !ev->gfp_flags &&
	       pages_possible(l, ev, true);
}

/*
 * The kernels of 2008 left all fields of a free undefined but its address: it frees the
 * block that begins there.
 */
static void define_free(struct ledger *l, struct kmemtrace_event *ev)
{
	ev->node = -1;
	ev->bytes_req = 0;
	ev->bytes_alloc = blocks_take(&l->blocks, ev->ptr, l->page_size);
	ev->gfp_flags = 0;
}

static enum intake_answer take_other(struct ledger *l, const struct record *rec,
				     unsigned int cpu)
{
	if (others_are_alone(l, rec->ev))
		return INTAKE_ALONE;
	others_take(l, rec, cpu);
	return INTAKE_TAKEN;
}

/* Add any record; @m: its memo, or NULL. */
static enum intake_answer add_any(struct ledger *l, struct batch *b,
				  const struct record *rec, unsigned int cpu,
				  int64_t time, const struct memo *m)
{
	const struct kmemtrace_event *ev = rec->ev;
	unsigned int shard = ledger_shard_of(l, ev->ptr);
	struct change large;
	bool fits, is_large;

	/* A memo doesn't know whether the addresses of all records like it are possible. */
	if (!m || wraps(ev))
		m = learn(l, rec, cpu, time);
	if (!m)
		return take_other(l, rec, cpu);
	is_large = m->space == SPACE_PAGES && has_parts(l, ev->ptr, ev->bytes_alloc);
	fits = is_large ? have_room(b) : b->segments[shard].nr < SEGMENT_MAX;
	if (!fits || (steps_end(&b->steps, time) &&
		      !timeline_begin_stretch(l, b, time)))
		return INTAKE_FULL;

	count(b, m, ev->bytes_alloc);
	if (l->is_abi1 && m->space == SPACE_PAGES && !m->is_free &&
	    m->alloc > l->page_size)
		blocks_add(&l->blocks, ev->ptr, ev->bytes_alloc);
	if (!m->is_free && ev->bytes_alloc < ev->bytes_req)
		others_add_finding(l, rec, FINDING_SHORT, cpu, m->kind, NULL);
	if (is_large) {
		set_change(&large, l, ev, m, cpu, time);
		add_parts(l, b, large);
	} else {
		set_change(place(b, shard, m->space), l, ev, m, cpu, time);
	}
	return INTAKE_TAKEN;
}

static __attribute__((noinline)) enum intake_answer add_slowly(struct ledger *l,
							       struct batch *b,
							       const struct record *rec,
							       unsigned int cpu,
							       int64_t time,
							       const struct memo *m)
{
	struct kmemtrace_event ev;
	struct record defined;

	if (!l->is_abi1 || !is_free_of_pages(rec->ev) || is_defined(l, rec->ev))
		return add_any(l, b, rec, cpu, time, m);
	ev = *rec->ev;
	define_free(l, &ev);
	defined = *rec;
	defined.ev = &ev;
	return add_any(l, b, &defined, cpu, time, NULL);
}

/* ---- public interface ---- */

/* Add a record whose memo, if it has one, is @m: as intake_add(). */
static ALWAYS_INLINE enum intake_answer add(struct ledger *l, struct batch *b,
					    const struct record *rec, unsigned int cpu,
					    int64_t time, const struct memo *m)
{
	const struct kmemtrace_event *ev = rec->ev;
	unsigned int shard = ledger_shard_of(l, ev->ptr);

	if (!m || !suits(m, ev))
		return add_slowly(l, b, rec, cpu, time, NULL);
	if (b->segments[shard].nr == SEGMENT_MAX || steps_end(&b->steps, time) ||
	    has_parts(l, ev->ptr, ev->bytes_alloc))
		return add_slowly(l, b, rec, cpu, time, m);
	count(b, m, ev->bytes_alloc);
	set_change(place(b, shard, m->space), l, ev, m, cpu, time);
	return INTAKE_TAKEN;
}

/* Add a record that says who caused it, or may be of memory that is charged. */
static __attribute__((noinline)) enum intake_answer add_who(struct ledger *l, struct batch *b,
							    const struct record *rec,
							    unsigned int cpu, int64_t time)
{
	const bool is_change = others_is_change(rec->ev);
	struct memo key = memo_of(l, rec);
	enum intake_answer answer;
	const struct memo *m;
	bool is_known;

	if (is_change && charges_pending(l, rec->ev) != NO_CGROUP) {
		if (rec->ev->event_id == KMEMTRACE_EVENT_FREE)
			return INTAKE_CHARGED;
		answer = add_slowly(l, b, rec, cpu, time, NULL);
	} else {
		key.who = has_who(l, rec) ? who_of(l, rec, cpu) : 0;
		m = memo_at(l, &key);
		is_known = are_alike(m, &key) && m->who == key.who;
		answer = add(l, b, rec, cpu, time, is_known ? m : NULL);
	}
	if (answer == INTAKE_TAKEN && is_change)
		charges_note(l, rec->ev);
	return answer;
}

/**
 * intake_add - add a record to a batch if it is a change, else take it
 * @l: the ledger; other threads may work on the shards of another batch
 * @b: the batch
 * @rec: the record
 * @cpu: CPU of its stream
 * @time: when, not before that of the record before
 *
 * Nearly all records have a memo, there is room for them, and they are one change.
 *
 * Return: see enum intake_answer.
 */
enum intake_answer intake_add(struct ledger *l, struct batch *b,
			      const struct record *rec, unsigned int cpu,
			      int64_t time)
{
	struct memo key;
	const struct memo *m;

	if (rec->tail_size >= l->usual_tail)
		return add_who(l, b, rec, cpu, time);
	key = memo_of(l, rec);
	m = memo_at(l, &key);
	return add(l, b, rec, cpu, time, are_alike(m, &key) ? m : NULL);
}

/* Allocate memos, which match no record. Returns 0 or -errno. */
int intake_init(struct ledger *l)
{
	const size_t bytes = NR_MEMOS * sizeof(struct memo);

	l->memos = aligned_alloc(sizeof(*l->memos), bytes);
	if (!l->memos)
		return context_fail(l->ctx, -ENOMEM);
	memset(l->memos, 0, bytes);
	return 0;
}
