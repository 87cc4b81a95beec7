// SPDX-License-Identifier: GPL-2.0
/*
 * intake.c - from records to changes in a batch
 *
 * Most records have a memo: intake_add_usual() in intake.h makes changes of them. This file
 * examines the others, and makes memos.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/charges.h"
#include "ledger/intake.h"
#include "ledger/live.h"
#include "ledger/memo.h"
#include "ledger/other-records.h"
#include "ledger/sample.h"
#include "ledger/timeline.h"

/* Bytes of the tail of a struct kmemtrace_who_event. */
#define WHO_TAIL	(sizeof(struct kmemtrace_who_event) - EVENT_MIN_SIZE)

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
static bool is_possible_event(const struct ledger *l, const struct kmemtrace_event *ev,
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
		kind.rest = kind_rest(m->space, ev->bytes_req, ev->node,
				      (uint32_t)ev->gfp_flags);
		kind.who = other_records_who(l, rec, cpu, charged);
	}
	if (has_group(l, m))
		kind_set_group(&kind, spread_group(ev->ptr));
	ledger_hide_kind(l, &kind, l->selection &&
			 other_records_hide(l, ev, cache, kind.who, cpu, time));
	return kinds_index(&l->kinds, &kind);
}

/* Return whether a record says who caused it. In ABI version 1 a tail may be anything. */
static inline bool has_who(const struct ledger *l, const struct record *rec)
{
	return rec->tail_size >= WHO_TAIL && !l->is_abi1;
}

/* Return the call path and the task of a record that has_who(). */
static inline uint64_t who_allocated(const struct ledger *l, const struct record *rec,
				     unsigned int cpu)
{
	uint64_t who = record_word(rec, 1);

	return (who & KMEMTRACE_WHO_STACK) | (uint64_t)who_running(&l->who, who, cpu) << 32;
}

/* Return whether all sizes of the step are possible if this one is. */
static bool are_sizes_usual(const struct kmemtrace_event *ev)
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
	return are_sizes_usual(ev) && (m->is_free || ev->bytes_req <= m->alloc) &&
	       !may_be_own(l, m) && !has_group(l, m) &&
	       !(l->is_abi1 && m->space == SPACE_PAGES && !m->is_free &&
		 m->alloc > l->page_size);
}

