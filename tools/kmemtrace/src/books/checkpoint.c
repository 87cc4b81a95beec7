// SPDX-License-Identifier: GPL-2.0
/*
 * checkpoint.c - store the state of the ledger between two batches, and restore it
 *
 * One function for each structure does both. What it restores may be damaged, or made by
 * somebody: each number that is an index, and each size, is checked.
 */
#include "config.h"

#include "books/charges.h"
#include "books/checkpoint.h"
#include "books/job.h"
#include "books/ledger.h"
#include "books/live.h"

/* ---- changes that wait, or are owed ---- */

/* Return whether a change that was restored can be applied. */
static bool change_possible(const struct ledger *l, const struct change *c)
{
	const uint64_t page_mask = l->page_size - 1;

	if (c->kind >= l->kinds.nr || c->space >= NR_SPACES ||
	    (c->type >= EVENT_NR_TYPES && c->type < SLOT_OWN_TYPE))
		return false;
	if (c->space != SPACE_PAGES)
		return c->ptr && c->alloc <= live_max_bytes(c->space, l->page_size);
	return c->ptr && c->alloc && !((c->ptr | c->alloc) & page_mask) && c->alloc <= -c->ptr &&
	       c->alloc <= live_max_bytes(SPACE_PAGES, l->page_size);
}

static void archive_change(const struct ledger *l, struct change *c, unsigned int shard,
			   struct archive *a)
{
	archive_value(a, c);
	archive_expect(a, !a->reads || (change_possible(l, c) &&
					ledger_shard_of(l, c->ptr) == shard));
}

static void archive_waiting(const struct ledger *l, unsigned int shard, struct archive *a)
{
	struct shard *s = &l->shards[shard];
	unsigned int i;

	s->nr_waiting = archive_number(a, s->nr_waiting, SHARD_MAX_WAITING);
	for (i = 0; i < s->nr_waiting; i++) {
		archive_change(l, &s->waiting[i].c, shard, a);
		archive_value(a, &s->waiting[i].examined);
	}
	s->nr_owed = archive_number(a, s->nr_owed, SHARD_MAX_OWED);
	for (i = 0; i < s->nr_owed; i++) {
		archive_change(l, &s->owed[i].c, shard, a);
		archive_value(a, &s->owed[i].before);
		archive_expect(a, slot_possible(&s->owed[i].before, l->kinds.nr));
	}
}

/* ---- shards ---- */

/* books_update() took the other counters of the shard. */
static void archive_shard(const struct ledger *l, unsigned int shard, struct archive *a)
{
	struct shard *s = &l->shards[shard];
	int i;

	for (i = 0; i < NR_SPACES; i++)
		objects_archive(&s->objects[i], a, l->kinds.nr);
	frames_archive(&s->frames, a, l->kinds.nr);
	archive_waiting(l, shard, a);
	archive_value(a, &s->own);
	archive_value(a, &s->lookups);
}

/* ---- the counters of all threads ---- */

/* What all threads counted of a kind becomes what the first one did. */
static void archive_sum(struct ledger *l, uint32_t kind, struct archive *a)
{
	struct sum all = { .size = 0 };
	unsigned int i;

	for (i = 0; !a->reads && i < l->nr_sums; i++) {
		const struct sum *sum = &l->sums[i].kinds[kind];

		all.nr[0] += sum->nr[0];
		all.nr[1] += sum->nr[1];
		all.req[0] += sum->req[0];
		all.req[1] += sum->req[1];
		all.frees += sum->frees;
		all.remote += sum->remote;
	}
	archive_value(a, &all.nr);
	archive_value(a, &all.req);
	archive_value(a, &all.frees);
	archive_value(a, &all.remote);
	if (!archive_goes_on(a))
		return;
	all.size = l->sums[0].kinds[kind].size;
	all.freed_by = NO_KIND;
	l->sums[0].kinds[kind] = all;
}

/* The sums of the tables of all threads, which books_update() made, become those of the first. */
static void archive_sums(struct ledger *l, struct archive *a)
{
	uint32_t kind;
	int i;

	if (job_fit(l))
		return;
	for (kind = 0; kind < l->kinds.nr; kind++)
		archive_sum(l, kind, a);
	for (i = 0; i < NR_SPACES; i++) {
		table_archive(a->reads ? &l->sums[0].cpus[i] : &l->stats.cpus[i], a);
		table_archive(a->reads ? &l->sums[0].nodes[i] : &l->stats.nodes[i], a);
	}
}

