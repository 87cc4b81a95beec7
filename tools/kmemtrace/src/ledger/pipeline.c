// SPDX-License-Identifier: GPL-2.0
/*
 * pipeline.c - from the merged stream into the ledger, by several threads
 *
 * There are two batches. While other threads take the shards of one, the first thread fills
 * the other: the streams and the memos stay in its processor's cache. Then it takes shards, too,
 * and closes the first batch when all are done. A thread that finds no shard reads the next block
 * of a stream.
 *
 * Where batches end doesn't depend on the threads, and the shards don't depend on each
 * other: so no result depends on the threads.
 *
 * A record that concerns all shards ends a batch, and is taken while no other thread
 * works.
 */
#include "config.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/intake.h"
#include "ledger/ledger.h"
#include "ledger/pipeline.h"
#include "ledger/shard.h"

/* With fewer changes than this, one thread is faster than the wakeup of others. */
#define FEW	1024

/*
 * Changes between two calls of the user's @look. It is not called for each batch, because
 * it may visit all CPUs, and a record that concerns all shards ends a batch.
 */
#define LOOK_AFTER	1024

/*
 * Spin briefly before sleeping: with a CPU per thread the wait is shorter than a wakeup,
 * which takes as long as a good part of a batch. Each spin yields the CPU.
 */
#define SPINS	100

/**
 * struct pipeline - the state that all threads share
 * @l: the ledger
 * @m: the merged stream
 * @until: time of the last records to process
 * @user: the callbacks
 * @unseen: changes since @user was asked last
 * @now: the batch whose shards are taken
 * @next: the batch that is filled; NULL: none
 * @answer: of intake_add() for the current record of @m
 * @end: there are no more records
 * @waits: the batch that is filled waits for more records to arrive
 * @ret: of merge_next()
 * @nr_begun: shards of @now that were begun, at least NR_SHARDS where there are none to take
 * @nr_done: shards of @now that were taken
 * @stop: the threads must end
 * @nr_asleep: threads that wait for @more, or for @done
 * @lock: held to go to sleep
 * @more: there are shards to take, or the threads must end
 * @done: all shards were taken
 */
struct pipeline {
	struct ledger *l;
	struct merge *m;
	int64_t until;
	const struct pipeline_user *user;
	size_t unseen;
	struct batch *now, *next;
	enum intake_answer answer;
	bool end, waits;
	int ret;
	atomic_uint nr_begun, nr_done;
	atomic_bool stop;
	atomic_uint nr_asleep;
	pthread_mutex_t lock;
	pthread_cond_t more, done;
};

/**
 * struct helper - a thread other than the first
 * @p: the state that all threads share
 * @thread: its handle
 * @nr: its number
 */
struct helper {
	struct pipeline *p;
	pthread_t thread;
	unsigned int nr;
};

/* Count allocations, frees and failures. Pass on the records about the stream. */
static inline void count_event(struct pipeline *p, struct reader *r)
{
	switch (r->rec.ev->event_id) {
	case KMEMTRACE_EVENT_LOST:
	case KMEMTRACE_EVENT_CLOCK:
		p->user->each(p->user->arg, r);
		break;
	case KMEMTRACE_EVENT_ALLOC:
	case KMEMTRACE_EVENT_FREE:
	case KMEMTRACE_EVENT_FAILED:
		r->events++;
	}
}

