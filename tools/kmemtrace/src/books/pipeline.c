// SPDX-License-Identifier: GPL-2.0
/*
 * From the merged stream into the ledger, by several threads.
 *
 * There are two batches. While the shards of one are done, by whoever has nothing else
 * to do, somebody fills the other. Then all threads meet, and one of them closes the
 * batch that is done. Where batches end doesn't depend on the threads, and the shards
 * don't depend on each other: so nothing that the ledger says does.
 *
 * A record that concerns all shards ends a batch, and is taken while nobody else is
 * at work.
 */
#include "config.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "books/pipeline.h"
#include "common/limit.h"
#include "common/memory.h"

/* To wake other threads takes longer than to do as little as this. */
#define FEW	LIMIT(1024, 4)

/* ---- where all threads meet ---- */

/*
 * Nobody waits long where threads have a processor each, and to sleep and be woken takes
 * as long as a good part of a batch: who waits looks so often first, and leaves the
 * processor to others in between.
 */
#define LOOKS	LIMIT(100, 2)

/**
 * struct meeting - a barrier
 * @threads: how many meet
 * @here: how many have come
 * @round: changes when all have
 * @lock: held by who ends a round, and by who goes to sleep in one
 * @end: of the round
 */
struct meeting {
	unsigned int threads;
	atomic_uint here, round;
	pthread_mutex_t lock;
	pthread_cond_t end;
};

static void meeting_init(struct meeting *m, unsigned int threads)
{
	m->threads = threads;
	atomic_init(&m->here, 0);
	atomic_init(&m->round, 0);
	pthread_mutex_init(&m->lock, NULL);
	pthread_cond_init(&m->end, NULL);
}

static void meeting_destroy(struct meeting *m)
{
	pthread_cond_destroy(&m->end);
	pthread_mutex_destroy(&m->lock);
}

static void end_round(struct meeting *m)
{
	atomic_store(&m->here, 0);
	pthread_mutex_lock(&m->lock);
	atomic_fetch_add(&m->round, 1);
	pthread_cond_broadcast(&m->end);
	pthread_mutex_unlock(&m->lock);
}

static bool look_for_end(struct meeting *m, unsigned int round)
{
	unsigned int i;

	for (i = 0; i < LOOKS; i++) {
		if (atomic_load(&m->round) != round)
			return true;
		sched_yield();
	}
	return false;
}

/* Wait until all threads do. */
static void meet(struct meeting *m)
{
	unsigned int round = atomic_load(&m->round);

	if (atomic_fetch_add(&m->here, 1) + 1 == m->threads) {
		end_round(m);
		return;
	}
	if (look_for_end(m, round))
		return;
	pthread_mutex_lock(&m->lock);
	while (atomic_load(&m->round) == round)
		pthread_cond_wait(&m->end, &m->lock);
	pthread_mutex_unlock(&m->lock);
}

/* ---- the batches ---- */

/**
 * struct pipeline - what the threads share
 * @l: the ledger
 * @m: the merged stream
 * @until: time of the last records that are taken
 * @user: who is told
 * @now: the batch whose shards are done
 * @next: the batch that is filled; NULL: none is, this time
 * @answer: of ledger_add() for the current record of @m
 * @end: there are no more
 * @ret: of merge_next()
 * @task: the next one: to fill, or a shard plus one
 * @stop: there is no more to do
 * @starting: held until it is known how many threads there are
 * @meeting: of all threads, before the tasks of a batch and after them
 */
struct pipeline {
	struct ledger *l;
	struct merge *m;
	int64_t until;
	const struct pipeline_user *user;
	struct batch *now, *next;
	enum ledger_answer answer;
	bool end;
	int ret;
	atomic_uint task;
	bool stop;
	pthread_mutex_t starting;
	struct meeting meeting;
};

/**
 * struct helper - a thread other than the first
 * @p: what it shares
 * @thread: its handle
 * @nr: its number
 */
struct helper {
	struct pipeline *p;
	pthread_t thread;
	unsigned int nr;
};

/* Count events; what tells of the stream, or of memory as it is, is none. */
static inline void tell(struct pipeline *p, struct reader *r)
{
	uint8_t id = r->rec.ev->event_id;

	/* Nearly all, and known before the jump through a table. */
	if (id == KMEMTRACE_EVENT_ALLOC || id == KMEMTRACE_EVENT_FREE) {
		r->events++;
		return;
	}
	switch (id) {
	case KMEMTRACE_EVENT_LOST:
	case KMEMTRACE_EVENT_CLOCK:
		p->user->each(p->user->arg, r);
		break;
	case KMEMTRACE_EVENT_CACHE:
	case KMEMTRACE_EVENT_SNAPSHOT:
	case KMEMTRACE_EVENT_PHASE:
		break;
	default:
		r->events++;
	}
}

/* Go to the next record; returns whether there is one. */
static inline bool next(struct pipeline *p)
{
	int ret = merge_next(p->m);

	if (ret > 0 && p->m->time <= p->until) {
		tell(p, p->m->cur);
		return true;
	}
	p->ret = ret;
	p->end = true;
	return false;
}