/* ---- all of it ---- */

static bool kind_possible(const struct ledger *l, const struct kind *kind)
{
	uint32_t cache = class_cache(kind->class);

	return (cache == NO_CACHE || cache < l->caches.nr) && !kind_is_hidden(kind) &&
	       kind_step(kind) <= request_step(CLASS_MAX_SIZE) &&
	       who_key_path(kind->who) < l->who.nr_paths &&
	       who_key_party(kind->who) < l->who.nr_parties;
}

static void archive_kinds(struct ledger *l, struct archive *a)
{
	uint32_t i;

	kinds_archive(&l->kinds, a);
	for (i = 0; archive_goes_on(a) && i < l->kinds.nr; i++)
		archive_expect(a, kind_possible(l, kinds_get(&l->kinds, i)));
}

static void archive_values(struct ledger *l, struct archive *a)
{
	archive_bool(a, &l->is_abi1);
	archive_bool(a, &l->patient);
	archive_value(a, &l->begin);
	archive_value(a, &l->since);
	archive_value(a, &l->window);
	archive_value(a, &l->now);
	archive_value(a, &l->snapshot_frames);
	archive_value(a, &l->unsure_frames);
	archive_value(a, &l->objects_visited);
	archive_value(a, &l->older);
	archive_value(a, &l->events);
}

/* Return whether the state can be stored. */
bool checkpoint_is_possible(const struct ledger *l)
{
	unsigned int i;
	int space;

	for (i = 0; i < NR_SHARDS; i++)
		for (space = 0; space < NR_SPACES; space++)
			if (!objects_fit_archive(&l->shards[i].objects[space]))
				return false;
	return !l->selection && !l->cells.list;
}

/**
 * checkpoint_archive - store the state of a ledger, or restore it
 * @l: the ledger, after ledger_update(); if its state is restored, after ledger_init(), and with
 *	@page_size, @one_of and @is_behind of the trace
 * @a: the archive
 *
 * After an error, a ledger that is restored can only be freed.
 */
void checkpoint_archive(struct ledger *l, struct archive *a)
{
	unsigned int i;

	archive_values(l, a);
	caches_archive(&l->caches, a);
	who_archive(&l->who, a);
	archive_kinds(l, a);
	charges_archive(l, a);
	history_archive(&l->history, a);
	for (i = 0; i < NR_SPACES; i++)
		owners_archive(&l->owners[i], a, l->kinds.nr);
	nodes_archive(&l->nodes, a);
	table_archive(&l->unsure, a);
	table_archive(&l->blocks.table, a);
	stats_archive(&l->stats, a, l->kinds.nr);
	for (i = 0; i < NR_SHARDS && !a->is_damaged; i++)
		archive_shard(l, i, a);
	archive_sums(l, a);
}

/* ---- a checkpoint before what counts ---- */

/* The history is empty; the phases of the boot that began early are known. */
static void hide_history(struct history *h)
{
	struct history hidden = { .nr_phases = h->nr_phases };
	unsigned int i;

	for (i = 0; i < h->nr_phases; i++)
		hidden.phases[i] = (struct phase) {
			.id = h->phases[i].id, .begin = h->phases[i].begin,
		};
	*h = hidden;
}

static void hide_baseline(struct baseline *b)
{
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		b->freed_during[i] = 0;
		b->at_end[i] = (struct amount) { 0 };
	}
	b->in_transit = 0;
	b->large_kmalloc = 0;
	b->reserved_freed = 0;
}

/**
 * checkpoint_hide - hide all events so far
 * @l: the ledger, after checkpoint_archive() restored its state
 *
 * The state is the same as if the ledger had a selection from the begin on that all of
 * these events are too early for.
 */
void checkpoint_hide(struct ledger *l)
{
	int i;

	kinds_hide(&l->kinds);
	stats_hide(&l->stats);
	hide_history(&l->history);
	hide_baseline(&l->stats.baseline);
	for (i = 0; i < NR_SPACES; i++) {
		owners_free(&l->owners[i]);
		table_free(&l->sums[0].cpus[i]);
		table_free(&l->sums[0].nodes[i]);
		l->older[i] = 0;
	}
}
