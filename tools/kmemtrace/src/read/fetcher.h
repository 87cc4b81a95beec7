/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The next bytes of streams, which idle threads read before they are needed.
 */
#ifndef KMEMTRACE_FETCHER_H
#define KMEMTRACE_FETCHER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/**
 * enum fetch_state - how far a fetch is
 * @FETCH_IDLE: it has no work
 * @FETCH_WANTED: it is in the stack
 * @FETCH_RUNS: a thread works on it
 * @FETCH_DONE: its result can be taken
 */
enum fetch_state {
	FETCH_IDLE,
	FETCH_WANTED,
	FETCH_RUNS,
	FETCH_DONE,
};

/**
 * struct fetch - bytes to be read; zeroed memory is one without work
 * @run: reads them, in any thread
 *
 * What @run uses belongs to that thread from fetcher_want() until fetcher_take().
 */
struct fetch {
	void (*run)(struct fetch *fetch);

	/* private: */
	enum fetch_state state;
	struct fetch *next;
};

/**
 * struct fetcher - a stack of fetches
 */
struct fetcher {
	/* private: @last: the stack; @nr: in the stack */
	pthread_mutex_t lock;
	pthread_cond_t done;
	struct fetch *last;
	atomic_uint nr;
};

void fetcher_init(struct fetcher *f);
void fetcher_want(struct fetcher *f, struct fetch *fetch);
bool fetcher_work(struct fetcher *f);
bool fetcher_take(struct fetcher *f, struct fetch *fetch);
void fetcher_destroy(struct fetcher *f);

#endif /* KMEMTRACE_FETCHER_H */