static void fill(struct pipeline *p, struct batch *b)
{
	enum ledger_answer answer = p->answer;
	struct merge *m = p->m;

	batch_clear(b);
	while (!p->end) {
		if (answer == LEDGER_TAKEN && !next(p))
			break;
		answer = LEDGER_BATCH_FULL;
		if (b->window != m->window) {
			if (b->nr)
				break;
			b->window = m->window;
		}
		answer = ledger_add(p->l, b, &m->cur->rec, m->cur->cpu, m->time);
		if (answer != LEDGER_TAKEN)
			break;
	}
	p->answer = answer;
}

static void do_tasks(struct pipeline *p, unsigned int thread)
{
	unsigned int task;

	while ((task = atomic_fetch_add(&p->task, 1)) <= NR_SHARDS) {
		if (task)
			ledger_shard(p->l, p->now, task - 1, thread);
		else if (p->next)
			fill(p, p->next);
	}
}

/* The shards come first: what they need is still in the processor's cache. */
static void do_alone(struct pipeline *p)
{
	unsigned int shard;

	for (shard = 0; shard < NR_SHARDS; shard++)
		ledger_shard(p->l, p->now, shard, 0);
	if (p->next)
		fill(p, p->next);
}

static void *help(void *arg)
{
	struct helper *h = arg;

	pthread_mutex_lock(&h->p->starting);
	pthread_mutex_unlock(&h->p->starting);
	for (;;) {
		meet(&h->p->meeting);
		if (h->p->stop)
			return NULL;
		do_tasks(h->p, h->nr);
		meet(&h->p->meeting);
	}
}

/* All shards of one batch, and meanwhile the other one. */
static void do_batch(struct pipeline *p, bool together)
{
	if (!together) {
		do_alone(p);
		return;
	}
	atomic_store(&p->task, 0);
	meet(&p->meeting);
	do_tasks(p, 0);
	meet(&p->meeting);
}

/* The record that concerns all shards, if there is one. */
static void take_alone(struct pipeline *p)
{
	if (p->answer != LEDGER_ALONE)
		return;
	ledger_event(p->l, &p->m->cur->rec, p->m->cur->cpu, p->m->time);
	p->answer = LEDGER_TAKEN;
}

/*
 * To be ended is to end at a time, as if that had been wanted from the beginning: what
 * was read by now is not all of it taken, and may wait for others of the same time.
 */
static void look(struct pipeline *p)
{
	if (!p->end && p->user->look && p->user->look(p->user->arg))
		p->until = p->m->time;
}

static void run(struct pipeline *p, struct batch *batches, unsigned int threads)
{
	struct batch *next;

	p->now = &batches[0];
	next = &batches[1];
	fill(p, p->now);
	while (p->now->nr || p->answer != LEDGER_TAKEN) {
		p->next = p->answer == LEDGER_ALONE ? NULL : next;
		ledger_open(p->l, p->now);
		do_batch(p, threads > 1 && p->now->nr > FEW);
		ledger_close(p->l, p->now, p->m->time);
		look(p);
		if (!p->next) {
			take_alone(p);
			fill(p, next);
		}
		next = p->now;
		p->now = next == batches ? &batches[1] : &batches[0];
	}
}

/* Returns how many threads there are, of those wanted. */
static unsigned int start(struct pipeline *p, struct helper *helpers,
			  unsigned int wanted)
{
	unsigned int nr;

	pthread_mutex_init(&p->starting, NULL);
	pthread_mutex_lock(&p->starting);
	for (nr = 1; nr < wanted; nr++) {
		helpers[nr] = (struct helper) { .p = p, .nr = nr };
		if (pthread_create(&helpers[nr].thread, NULL, help,
				   &helpers[nr]))
			break;
	}
	meeting_init(&p->meeting, nr);
	pthread_mutex_unlock(&p->starting);
	return nr;
}

static void stop(struct pipeline *p, struct helper *helpers,
		 unsigned int threads)
{
	unsigned int i;

	p->stop = true;
	if (threads > 1)
		meet(&p->meeting);
	for (i = 1; i < threads; i++)
		pthread_join(helpers[i].thread, NULL);
	meeting_destroy(&p->meeting);
	pthread_mutex_destroy(&p->starting);
}

/**
 * pipeline_run - put all records into a ledger
 * @l: the ledger, with as many sums as there may be threads
 * @m: the merged stream, at its beginning
 * @until: time of the last records that are taken
 * @user: who is told
 *
 * Return: 0, or -errno after a message.
 */
int pipeline_run(struct ledger *l, struct merge *m, int64_t until,
		 const struct pipeline_user *user)
{
	struct pipeline p = {
		.l = l,
		.m = m,
		.until = until,
		.user = user,
	};
	struct batch *batches = must_calloc(2, sizeof(*batches));
	struct helper helpers[PIPELINE_MAX_THREADS];
	unsigned int threads = start(&p, helpers, l->nr_sums);

	run(&p, batches, threads);
	stop(&p, helpers, threads);
	free(batches);
	if (m->time > p.until)
		m->time = p.until;
	ledger_end(l, m->time);
	return p.ret < 0 ? p.ret : 0;
}
