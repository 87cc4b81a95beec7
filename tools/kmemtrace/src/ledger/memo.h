/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memos of records: most records differ from others in address and time only. A memo keeps
 * the result of examining the first of them.
 */
#ifndef KMEMTRACE_MEMO_H
#define KMEMTRACE_MEMO_H

#include <assert.h>
#include <string.h>

#include "ledger/state.h"
#include "common/bits.h"

/* The last memo is for a record whose memo fits no other record. */
#define MEMOS_SHIFT	13
#define NR_MEMOS	((1 << MEMOS_SHIFT) + 1)

/**
 * struct memo - records that differ in address and time alone
 * @head: the first word of each
 * @site: call site
 * @alloc: bytes allocated
 * @cache: address of the cache, 0 if the record has none
 * @who: number of the call path, and index of the task in the upper half; 0: unknown
 * @traits: memo_traits() when @kind was looked up
 * @least: fewest bytes requested
 * @more: how many more may be requested: all are in one request_step(), and fit into @alloc
 * @kind: index of their kind
 * @type: enum kmemtrace_type_id
 * @bits: as in struct change
 * @outcome: as in struct change
 * @space: enum space
 * @is_free: not allocations
 * @is_hidden: a filter excludes them
 * @is_special: as in struct change
 * @tags: as in struct change
 */
struct memo {
	uint64_t head, site, alloc, cache, who;
	uint64_t traits;
	uint32_t least, more;
	uint32_t kind;
	union {
		struct {
			uint8_t type, bits;
		};
		uint16_t outcome;
	};
	union {
		struct {
			uint8_t space;
			bool is_free : 1, is_hidden : 1, is_special : 1;
		};
		uint16_t tags;
	};
};

static_assert(sizeof(struct memo) == 64, "one cache line");

/* Return a number that changes when addresses of caches or numbers of paths get new meanings. */
static inline uint32_t memo_names_ended(const struct ledger *l)
{
	return l->caches.ended + l->who.generation;
}

/* Where in the traits the variant is. */
#define MEMO_VARIANT_SHIFT	61
static_assert(SELECTION_VARIANTS == 1 << (64 - MEMO_VARIANT_SHIFT), "it has room there");

/* Return the variant of a record for a filter that may tell records of a memo apart; else 0. */
static ALWAYS_INLINE uint64_t memo_variant(const struct ledger *l,
					   const struct kmemtrace_event *ev, unsigned int cpu,
					   int64_t time)
{
	uint64_t req = ev->event_id == KMEMTRACE_EVENT_FREE ? 0 : ev->bytes_req;

	if (!l->selection || !l->selection->by_event)
		return 0;
	return (uint64_t)selection_variant(l->selection, req, cpu, time) << MEMO_VARIANT_SHIFT;
}

/* Return the flags that kinds have, with memo_variant() and memo_names_ended(). */
static inline uint64_t memo_traits(const struct ledger *l, uint64_t gfp, uint64_t variant)
{
	return ((uint32_t)gfp | (uint64_t)memo_names_ended(l) << 32) ^ variant;
}

/* Return the first word of a record. */
static ALWAYS_INLINE uint64_t memo_head(const struct kmemtrace_event *ev)
{
	uint64_t head;

	memcpy(&head, ev, sizeof(head));
	return head;
}

/* Return the cache of a record: its tail begins with it, but in ABI version 1 it is anything. */
static inline uint64_t memo_cache(const struct ledger *l, const struct record *rec)
{
	return rec->tail_size < sizeof(uint64_t) || l->is_abi1 ? 0 : record_word(rec, 0);
}

/**
 * memo_at - find the entry for the memo of a record
 * @l: the ledger
 * @ev: the record
 * @more: what else its hash depends on
 *
 * Return: the entry, whose memo may be of other records.
 */
static ALWAYS_INLINE struct memo *memo_at(const struct ledger *l, const struct kmemtrace_event *ev,
					  uint64_t more)
{
	/* Of a request for 0 bytes, it is the step of the largest number. */
	const uint64_t step = request_step_from(ev->bytes_req - 1);
	uint64_t key = ev->call_site ^ ev->bytes_alloc << 20 ^ step << 52 ^ more;

	return &l->memos[hash_u64(key) >> (64 - MEMOS_SHIFT)];
}

/* Return the second place for a memo. It is the first one of other records. */
static inline struct memo *memo_second(const struct ledger *l, const struct memo *first)
{
	return &l->memos[(first - l->memos) ^ 1];
}

/**
 * memo_is_of - compare a memo with a record in all but @who
 * @m: the memo
 * @ev: the record
 * @cache: memo_cache()
 * @traits: memo_traits()
 *
 * A record without who is never like one that says who caused it: it is shorter.
 *
 * Return: whether the record is like that of the memo.
 */
static ALWAYS_INLINE bool memo_is_of(const struct memo *m, const struct kmemtrace_event *ev,
				     uint64_t cache, uint64_t traits)
{
	return !((m->head ^ memo_head(ev)) | (m->site ^ ev->call_site) |
		 (m->alloc ^ ev->bytes_alloc) | (m->cache ^ cache) | (m->traits ^ traits)) &&
	       ev->bytes_req - m->least <= m->more;
}

/* Return whether the records are frees, or a filter excludes them. */
static ALWAYS_INLINE bool memo_is_other(const struct memo *m)
{
	return m->is_free | m->is_hidden;
}

/* Return whether the address is possible. */
static ALWAYS_INLINE bool memo_suits(const struct memo *m, const struct ledger *l,
				     const struct kmemtrace_event *ev)
{
	return ev->ptr && (m->space != SPACE_PAGES || !(ev->ptr & (l->page_size - 1)));
}

/* Return whether a block of pages is in several stripes of frames. Few are: they are aligned. */
static ALWAYS_INLINE bool memo_has_parts(const struct memo *m, const struct ledger *l,
					 const struct kmemtrace_event *ev)
{
	return m->space == SPACE_PAGES &&
	       (ev->ptr + ev->bytes_alloc - 1) >> l->stripe_shift != ev->ptr >> l->stripe_shift;
}

/* Make a change of a record and its memo, but for its place. */
static ALWAYS_INLINE void memo_fill(struct change *c, struct ledger *l,
				    const struct kmemtrace_event *ev, const struct memo *m,
				    unsigned int cpu, int64_t time)
{
	c->ptr = ev->ptr;
	c->req = ev->bytes_req;
	c->alloc = ev->bytes_alloc;
	c->time = time;
	c->kind = m->kind;
	c->cpu = cpu;
	c->outcome = m->outcome;
	c->event = l->events++;
	c->tags = m->tags;
}

/**
 * memo_add - add the change of a record to a batch
 * @l: the ledger
 * @b: the batch
 * @ev: the record
 * @m: its memo
 * @cpu: CPU of its stream
 * @time: when, in the last stretch of the batch
 *
 * Return: false, with nothing done, if the memo doesn't hold for this address or size, if the
 * batch has no room, or if the change has parts.
 */
static ALWAYS_INLINE bool memo_add(struct ledger *l, struct batch *b,
				   const struct kmemtrace_event *ev, const struct memo *m,
				   unsigned int cpu, int64_t time)
{
	const unsigned int shard = ledger_shard_of(l, ev->ptr);

	if (!memo_suits(m, l, ev) || memo_has_parts(m, l, ev) || batch_is_full(b, shard))
		return false;
	memo_fill(batch_add_event(b, shard, m->space, memo_is_other(m), ev->bytes_alloc), l, ev,
		  m, cpu, time);
	return true;
}

#endif /* KMEMTRACE_MEMO_H */