/* Take usual records; see take_usual(). @by_event: a filter tells records of a memo apart. */
static ALWAYS_INLINE bool take_quickly(struct pipeline *p, struct batch *b, bool by_event)
{
	const struct intake_usual usual = intake_usual(p->l);
	const int64_t last = steps_last(&b->steps), until = last < p->until ? last : p->until;
	struct ledger *l = p->l;
	struct merge *m = p->m;
	struct reader *r = m->cur;
	const struct kmemtrace_event *ev;

	while (merge_next_quick(m)) {
		/* This stream has a new record, which is rarely the next one of all streams. */
		ev = (const void *)r->at;
		if (by_event)
			r->variant = memo_variant(l, ev, r->cpu, r->rec.time);
		r->ahead = intake_look_ahead(l, ev, by_event ? r->variant : 0);
		r = m->cur;
		ev = (const void *)r->at;
		if (m->time > until ||
		    !intake_add_usual(l, b, &usual, r->ahead, ev, by_event ? r->variant : 0, r->cpu,
				      m->time)) {
			reader_complete(r);
			return true;
		}
		r->events++;
	}
	return false;
}

static __attribute__((noinline)) bool take_unfiltered(struct pipeline *p, struct batch *b)
{
	return take_quickly(p, b, false);
}

static __attribute__((noinline)) bool take_filtered(struct pipeline *p, struct batch *b)
{
	return take_quickly(p, b, true);
}

/*
 * Take all records up to one that is not usual. Return whether that one is the current one; if
 * not, merge_next() finds it.
 */
static bool take_usual(struct pipeline *p, struct batch *b)
{
	const struct selection *s = p->l->selection;

	if (b->window != p->m->window || steps_end(&b->steps, p->m->time) ||
	    !merge_may_be_quick(p->m))
		return false;
	return s && s->by_event ? take_filtered(p, b) : take_unfiltered(p, b);
}

/* Go to the next record that is not usual, and take the others. Return whether there is one. */
static inline bool next_rare(struct pipeline *p, struct batch *b)
{
	int ret = take_usual(p, b) ? 1 : merge_next(p->m);

	if (ret > 0 && p->m->time <= p->until) {
		count_event(p, p->m->cur);
		return true;
	}
	p->ret = ret;
	p->waits = ret == -EAGAIN && p->user->wait;
	p->end = !p->waits;
	return false;
}

/* Add records to a batch until it is full. */
static void fill_up(struct pipeline *p, struct batch *b)
{
	enum intake_answer answer = p->answer;
	struct merge *m = p->m;

	while (!p->end) {
		if (answer == INTAKE_TAKEN && !next_rare(p, b))
			break;
		answer = INTAKE_FULL;
		if (b->window != m->window) {
			if (b->nr)
				break;
			b->window = m->window;
		}
		answer = intake_add(p->l, b, &m->cur->rec, m->cur->cpu, m->time);
		if (answer != INTAKE_TAKEN)
			break;
	}
	batch_seal(b);
	p->answer = answer;
}

static void refill_batch(struct pipeline *p, struct batch *b)
{
	batch_clear(b);
	fill_up(p, b);
}

/* Wait for more records while a batch needs them: where it ends must not depend on that. */
static void fill_later(struct pipeline *p, struct batch *b)
{
	while (p->waits) {
		p->waits = false;
		p->ret = p->user->wait(p->user->arg);
		p->end = p->ret;
		fill_up(p, b);
	}
}

/* The shards come first: their changes are still in the processor's cache. */
static void do_alone(struct pipeline *p)
{
	unsigned int shard;

	for (shard = 0; shard < NR_SHARDS; shard++)
		shard_take(p->l, p->now, shard, 0);
	if (p->next)
		refill_batch(p, p->next);
}

/* ---- shards, by several threads ---- */

static bool has_shards(const struct pipeline *p)
{
	return atomic_load(&p->nr_begun) < NR_SHARDS;
}

static bool all_done(const struct pipeline *p)
{
	return atomic_load(&p->nr_done) == NR_SHARDS;
}

static bool may_help(const struct pipeline *p)
{
	return has_shards(p) || atomic_load(&p->stop);
}

/* Sleep until a condition is true. wake() must follow what makes it true. */
static void sleep_until(struct pipeline *p, pthread_cond_t *cond,
			bool (*is_true)(const struct pipeline *p))
{
	pthread_mutex_lock(&p->lock);
	atomic_fetch_add(&p->nr_asleep, 1);
	while (!is_true(p))
		pthread_cond_wait(cond, &p->lock);
	atomic_fetch_sub(&p->nr_asleep, 1);
	pthread_mutex_unlock(&p->lock);
}

