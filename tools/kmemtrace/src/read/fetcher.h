/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The next blocks of streams, which idle threads read before they are needed.
 */
#ifndef KMEMTRACE_FETCHER_H
#define KMEMTRACE_FETCHER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Blocks of a stream that are read before they are needed. */
#define FETCH_BLOCKS	2

/**
 * struct fetch - the next blocks of one stream; zeroed memory has none
 * @run: reads the next block, in any thread; its number is below FETCH_BLOCKS. Returns whether
 *	there may be more
 */
struct fetch {
	bool (*run)(struct fetch *fetch, unsigned int block);

	/* private: @first: the oldest of @nr blocks that were read; @wants: more are to be read */
	unsigned int first, nr;
	bool wants, is_listed, runs;
	struct fetch *next;
};

/**
 * struct fetcher - the streams of which idle threads may read a block
 */
struct fetcher {
	/* private: @last: the list; @nr: of streams in it */
	pthread_mutex_t lock;
	pthread_cond_t done;
	struct fetch *last;
	atomic_uint nr;
};

void fetcher_init(struct fetcher *f);
void fetcher_want(struct fetcher *f, struct fetch *fetch);
bool fetcher_work(struct fetcher *f);
int fetcher_take(struct fetcher *f, struct fetch *fetch);
void fetcher_give(struct fetcher *f, struct fetch *fetch);
void fetcher_clear(struct fetcher *f, struct fetch *fetch);
void fetcher_destroy(struct fetcher *f);

#endif /* KMEMTRACE_FETCHER_H */
