/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The intake of the ledger: from records to changes in a batch.
 */
#ifndef KMEMTRACE_INTAKE_H
#define KMEMTRACE_INTAKE_H

#include "ledger/memo.h"

/**
 * enum intake_answer - what intake_add() did with a record
 * @INTAKE_TAKEN: took it
 * @INTAKE_FULL: nothing: the batch has no room for it
 * @INTAKE_ALONE: nothing: it is for ledger_event(), after all records before it
 * @INTAKE_CHARGED: nothing: it is for intake_add() once more, after ledger_charge(), after all
 *	records before it
 */
enum intake_answer {
	INTAKE_TAKEN,
	INTAKE_FULL,
	INTAKE_ALONE,
	INTAKE_CHARGED,
};

int intake_init(struct ledger *l);
enum intake_answer intake_add(struct ledger *l, struct batch *b, const struct record *rec,
			      unsigned int cpu, int64_t time);

/**
 * struct intake_usual - what is the same for all usual records in a row
 * @traits: memo_traits() of a record without flags and variant
 * @max_size: a longer record is not usual
 * @min_size: a shorter record has no cache
 */
struct intake_usual {
	uint64_t traits;
	size_t max_size, min_size;
};

/* Prepare for intake_add_usual(); it holds until intake_add() is called. */
static inline struct intake_usual intake_usual(const struct ledger *l)
{
	const size_t cache_end = EVENT_MIN_SIZE + sizeof(uint64_t);

	return (struct intake_usual) {
		.traits = memo_traits(l, 0, 0),
		.max_size = l->quick_tail ? EVENT_MIN_SIZE + l->quick_tail - 1 : 0,
		.min_size = l->is_abi1 ? EVENT_MAX_SIZE + 1 : cache_end,
	};
}

/**
 * intake_look_ahead - prefetch the memo of a record for intake_add_usual()
 * @l: the ledger
 * @ev: the record, in this machine's byte order
 * @variant: memo_variant()
 *
 * Return: the memo, which may be of other records.
 */
static ALWAYS_INLINE const struct memo *intake_look_ahead(const struct ledger *l,
							  const struct kmemtrace_event *ev,
							  uint64_t variant)
{
	const struct memo *m = memo_at(l, ev, variant);

	__builtin_prefetch(m);
	return m;
}

/**
 * intake_add_usual - add a record to a batch if it is a usual one
 * @l: the ledger; other threads may work on the shards of another batch
 * @b: the batch
 * @usual: intake_usual()
 * @m: what intake_look_ahead() returned for the record, or any other memo or NULL
 * @ev: the record, in this machine's byte order, with its tail; behind it, a word can be read
 * @variant: memo_variant()
 * @cpu: CPU of its stream
 * @time: when, in the last stretch of the batch
 *
 * Nearly all records have a memo, there is room for them, and they are one change.
 *
 * Return: false, with nothing done, if the record is for intake_add().
 */
static ALWAYS_INLINE bool intake_add_usual(struct ledger *l, struct batch *b,
					   const struct intake_usual *usual,
					   const struct memo *m,
					   const struct kmemtrace_event *ev, uint64_t variant,
					   unsigned int cpu, int64_t time)
{
	const size_t size = ev->event_size;
	/* Without a branch: most allocations have a cache, and frees have none. */
	uint64_t cache = *(const uint64_t *)(ev + 1) & mask_of(size >= usual->min_size);

	return m && size <= usual->max_size &&
	       memo_is_of(m, ev, cache, (usual->traits | (uint32_t)ev->gfp_flags) ^ variant) &&
	       memo_add(l, b, ev, m, cpu, time);
}

#endif /* KMEMTRACE_INTAKE_H */