/* Set the bytes that the records of a memo may request, from a record that has a common size. */
static void set_range(struct memo *m, const struct kmemtrace_event *ev)
{
	const unsigned int step = request_step(ev->bytes_req);
	uint64_t most = request_step_max(step);

	if (!m->is_free && most > m->alloc)
		most = m->alloc;
	m->least = step ? request_step_max(step - 1) + 1 : 0;
	m->more = most - m->least;
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
static const struct memo *learn(struct ledger *l, const struct record *rec, unsigned int cpu,
				int64_t time)
{
	const struct kmemtrace_event *ev = rec->ev;
	const uint32_t charged = charged_to(l, ev);
	const uint64_t variant = memo_variant(l, ev, cpu, time);
	const struct kind *kind;
	struct memo m, *known;

	if (!others_is_change(ev))
		return NULL;
	m = (struct memo) {
		.head = memo_head(ev),
		.site = ev->call_site,
		.alloc = ev->bytes_alloc,
		.cache = memo_cache(l, rec),
		.who = has_who(l, rec) ? who_allocated(l, rec, cpu) : 0,
		.traits = memo_traits(l, ev->gfp_flags, variant),
		.type = ev->type_id,
		.space = live_space(ev->type_id),
		.is_free = ev->event_id == KMEMTRACE_EVENT_FREE,
	};
	m.bits = m.is_free ? SLOT_BITS(.state = SLOT_FREED) : SLOT_BITS(.state = SLOT_LIVE);
	if (!is_possible_event(l, ev, m.space, m.is_free))
		return NULL;
	m.kind = kind_of(l, rec, &m, charged, cpu, time);
	if (m.kind == NO_KIND)
		return NULL;
	kind = kinds_get(&l->kinds, m.kind);
	m.is_hidden = kind_is_hidden(kind);
	m.is_special = kind_node(kind) != NO_NODE || sample_weight(l, kind) != 1;
	if (may_be_own(l, &m) && own_has(&l->own, ev))
		m.type = SLOT_OWN_TYPE;
	known = &l->memos[NR_MEMOS - 1];
	if (charged == NO_CGROUP && holds_for_all(l, &m, ev)) {
		set_range(&m, ev);
		known = memo_at(l, ev, m.who ^ variant);
		*memo_second(l, known) = *known;
	}
	*known = m;
	return known;
}

/* ---- blocks of pages in several shards ---- */

/* Return whether each shard has room for a part. */
static bool have_room(const struct batch *b)
{
	unsigned int i;

	for (i = 0; i < NR_SHARDS; i++)
		if (batch_is_full(b, i))
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
		part = batch_add(b, shard_of(frames.pfn), c.space);
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
static void define_free(const struct ledger *l, struct kmemtrace_event *ev)
{
	ev->node = -1;
	ev->bytes_req = 0;
	ev->bytes_alloc = blocks_find(&l->blocks, ev->ptr, l->page_size);
	ev->gfp_flags = 0;
}

static enum intake_answer take_rare(struct ledger *l, const struct record *rec,
				    unsigned int cpu)
{
	if (other_records_are_alone(l, rec->ev))
		return INTAKE_ALONE;
	other_records_take(l, rec, cpu);
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
		return take_rare(l, rec, cpu);
	is_large = memo_has_parts(m, l, ev);
	fits = is_large ? have_room(b) : !batch_is_full(b, shard);
	if (!fits || (steps_end(&b->steps, time) &&
		      !timeline_begin_stretch(l, b, time)))
		return INTAKE_FULL;

	batch_count(b, m->space, memo_is_other(m), ev->bytes_alloc);
	if (l->is_abi1 && m->space == SPACE_PAGES && !m->is_free &&
	    m->alloc > l->page_size)
		blocks_add(&l->blocks, ev->ptr, ev->bytes_alloc);
	if (!m->is_free && ev->bytes_alloc < ev->bytes_req)
		other_records_add_finding(l, rec, FINDING_SHORT, cpu, m->kind, NULL);
	if (is_large) {
		memo_fill(&large, l, ev, m, cpu, time);
		add_parts(l, b, large);
	} else {
		memo_fill(batch_add(b, shard, m->space), l, ev, m, cpu, time);
	}
	return INTAKE_TAKEN;
}

static enum intake_answer add_slowly(struct ledger *l, struct batch *b,
				     const struct record *rec, unsigned int cpu,
				     int64_t time, const struct memo *m)
{
	struct kmemtrace_event ev;
	enum intake_answer answer;
	struct record defined;

	if (!l->is_abi1 || !is_free_of_pages(rec->ev) || is_defined(l, rec->ev))
		return add_any(l, b, rec, cpu, time, m);
	ev = *rec->ev;
	define_free(l, &ev);
	defined = *rec;
	defined.ev = &ev;
	answer = add_any(l, b, &defined, cpu, time, NULL);
	/* A batch that is full gets the record again. */
	if (answer == INTAKE_TAKEN)
		blocks_remove(&l->blocks, ev.ptr);
	return answer;
}

/* ---- public interface ---- */

/* Return the memo of a record, or NULL, and let it be in the first place. */
static const struct memo *find_memo(const struct ledger *l, const struct record *rec,
				    uint64_t who, unsigned int cpu, int64_t time)
{
	const struct kmemtrace_event *ev = rec->ev;
	const uint64_t variant = memo_variant(l, ev, cpu, time), cache = memo_cache(l, rec);
	const uint64_t traits = memo_traits(l, ev->gfp_flags, variant);
	struct memo *first = memo_at(l, ev, who ^ variant), *second, m;

	if (!memo_is_of(first, ev, cache, traits) || first->who != who) {
		second = memo_second(l, first);
		m = *second;
		if (!memo_is_of(&m, ev, cache, traits) || m.who != who)
			return NULL;
		*second = *first;
		*first = m;
	}
	return memo_suits(first, l, ev) ? first : NULL;
}

/* Add a record that says who caused it, or may be of memory that is charged. */
static enum intake_answer add_who(struct ledger *l, struct batch *b, const struct record *rec,
				  unsigned int cpu, int64_t time)
{
	const bool is_change = others_is_change(rec->ev);
	enum intake_answer answer = INTAKE_TAKEN;
	const struct memo *m = NULL;

	if (!is_change || charges_pending(l, rec->ev) == NO_CGROUP)
		m = find_memo(l, rec, has_who(l, rec) ? who_allocated(l, rec, cpu) : 0, cpu, time);
	else if (rec->ev->event_id == KMEMTRACE_EVENT_FREE)
		return INTAKE_CHARGED;
	if (!m || steps_end(&b->steps, time) || !memo_add(l, b, rec->ev, m, cpu, time))
		answer = add_slowly(l, b, rec, cpu, time, m);
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
 * Return: see enum intake_answer.
 */
enum intake_answer intake_add(struct ledger *l, struct batch *b, const struct record *rec,
			      unsigned int cpu, int64_t time)
{
	const struct memo *m;

	if (rec->tail_size >= l->usual_tail)
		return add_who(l, b, rec, cpu, time);
	m = find_memo(l, rec, 0, cpu, time);
	if (m && !steps_end(&b->steps, time) && memo_add(l, b, rec->ev, m, cpu, time))
		return INTAKE_TAKEN;
	return add_slowly(l, b, rec, cpu, time, m);
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
