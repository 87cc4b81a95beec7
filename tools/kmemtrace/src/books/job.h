/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What one thread does to one shard: the ledger's insides.
 */
#ifndef KMEMTRACE_JOB_H
#define KMEMTRACE_JOB_H

#include "books/ledger.h"

/**
 * struct ending - a life is over
 * @kind: index of the kind of allocation
 * @freed_by: index of that of the free
 * @ns: how long it was
 */
struct ending {
	uint32_t kind, freed_by;
	int64_t ns;
};

/**
 * struct job - one shard, and the events of it in one batch
 * @l: the ledger, of which nothing but @s and @sums may be changed
 * @s: the shard
 * @sums: the thread's
 * @effect: of the current event, in @space
 * @space: of the current event
 * @at: number of the current event
 * @ending: place for the next of those that are counted after a batch
 */
struct job {
	struct ledger *l;
	struct shard *s;
	struct sums *sums;
	struct effect *effect;
	enum space space;
	uint32_t at;
	struct ending *ending;
};

static inline const struct kind *job_kind(const struct job *j, uint32_t kind)
{
	return kinds_get(&j->l->kinds, kind);
}

static inline struct sum *job_sum(const struct job *j, uint32_t kind)
{
	return &j->sums->kinds[kind];
}

void ledger_pass(struct job *j, int64_t time);
void ledger_give_up(struct job *j);

struct note *job_note(struct job *j, const struct change *c,
		      enum finding_class class);
void job_extra(struct job *j, const struct effect *effect);

/* @nr objects or frames of @kind begin to live, or cease to if it is negative. */
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
