/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A thread's work on one shard: its counters, and the results for the books.
 */
#ifndef KMEMTRACE_JOB_H
#define KMEMTRACE_JOB_H

#include "books/state.h"

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
 * struct job - one shard, and the current event in it
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
struct job {
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

int job_fit(struct ledger *l);
void job_begin(struct job *j, struct ledger *l, unsigned int shard, unsigned int thread);
void job_begin_alone(struct job *j, struct ledger *l, unsigned int shard);
void job_end(struct job *j);
struct note *job_note(struct job *j, const struct change *c,
		      enum finding_class class);
void job_count_cell(struct job *j, uint32_t kind, int64_t born, int64_t ended,
		    const struct cell *counts);
void job_extra(struct job *j, const struct effect *effect);
struct lifetime *job_new_lifetime(struct job *j, uint32_t kind, uint32_t freed_by);

static inline const struct kind *job_kind(const struct job *j, uint32_t kind)
{
	return kinds_get(&j->l->kinds, kind);
}

static inline struct sum *job_sum(const struct job *j, uint32_t kind)
{
	return &j->sums->kinds[kind];
}

/* Count @nr allocations of @req bytes, which make nothing live here. */
static inline void job_count_allocs(const struct job *j, uint32_t kind, uint64_t nr, uint64_t req)
{
	struct sum *sum = job_sum(j, kind);

	sum->nr[0] += nr;
	sum->nr[1] += nr;
	sum->req[0] += req;
	sum->req[1] += req;
}

/* Return the frame of an address in the linear map. */
static inline struct slot *job_frame(struct job *j, uint64_t ptr)
{
	return frames_get(&j->s->frames, ptr >> j->l->page_shift);
}

/* Return the lifetimes of two kinds. The last kind of free is cached: it rarely changes. */
static inline struct lifetime *job_lifetime(struct job *j, uint32_t kind, uint32_t freed_by)
{
	struct sum *sum = job_sum(j, kind);

	if (sum->freed_by != freed_by)
		return job_new_lifetime(j, kind, freed_by);
	return &j->sums->lifetimes.list[sum->lifetime];
}

/**
 * job_effect - objects or frames become live, or end
 * @j: the job
 * @space: their allocator
 * @kind: their kind
 * @nr: how many; negative: they end
 * @bytes: bytes of @nr
 */
static inline void job_effect(struct job *j, enum space space, uint32_t kind,
			      int32_t nr, int64_t bytes)
{
	struct effect *effect = j->effect;

	if (effect->kind == NO_KIND && space == j->space) {
		*effect = (struct effect) { kind, nr, bytes };
	} else if (effect->kind == kind) {
		effect->nr += nr;
		effect->bytes += bytes;
	} else {
		job_extra(j, &(struct effect) { kind, nr, bytes });
	}
}

#endif /* KMEMTRACE_JOB_H */