static void wake(struct pipeline *p, pthread_cond_t *cond)
{
	if (!atomic_load(&p->nr_asleep))
		return;
	pthread_mutex_lock(&p->lock);
	pthread_cond_broadcast(cond);
	pthread_mutex_unlock(&p->lock);
}

/*
 * Take a shard of the batch. The largest come first: if one came last, all other threads would wait
 * for it. Return false if there is none.
 */
static bool work_on_shard(struct pipeline *p, unsigned int thread)
{
	unsigned int i;

	if (!has_shards(p))
		return false;
	i = atomic_fetch_add(&p->nr_begun, 1);
	if (i >= NR_SHARDS)
		return false;
	shard_take(p->l, p->now, p->now->largest[i], thread);
	if (atomic_fetch_add(&p->nr_done, 1) + 1 == NR_SHARDS)
		wake(p, &p->done);
	return true;
}

/* Do a part of the reading. Return false if there is nothing to do. */
static bool assist_user(const struct pipeline *p)
{
	return p->user->assist && p->user->assist(p->user->arg);
}

static void *help(void *arg)
{
	const struct helper *h = arg;
	struct pipeline *p = h->p;
	unsigned int spins = 0;

	while (!atomic_load(&p->stop)) {
		if (work_on_shard(p, h->nr) || assist_user(p)) {
			spins = 0;
		} else if (spins < SPINS) {
			spins++;
			sched_yield();
		} else {
			sleep_until(p, &p->more, may_help);
		}
	}
	return NULL;
}

/* Wait until all shards are taken. */
static void wait_for_shards(struct pipeline *p)
{
	unsigned int spins = 0;

	while (!all_done(p)) {
		if (assist_user(p))
			continue;
		if (spins++ < SPINS)
			sched_yield();
		else
			sleep_until(p, &p->done, all_done);
	}
}

/* Take all shards of one batch with the other threads, and meanwhile fill the other one. */
static void do_together(struct pipeline *p)
{
	atomic_store(&p->nr_done, 0);
	atomic_store(&p->nr_begun, 0);
	wake(p, &p->more);
	if (p->next)
		refill_batch(p, p->next);
	while (work_on_shard(p, 0))
		;
	wait_for_shards(p);
}

/* ---- all batches ---- */

/* Return whether the current record is to be taken while no other thread works. */
static bool is_alone(const struct pipeline *p)
{
	return p->answer == INTAKE_ALONE || p->answer == INTAKE_CHARGED;
}

/* Take the record that concerns all shards, if there is one; or prepare to take it. */
static void take_record_alone(struct pipeline *p)
{
	const struct reader *r = p->m->cur;

	if (p->answer == INTAKE_ALONE) {
		ledger_event(p->l, &r->rec, r->cpu, p->m->time);
		p->answer = INTAKE_TAKEN;
	} else if (p->answer == INTAKE_CHARGED) {
		ledger_charge(p->l, &r->rec, p->m->time);
		p->answer = INTAKE_FULL;
	}
}

/*
 * Ask the user now and then whether to end. If so, set the end to the current time, as if
 * the user had given it at first: records up to that time that were not read yet are still
 * processed.
 */
static void ask_user(struct pipeline *p)
{
	p->unseen += p->now->nr + 1;
	if (p->unseen < LOOK_AFTER)
		return;
	p->unseen = 0;
	if (!p->end && p->user->look && p->user->look(p->user->arg))
		p->until = p->m->time;
}

