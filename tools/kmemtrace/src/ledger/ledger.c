// SPDX-License-Identifier: GPL-2.0
/*
 * ledger.c - the ledger, from the first batch to the end
 *
 * A batch is filled by intake_add(), opened, given to shard_take() for each shard, and
 * closed. While its shards are worked on, another batch may be filled.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ledger/total.h"
#include "ledger/charges.h"
#include "ledger/destroyed.h"
#include "ledger/intake.h"
#include "ledger/shard-work.h"
#include "ledger/ledger.h"
#include "ledger/lives.h"
#include "ledger/notes.h"
#include "ledger/other-records.h"
#include "ledger/shard.h"
#include "ledger/timeline.h"

/* Most cells, beside those that many kinds need. */
#define MAX_CELLS	(1 << 20)

/**
 * ledger_open - prepare for shard_take()
 * @l: the ledger; no other thread uses it
 * @b: the batch
 *
 * Return: 0 or -errno.
 */
int ledger_open(struct ledger *l, const struct batch *b)
{
	l->window = b->window;
	return work_fit(l);
}

static void count_cells(struct ledger *l, struct shard *s)
{
	size_t i;

	for (i = 0; i < s->nr_cell_counts; i++)
		cells_count(&l->cells, &s->cell_counts[i]);
	s->nr_cell_counts = 0;
}

/* Add the results of the shards to the ledger. */
static void take_rest(struct ledger *l)
{
	size_t i;

	notes_take(l);
	lives_take(l);
	for (i = 0; i < NR_SHARDS; i++) {
		count_cells(l, &l->shards[i]);
		l->shards[i].nr_notes = 0;
		l->shards[i].nr_extras = 0;
	}
	l->alone = (struct effect) { .kind = NO_KIND };
}

/**
 * ledger_close - end a batch
 * @l: the ledger; no other thread uses it
 * @b: the batch, after shard_take() for each shard
 */
void ledger_close(struct ledger *l, struct batch *b)
{
	size_t i;

	for (i = 0; i < NR_SPACES; i++)
		l->stats.others[i] += b->sums[i].events[1];
	timeline_batch(l, b);
	take_rest(l);
}

/* Complete an event outside of a batch. */
static void close_alone(struct ledger *l, int64_t time)
{
	timeline_alone(l, time);
	take_rest(l);
}

/* Complete a record of a snapshot that follows the events. */
static void close_older(struct ledger *l)
{
	timeline_older(l);
	take_rest(l);
}

/* Go on to a time: take the changes that have waited too long. */
static void pass(struct ledger *l, int64_t time)
{
	bool has_waiting = false;
	unsigned int i;

	for (i = 0; i < NR_SHARDS; i++) {
		has_waiting |= l->shards[i].nr_waiting;
		shard_pass(l, i, time);
	}
	if (has_waiting)
		close_alone(l, time);
	l->now = time;
}

/**
 * ledger_event - take a record for which intake_add() returned INTAKE_ALONE
 * @l: the ledger; all batches are closed
 * @rec: the record
 * @cpu: CPU of its stream
 * @time: when
 */
void ledger_event(struct ledger *l, const struct record *rec, unsigned int cpu,
		  int64_t time)
{
	if (work_fit(l))
		return;
	pass(l, time);
	other_records_take(l, rec, cpu);
	if (l->is_behind && rec->ev->event_id == KMEMTRACE_EVENT_SNAPSHOT)
		close_older(l);
	else
		close_alone(l, time);
}

/**
 * ledger_charge - prepare for a record for which intake_add() returned INTAKE_CHARGED
 * @l: the ledger; all batches are closed
 * @rec: the record
 * @time: when
 */
void ledger_charge(struct ledger *l, const struct record *rec, int64_t time)
{
	if (work_fit(l))
		return;
	pass(l, time);
	charges_settle(l, rec->ev);
	close_alone(l, time);
}

/**
 * ledger_skip - take what a record that is skipped says of those that follow
 * @l: the ledger
 * @rec: the record
 * @cpu: CPU of its stream
 */
void ledger_skip(struct ledger *l, const struct record *rec, unsigned int cpu)
{
	if (who_takes(rec))
		who_record(&l->who, rec, cpu);
	else if (rec->ev->event_id == KMEMTRACE_EVENT_CLOCK)
		who_clock(&l->who, (const void *)rec->ev, cpu);
}

/**
 * ledger_update - add up what is known between two batches
 * @l: the ledger; all batches are closed
 *
 * All of @l->stats is valid until the next batch. Events that wait for others are not in it.
 *
 * Return: 0; or the first error of the trace, as -errno: then @l->stats is not valid.
 */
int ledger_update(struct ledger *l)
{
	int space;

	if (context_error(l->ctx) || work_fit(l))
		return context_error(l->ctx);
	for (space = 0; space < NR_SPACES; space++)
		owners_update(&l->owners[space]);
	total_update(l);
	return context_error(l->ctx);
}

/**
 * ledger_end - complete the ledger after the last event
 * @l: the ledger; all batches are closed
 * @time: of the last event
 *
 * All of @l->stats is valid from here on.
 *
 * Return: 0; or the first error of the trace, as -errno: then @l->stats is not valid.
 */
