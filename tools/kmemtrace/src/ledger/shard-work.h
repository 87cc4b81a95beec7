/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A thread's work on one shard: its counters, and the results for the ledger.
 */
#ifndef KMEMTRACE_SHARD_WORK_H
#define KMEMTRACE_SHARD_WORK_H

#include "ledger/state.h"

/**
 * struct ending - the end of an object's life
 * @kind: index of the kind of allocation
 * @freed_by: index of the kind of free
 * @ns: its lifetime
 */
struct ending {
	uint32_t kind, freed_by;
	int64_t ns;
};

/* Each change ends one life at most. */
#define JOB_MAX_ENDINGS	(SEGMENT_MAX + SHARD_MAX_WAITING + SHARD_MAX_OWED + 1)

/**
 * struct shard_work - one shard, and the current event in it
 * @l: the ledger; a job changes only @s and @sums
 * @s: the shard
 * @sums: the thread's
 * @effect: of the current event on its own allocator
 * @space: allocator of the current event
 * @at: number of the current event
 * @now: its time
 * @looked: slab objects or frames were looked up, which may have moved others
 * @moves: how often some were moved, when places of changes were found
 * @ending: where the next of @endings goes
 * @endings: to be counted at the end of the job
 */
struct shard_work {
	struct ledger *l;
	struct shard *s;
	struct sums *sums;
	struct effect *effect;
	enum space space;
	uint32_t at;
	int64_t now;
	bool looked;
	uint32_t moves;
	struct ending *ending;
	struct ending endings[JOB_MAX_ENDINGS];
};

int work_fit(struct ledger *l);
void work_begin(struct shard_work *j, struct ledger *l, unsigned int shard, unsigned int thread);
void work_begin_alone(struct shard_work *j, struct ledger *l, unsigned int shard);
void work_end(struct shard_work *j);
struct note *work_note(struct shard_work *j, const struct change *c,
		       enum finding_class class);
void work_count_cell(struct shard_work *j, uint32_t kind, int64_t born, int64_t ended,
		     const struct cell *counts);
void work_extra(struct shard_work *j, const struct effect *effect);
struct lifetime *work_new_lifetime(struct shard_work *j, uint32_t kind, uint32_t freed_by);

static inline const struct kind *work_kind(const struct shard_work *j, uint32_t kind)
{
	return kinds_get(&j->l->kinds, kind);
}

static inline struct sum *work_sum(const struct shard_work *j, uint32_t kind)
{
	return &j->sums->kinds[kind];
}

/* Count @nr allocations of @req bytes, which make nothing live here. */
static inline void work_count_allocs(const struct shard_work *j, uint32_t kind, uint64_t nr, uint64_t req)
{
	struct sum *sum = work_sum(j, kind);

	sum->nr[0] += nr;
	sum->nr[1] += nr;
	sum->req[0] += req;
	sum->req[1] += req;
}

/* Return the frame of an address in the linear map. */
static inline struct slot *work_frame(struct shard_work *j, uint64_t ptr)
{
	return frames_get(&j->s->frames, ptr >> j->l->page_shift);
}

/* Return the lifetimes of two kinds. The last kind of free is cached: it rarely changes. */
static inline struct lifetime *work_lifetime(struct shard_work *j, uint32_t kind, uint32_t freed_by)
{
	struct sum *sum = work_sum(j, kind);

	if (sum->freed_by != freed_by)
		return work_new_lifetime(j, kind, freed_by);
	return &j->sums->lifetimes.list[sum->lifetime];
}

/**
 * work_effect - objects or frames become live, or end
 * @j: the work on the shard
 * @space: their allocator
 * @kind: their kind
 * @nr: how many; negative: they end
 * @bytes: bytes of @nr
 */
static inline void work_effect(struct shard_work *j, enum space space, uint32_t kind,
			       int32_t nr, int64_t bytes)
{
	struct effect *effect = j->effect;

	if (effect->kind == NO_KIND && space == j->space) {
		*effect = (struct effect) { kind, nr, bytes };
	} else if (effect->kind == kind) {
		effect->nr += nr;
		effect->bytes += bytes;
	} else {
		work_extra(j, &(struct effect) { kind, nr, bytes });
	}
}

#endif /* KMEMTRACE_SHARD_WORK_H */