static void run_batches(struct pipeline *p, struct batch *batches, unsigned int threads)
{
	struct batch *next;

	p->now = &batches[0];
	next = &batches[1];
	refill_batch(p, p->now);
	fill_later(p, p->now);
	while ((p->now->nr || p->answer != INTAKE_TAKEN) && !context_error(p->l->ctx)) {
		p->next = is_alone(p) ? NULL : next;
		if (ledger_open(p->l, p->now))
			break;
		if (threads > 1 && p->now->nr > FEW)
			do_together(p);
		else
			do_alone(p);
		if (p->next)
			fill_later(p, p->next);
		ledger_close(p->l, p->now);
		ask_user(p);
		if (!p->next) {
			take_record_alone(p);
			refill_batch(p, next);
			fill_later(p, next);
		}
		next = p->now;
		p->now = next == batches ? &batches[1] : &batches[0];
	}
}

/* Start threads. Returns how many there are, of those wanted. */
static unsigned int start_helpers(struct pipeline *p, struct helper *helpers,
				  unsigned int wanted)
{
	unsigned int nr;

	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->more, NULL);
	pthread_cond_init(&p->done, NULL);
	for (nr = 1; nr < wanted; nr++) {
		helpers[nr] = (struct helper) { .p = p, .nr = nr };
		if (pthread_create(&helpers[nr].thread, NULL, help,
				   &helpers[nr]))
			break;
	}
	return nr;
}

static void stop_helpers(struct pipeline *p, struct helper *helpers,
			 unsigned int threads)
{
	unsigned int i;

	atomic_store(&p->stop, true);
	wake(p, &p->more);
	for (i = 1; i < threads; i++)
		pthread_join(helpers[i].thread, NULL);
	pthread_cond_destroy(&p->done);
	pthread_cond_destroy(&p->more);
	pthread_mutex_destroy(&p->lock);
}

/* Take all records of a stream; see pipeline_run(). Return what merge_next() returned last. */
static int take_to_end(struct ledger *l, struct merge *m, int64_t *until,
		       const struct pipeline_user *user)
{
	struct pipeline p = {
		.l = l,
		.m = m,
		.until = *until,
		.user = user,
		.unseen = LOOK_AFTER,
		.nr_begun = NR_SHARDS,
	};
	struct batch *batches = context_calloc(l->ctx, 2, sizeof(*batches));
	struct helper helpers[PIPELINE_MAX_THREADS];
	unsigned int threads;

	if (!batches)
		return context_error(l->ctx);
	threads = start_helpers(&p, helpers, l->nr_sums);
	run_batches(&p, batches, threads);
	stop_helpers(&p, helpers, threads);
	free(batches);
	*until = p.until;
	return p.ret;
}

/**
 * pipeline_advance - take the records of streams that are still arriving
 * @l: the ledger, with as many sums as there may be threads
 * @m: the merged stream, at its beginning or after merge_resume()
 * @user: the callbacks
 *
 * Return: 0 at the end; -EAGAIN: the streams wait; or another -errno after a message, then
 * the ledger can only be freed.
 */
int pipeline_advance(struct ledger *l, struct merge *m, const struct pipeline_user *user)
{
	int64_t until = INT64_MAX;
	int ret = take_to_end(l, m, &until, user);

	if (ret < 0 && ret != -EAGAIN)
		context_fail(l->ctx, ret);
	return context_error(l->ctx) ? context_error(l->ctx) : ret;
}

/**
 * pipeline_run - take all records of a stream into a ledger
 * @l: the ledger, with as many sums as there may be threads
 * @m: the merged stream, at its beginning
 * @until: time of the last records to process
 * @user: the callbacks
 *
 * Return: 0, or -errno after a message; then the ledger can only be freed.
 */
int pipeline_run(struct ledger *l, struct merge *m, int64_t until,
		 const struct pipeline_user *user)
{
	int ret = take_to_end(l, m, &until, user);

	if (m->time > until)
		m->time = until;
	if (ret < 0)
		return context_fail(l->ctx, ret);
	return ledger_end(l, m->time);
}
