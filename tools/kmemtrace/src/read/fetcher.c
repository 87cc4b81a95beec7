// SPDX-License-Identifier: GPL-2.0
/*
 * fetcher.c - the next bytes of streams, which idle threads read before they are needed
 *
 * When the reading thread begins a block of a stream, it adds the next one to a stack. Idle threads
 * begin with the last one, which is needed last. If no thread has begun a block when it is needed, the
 * reading thread removes it and reads it itself. So no thread waits for another one that does something
 * else, and what is read doesn't depend on which one worked.
 */
#include "config.h"

#include <stddef.h>

#include "read/fetcher.h"

/* Make a stack without fetches; fetcher_destroy() it. */
void fetcher_init(struct fetcher *f)
{
	*f = (struct fetcher) { .last = NULL };
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->done, NULL);
	atomic_init(&f->nr, 0);
}

/* Add a fetch, which is idle. */
void fetcher_want(struct fetcher *f, struct fetch *fetch)
{
	pthread_mutex_lock(&f->lock);
	fetch->state = FETCH_WANTED;
	fetch->next = f->last;
	f->last = fetch;
	atomic_fetch_add(&f->nr, 1);
	pthread_mutex_unlock(&f->lock);
}

/* Remove a fetch from the stack. */
static void remove_fetch(struct fetcher *f, struct fetch *fetch)
{
	struct fetch **at = &f->last;

	while (*at != fetch)
		at = &(*at)->next;
	*at = fetch->next;
	atomic_fetch_sub(&f->nr, 1);
}

/**
 * fetcher_work - do the last fetch of the stack
 * @f: the stack
 *
 * Any thread may call it at any time.
 *
 * Return: false if there was none.
 */
bool fetcher_work(struct fetcher *f)
{
	struct fetch *fetch;

	if (!atomic_load_explicit(&f->nr, memory_order_relaxed))
		return false;
	pthread_mutex_lock(&f->lock);
	fetch = f->last;
	if (fetch) {
		remove_fetch(f, fetch);
		fetch->state = FETCH_RUNS;
	}
	pthread_mutex_unlock(&f->lock);
	if (!fetch)
		return false;
	fetch->run(fetch);
	pthread_mutex_lock(&f->lock);
	fetch->state = FETCH_DONE;
	pthread_cond_signal(&f->done);
	pthread_mutex_unlock(&f->lock);
	return true;
}

/**
 * fetcher_take - wait for a fetch that runs, or remove it from the stack
 * @f: the stack
 * @fetch: the fetch; it is idle then
 *
 * Return: whether it was done.
 */
bool fetcher_take(struct fetcher *f, struct fetch *fetch)
{
	bool is_done;

	pthread_mutex_lock(&f->lock);
	while (fetch->state == FETCH_RUNS)
		pthread_cond_wait(&f->done, &f->lock);
	if (fetch->state == FETCH_WANTED)
		remove_fetch(f, fetch);
	is_done = fetch->state == FETCH_DONE;
	fetch->state = FETCH_IDLE;
	pthread_mutex_unlock(&f->lock);
	return is_done;
}

/* Undo fetcher_init(), when no thread works and all fetches are idle. */
void fetcher_destroy(struct fetcher *f)
{
	pthread_cond_destroy(&f->done);
	pthread_mutex_destroy(&f->lock);
}
