// SPDX-License-Identifier: GPL-2.0
/*
 * fetcher.c - the next blocks of streams, which idle threads read before they are needed
 *
 * One thread at a time reads a stream. If no thread has begun a block when it is needed, the thread
 * that needs it takes the stream from the list and reads it. So no thread waits for another one
 * that does something else. How many bytes are read at a time depends on that; no result may.
 */
#include "config.h"

#include <stddef.h>

#include "read/fetcher.h"

/* Make a list without streams; fetcher_destroy() it. */
void fetcher_init(struct fetcher *f)
{
	*f = (struct fetcher) { .last = NULL };
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->done, NULL);
	atomic_init(&f->nr, 0);
}

/* List a stream if an idle thread may read it now. */
static void list(struct fetcher *f, struct fetch *fetch)
{
	if (!fetch->wants || fetch->is_listed || fetch->runs || fetch->nr == FETCH_BLOCKS)
		return;
	fetch->is_listed = true;
	fetch->next = f->last;
	f->last = fetch;
	atomic_fetch_add(&f->nr, 1);
}

/* Take a stream from the list, if it is there. */
static void unlist(struct fetcher *f, struct fetch *fetch)
{
	struct fetch **at = &f->last;

	if (!fetch->is_listed)
		return;
	while (*at != fetch)
		at = &(*at)->next;
	*at = fetch->next;
	fetch->is_listed = false;
	atomic_fetch_sub(&f->nr, 1);
}

/**
 * fetcher_want - let idle threads read a stream
 * @f: the list
 * @fetch: the stream, after fetcher_take() returned -1, or after fetcher_clear()
 *
 * What @fetch->run uses belongs to these threads until fetcher_take() or fetcher_clear() returns; a
 * block that was taken belongs to the caller until fetcher_give().
 */
void fetcher_want(struct fetcher *f, struct fetch *fetch)
{
	pthread_mutex_lock(&f->lock);
	fetch->wants = true;
	list(f, fetch);
	pthread_mutex_unlock(&f->lock);
}

/*
 * Return the stream to read: one of which no block was read, the last one listed, as that is needed
 * last. NULL: there is none.
 */
static struct fetch *choose_stream(const struct fetcher *f)
{
	struct fetch *fetch = f->last;

	while (fetch && fetch->nr)
		fetch = fetch->next;
	return fetch ? fetch : f->last;
}

/**
 * fetcher_work - read a block of a stream
 * @f: the list
 *
 * Any thread may call it at any time.
 *
 * Return: false if no stream was listed.
 */
bool fetcher_work(struct fetcher *f)
{
	struct fetch *fetch;
	unsigned int block = 0;
	bool wants;

	if (!atomic_load_explicit(&f->nr, memory_order_relaxed))
		return false;
	pthread_mutex_lock(&f->lock);
	fetch = choose_stream(f);
	if (fetch) {
		unlist(f, fetch);
		fetch->runs = true;
		block = (fetch->first + fetch->nr) % FETCH_BLOCKS;
	}
	pthread_mutex_unlock(&f->lock);
	if (!fetch)
		return false;
	wants = fetch->run(fetch, block);
	pthread_mutex_lock(&f->lock);
	fetch->runs = false;
	fetch->nr++;
	fetch->wants = wants;
	list(f, fetch);
	pthread_cond_signal(&f->done);
	pthread_mutex_unlock(&f->lock);
	return true;
}

/**
 * fetcher_take - take the next block of a stream
 * @f: the list
 * @fetch: the stream
 *
 * Waits for a thread that reads it.
 *
 * Return: its number, until fetcher_give(); -1: nobody has read it, and nobody will.
 */
int fetcher_take(struct fetcher *f, struct fetch *fetch)
{
	int block;

	pthread_mutex_lock(&f->lock);
	while (!fetch->nr && fetch->runs)
		pthread_cond_wait(&f->done, &f->lock);
	if (!fetch->nr)
		unlist(f, fetch);
	block = fetch->nr ? (int)fetch->first : -1;
	pthread_mutex_unlock(&f->lock);
	return block;
}

/* Let the block that was taken be used for another one. */
void fetcher_give(struct fetcher *f, struct fetch *fetch)
{
	pthread_mutex_lock(&f->lock);
	fetch->first = (fetch->first + 1) % FETCH_BLOCKS;
	fetch->nr--;
	list(f, fetch);
	pthread_mutex_unlock(&f->lock);
}

/* Wait for a thread that reads a stream, and forget all of its blocks. */
void fetcher_clear(struct fetcher *f, struct fetch *fetch)
{
	pthread_mutex_lock(&f->lock);
	while (fetch->runs)
		pthread_cond_wait(&f->done, &f->lock);
	unlist(f, fetch);
	fetch->nr = 0;
	fetch->wants = false;
	pthread_mutex_unlock(&f->lock);
}

/* Undo fetcher_init(), after fetcher_clear() of all streams. */
void fetcher_destroy(struct fetcher *f)
{
	pthread_cond_destroy(&f->done);
	pthread_mutex_destroy(&f->lock);
}
