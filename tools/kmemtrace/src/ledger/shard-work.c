// SPDX-License-Identifier: GPL-2.0
/*
 * shard-work.c - a thread's work on one shard: its counters, and the results for the ledger
 */
#include "config.h"

#include "ledger/shard-work.h"

/* Allocate a sum of one thread for each kind. Returns 0 or -errno. */
static int fit_sums(struct sums *s, const struct kinds *kinds)
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

/* Find the kind of the cells of each kind. Returns 0 or -errno. */
static int fit_cells(struct ledger *l)
{
	uint32_t *list, *nr = &l->nr_kinds_of_cells;

	/* The new ones among them are kinds, too. */
	for (; *nr < l->kinds.nr; ++*nr) {
		const struct kind kind = kind_of_cells(kinds_get(&l->kinds, *nr));

		list = context_grow_list(l->ctx, l->kinds_of_cells, *nr, sizeof(*list));
		if (!list)
			break;
		l->kinds_of_cells = list;
		list[*nr] = kinds_index(&l->kinds, &kind);
	}
	return context_error(l->ctx);
}

/* Allocate a sum of each thread for each kind. Returns 0 or -errno. */
int work_fit(struct ledger *l)
{
	int ret = l->cells.list ? fit_cells(l) : 0;
	unsigned int i;

	for (i = 0; !ret && i < l->nr_sums; i++)
		ret = fit_sums(&l->sums[i], &l->kinds);
	return ret;
}

/**
 * work_begin - begin to work on a shard
 * @j: result
 * @l: the ledger, after work_fit()
 * @shard: number of the shard
 * @thread: number of the thread
 */
void work_begin(struct shard_work *j, struct ledger *l, unsigned int shard, unsigned int thread)
{
	j->l = l;
	j->s = &l->shards[shard];
	j->sums = &l->sums[thread];
	j->moves = 0;
	j->ending = j->endings;
}

/* Begin to work on a shard outside of a batch, while no other thread works. */
void work_begin_alone(struct shard_work *j, struct ledger *l, unsigned int shard)
{
	work_begin(j, l, shard, 0);
	j->effect = &l->alone;
	j->space = SPACE_SLAB;
	j->at = l->events;
	j->now = cells_end_time(l->now);
}

/* Count the lives that ended, in a loop with nothing else in it. */
void work_end(struct shard_work *j)
{
	const struct ending *e;

	for (e = j->endings; e < j->ending; e++)
		lifetime_count(work_lifetime(j, e->kind, e->freed_by), e->ns);
	j->ending = j->endings;
}

/* work_lifetime() of another kind of free than the last one. */
__attribute__((noinline)) struct lifetime *work_new_lifetime(struct shard_work *j, uint32_t kind,
							     uint32_t freed_by)
{
	struct sum *sum = work_sum(j, kind);

	sum->lifetime = lifetimes_index(&j->sums->lifetimes, kind, freed_by);
	sum->freed_by = freed_by;
	return &j->sums->lifetimes.list[sum->lifetime];
}

/**
 * work_note - note a possible finding
 * @j: the work on the shard
 * @c: the event that contradicts another
 * @class: the class of the finding
 *
 * Return: the note, to be completed before the next one; without memory, a note that
 *	is never read.
 */
struct note *work_note(struct shard_work *j, const struct change *c,
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
			.site2 = work_kind(j, c->kind)->site,
			.ptr = c->ptr,
			.time = c->time,
			.cpu = c->cpu,
			.event = c->event,
			.is_hidden = kind_is_hidden(work_kind(j, c->kind)),
		},
	};
	return note;
}

/* Add another effect of an event for the timeline. */
void work_extra(struct shard_work *j, const struct effect *effect)
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

/**
 * work_count_cell - count memory in its cell, at the end of the batch
 * @j: the work on the shard
 * @kind: its kind
 * @born: time of its allocation
 * @ended: time of its free, or CELLS_LIVE
 * @counts: what to add
 */
void work_count_cell(struct shard_work *j, uint32_t kind, int64_t born, int64_t ended,
		     const struct cell *counts)
{
	struct shard *s = j->s;
	struct cell_count *list = context_grow_list(j->l->ctx, s->cell_counts,
						    s->nr_cell_counts, sizeof(*list));

	if (!list)
		return;
	s->cell_counts = list;
	list[s->nr_cell_counts++] = (struct cell_count) {
		.kind = j->l->kinds_of_cells[kind],
		.born = born,
		.ended = ended,
		.cell = *counts,
	};
}
