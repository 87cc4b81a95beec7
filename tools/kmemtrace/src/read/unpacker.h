/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A thread that decompresses frames before they are needed.
 */
#ifndef KMEMTRACE_UNPACKER_H
#define KMEMTRACE_UNPACKER_H

#include <pthread.h>
#include <stdbool.h>

#include "read/decoder.h"

/**
 * enum unpacker_state - how far a task is
 * @UNPACKER_IDLE: it has no work
 * @UNPACKER_WANTED: it is queued
 * @UNPACKER_RUNS: the thread works on it
 * @UNPACKER_DONE: its result can be taken
 */
enum unpacker_state {
	UNPACKER_IDLE,
	UNPACKER_WANTED,
	UNPACKER_RUNS,
	UNPACKER_DONE,
};

/**
 * struct unpacker_task - work for the thread; zeroed memory is one without work
 * @run: does the work, in the thread. An error that it records in the context it gets has no
 *	effect on the trace
 *
 * What @run uses belongs to the thread from unpacker_want() until unpacker_take().
 */
struct unpacker_task {
	void (*run)(struct unpacker_task *task, struct decoder *decoder, struct context *ctx);

	/* private: */
	enum unpacker_state state;
	struct unpacker_task *next;
};

/**
 * struct unpacker - the thread
 */
struct unpacker {
	/* private: @first, @last: the queue */
	struct context ctx;
	struct decoder decoder;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wanted, done;
	struct unpacker_task *first, *last;
	bool runs, stops;
};

void unpacker_start(struct unpacker *u);
void unpacker_want(struct unpacker *u, struct unpacker_task *task);
bool unpacker_take(struct unpacker *u, struct unpacker_task *task);
void unpacker_stop(struct unpacker *u);

#endif /* KMEMTRACE_UNPACKER_H */
