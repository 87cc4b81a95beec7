// SPDX-License-Identifier: GPL-2.0
/*
 * job.c - a thread's work on one shard: its counters, and the results for the books
 */
#include "config.h"

#include "books/job.h"

/* Allocate a sum of one thread for each kind. Returns 0 or -errno. */
static int fit(struct sums *s, const struct kinds *kinds)
{
	struct sum *sums;

	if (kinds->nr > s->room) {
		sums = context_realloc(kinds->ctx, s->kinds, 2 * (size_t)kinds->nr,
				       sizeof(*sums));
		if (!sums)
			return context_error(kinds->ctx);
		s->kinds = sums;
		s->room = 2 * kinds->nr;
	}
	for (; s->nr_kinds < kinds->nr; s->nr_kinds++)
		s->kinds[s->nr_kinds] = (struct sum) {
			.size = class_size(kinds_get(kinds, s->nr_kinds)->class),
			.freed_by = NO_KIND,
		};
	return 0;
}

/* Allocate a sum of each thread for each kind. Returns 0 or -errno. */
int job_fit(struct ledger *l)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < l->nr_sums; i++)
		ret = fit(&l->sums[i], &l->kinds);
	return ret;
}

/**
 * job_begin - begin a job
 * @j: result
 * @l: the ledger, after job_fit()
 * @shard: number of the shard
 * @thread: number of the thread
 */
void job_begin(struct job *j, struct ledger *l, unsigned int shard, unsigned int thread)
{
	j->l = l;
	j->s = &l->shards[shard];
	j->sums = &l->sums[thread];
	j->ending = j->endings;
}

/* Begin a job outside of a batch, while no other thread works. */
void job_begin_alone(struct job *j, struct ledger *l, unsigned int shard)
{
	job_begin(j, l, shard, 0);
	j->effect = &l->alone;
	j->space = SPACE_SLAB;
	j->at = l->events;
}

/* Count the lives that ended, in a loop with nothing else in it. */
void job_end(struct job *j)
{
	const struct ending *e;

	for (e = j->endings; e < j->ending; e++)
		lifetime_count(job_lifetime(j, e->kind, e->freed_by), e->ns);
	j->ending = j->endings;
}

/* job_lifetime() of another kind of free than the last one. */
__attribute__((noinline)) struct lifetime *job_new_lifetime(struct job *j, uint32_t kind,
							     uint32_t freed_by)
{
	struct sum *sum = job_sum(j, kind);

	sum->lifetime = lifetimes_index(&j->sums->lifetimes, kind, freed_by);
	sum->freed_by = freed_by;
	return &j->sums->lifetimes.list[sum->lifetime];
}

/**
 * job_note - note a possible finding
 * @j: the job
 * @c: the event that contradicts another
 * @class: the class of the finding
 *
 * Return: the note, to be completed before the next one; without memory, a note that
 *	is never read.
 */
struct note *job_note(struct job *j, const struct change *c,
		      enum finding_class class)
{
	struct shard *s = j->s;
	struct note *notes = context_grow_list(j->l->ctx, s->notes, s->nr_notes,
					       sizeof(*notes));
	struct note *note = &s->scratch;

	if (notes) {
		s->notes = notes;
		note = &notes[s->nr_notes++];
	}
	*note = (struct note) {
		.at = j->at,
		.once = c->is_part,
		.finding = {
			.class = class,
			.space = c->space,
			.site = NO_SITE,
			.site2 = job_kind(j, c->kind)->site,
			.ptr = c->ptr,
			.time = c->time,
			.cpu = c->cpu,
			.event = c->event,
			.is_hidden = kind_is_hidden(job_kind(j, c->kind)),
		},
	};
	return note;
}

/* Add another effect of an event for the timeline. */
void job_extra(struct job *j, const struct effect *effect)
{
	struct shard *s = j->s;
	struct extra *extras = context_grow_list(j->l->ctx, s->extras, s->nr_extras,
						 sizeof(*extras));

	if (!extras)
		return;
	s->extras = extras;
	s->extras[s->nr_extras++] = (struct extra) {
		.at = j->at,
		.effect = *effect,
	};
}