int ledger_end(struct ledger *l, int64_t time)
{
	unsigned int i;

	if (context_error(l->ctx) || work_fit(l))
		return context_error(l->ctx);
	for (i = 0; i < NR_SHARDS; i++) {
		shard_give_up(l, i);
		close_alone(l, time);
	}
	l->now = time;
	charges_end(l);
	close_alone(l, time);
	timeline_end(l);
	total_finish(l);
	return context_error(l->ctx);
}

static void init_shard(struct shard *s, struct context *ctx, uint64_t seed,
		       unsigned int nr)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		objects_init(&s->objects[i], ctx, seed);
	frames_init(&s->frames, ctx, seed, nr);
}

static int init_sums(struct sums *s, struct context *ctx)
{
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		s->cpus[i].ctx = ctx;
		s->nodes[i].ctx = ctx;
	}
	return lifetimes_init(&s->lifetimes, ctx);
}

/* Allocate the memory of each shard and each thread. Returns 0 or -errno. */
static int init_parts(struct ledger *l, unsigned int threads)
{
	uint64_t seed = hash_seed();
	unsigned int i;
	int ret = 0;

	l->shards = context_calloc(l->ctx, NR_SHARDS, sizeof(*l->shards));
	l->sums = context_calloc(l->ctx, threads, sizeof(*l->sums));
	if (!l->shards || !l->sums)
		return context_error(l->ctx);
	for (i = 0; i < NR_SHARDS; i++)
		init_shard(&l->shards[i], l->ctx, seed, i);
	l->nr_sums = threads;
	for (i = 0; !ret && i < threads; i++)
		ret = init_sums(&l->sums[i], l->ctx);
	return ret ? ret : intake_init(l);
}

/**
 * ledger_init - make an empty ledger
 * @l: result, to be ledger_free()d even after an error
 * @ctx: the context that receives errors
 * @page_size: of the traced machine
 * @threads: how many may use shard_take() at the same time
 *
 * Return: 0 or -errno.
 */
int ledger_init(struct ledger *l, struct context *ctx, uint64_t page_size,
		unsigned int threads)
{
	int i, ret;

	memset(l, 0, sizeof(*l));
	l->ctx = ctx;
	l->one_of = 1;
	l->usual_tail = sizeof(struct kmemtrace_who_event) - EVENT_MIN_SIZE;
	l->quick_tail = l->usual_tail;
	l->page_size = page_size;
	l->page_shift = __builtin_ctzll(page_size);
	l->stripe_shift = l->page_shift + STRIPE_SHIFT;
	l->kinds.ctx = ctx;
	l->unsure.ctx = ctx;
	l->books_tasks.ctx = ctx;
	l->blocks.table.ctx = ctx;
	l->alone.kind = NO_KIND;
	for (i = 0; i < NR_SPACES; i++)
		l->owners[i].ctx = ctx;
	caches_init(&l->caches, ctx);
	ret = stats_init(&l->stats, ctx);
	if (!ret)
		ret = who_init(&l->who, ctx);
	return ret ? ret : init_parts(l, threads);
}

/* Count only the events that a filter selects, from now on, before the first event. */
void ledger_select(struct ledger *l, struct selection *s)
{
	l->selection = s;
	l->hides = true;
}

/**
 * ledger_count_cells - count cells from now on
 * @l: the ledger, before its first event
 * @begin: time at which the first step begins
 *
 * Each change takes longer then.
 *
 * Return: 0 or -errno.
 */
int ledger_count_cells(struct ledger *l, int64_t begin)
{
	int i;

	for (i = 0; i < NR_SHARDS; i++)
		l->shards[i].has_cells = true;
	return cells_init(&l->cells, l->ctx, begin, MAX_CELLS);
}

static void free_shard(struct shard *s)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		objects_free(&s->objects[i]);
	frames_free(&s->frames);
	free(s->cell_counts);
	free(s->extras);
	free(s->notes);
}

static void free_sums(struct sums *s)
{
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		table_clear(&s->cpus[i]);
		table_clear(&s->nodes[i]);
	}
	lifetimes_free(&s->lifetimes);
	free(s->kinds);
}

/* Free all memory. */
void ledger_free(struct ledger *l)
{
	unsigned int i;

	if (l->shards)
		lives_free(l);
	for (i = 0; l->shards && i < NR_SHARDS; i++)
		free_shard(&l->shards[i]);
	for (i = 0; i < l->nr_sums; i++)
		free_sums(&l->sums[i]);
	for (i = 0; i < NR_SPACES; i++)
		owners_free(&l->owners[i]);
	free(l->shards);
	free(l->sums);
	free(l->notes);
	free(l->extras);
	free(l->memos);
	nodes_free(&l->nodes);
	own_free(&l->own);
	table_clear(&l->unsure);
	table_clear(&l->books_tasks);
	table_clear(&l->blocks.table);
	cache_kinds_free(&l->cache_kinds);
	cells_free(&l->cells);
	free(l->kinds_of_cells);
	kinds_free(&l->kinds);
	who_free(&l->who);
	charges_free(&l->charges);
	references_free(&l->references);
	caches_free(&l->caches);
	stats_free(&l->stats);
}
