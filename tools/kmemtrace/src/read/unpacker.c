// SPDX-License-Identifier: GPL-2.0
/*
 * unpacker.c - a thread that decompresses frames before they are needed
 *
 * When the reading thread begins a frame, it queues the next frame of that stream. If the unpacker
 * has not begun that frame when it is needed, the reading thread cancels the task and decompresses
 * the frame itself. So both threads are busy, and what is read doesn't depend on which one worked.
 */
#include "config.h"

#include <stddef.h>

#include "read/unpacker.h"

/* Wait for a task and remove it from the queue. Return NULL when the thread must end. */
static struct unpacker_task *next_task(struct unpacker *u)
{
	struct unpacker_task *task;

	while (!u->first && !u->stops)
		pthread_cond_wait(&u->wanted, &u->lock);
	if (u->stops)
		return NULL;
	task = u->first;
	u->first = task->next;
	return task;
}

static void *work(void *arg)
{
	struct unpacker *u = arg;
	struct unpacker_task *task;

	pthread_mutex_lock(&u->lock);
	while ((task = next_task(u))) {
		task->state = UNPACKER_RUNS;
		pthread_mutex_unlock(&u->lock);
		task->run(task, &u->decoder, &u->ctx);
		pthread_mutex_lock(&u->lock);
		task->state = UNPACKER_DONE;
		pthread_cond_signal(&u->done);
	}
	pthread_mutex_unlock(&u->lock);
	return NULL;
}

/**
 * unpacker_start - start the thread
 * @u: result; unpacker_stop() it
 *
 * If the thread can't be started, tasks are never done: unpacker_take() returns false.
 */
void unpacker_start(struct unpacker *u)
{
	*u = (struct unpacker) { .runs = false };
	pthread_mutex_init(&u->lock, NULL);
	pthread_cond_init(&u->wanted, NULL);
	pthread_cond_init(&u->done, NULL);
	u->runs = !decoder_init(&u->decoder, &u->ctx) &&
		  !pthread_create(&u->thread, NULL, work, u);
}

/* Queue a task, which is idle. */
void unpacker_want(struct unpacker *u, struct unpacker_task *task)
{
	if (!u->runs)
		return;
	pthread_mutex_lock(&u->lock);
	task->state = UNPACKER_WANTED;
	task->next = NULL;
	if (u->first)
		u->last->next = task;
	else
		u->first = task;
	u->last = task;
	pthread_cond_signal(&u->wanted);
	pthread_mutex_unlock(&u->lock);
}

/* Remove a task from the queue. */
static void cancel(struct unpacker *u, struct unpacker_task *task)
{
	struct unpacker_task **at = &u->first, *before = NULL;

	while (*at != task) {
		before = *at;
		at = &before->next;
	}
	*at = task->next;
	if (u->last == task)
		u->last = before;
}

/**
 * unpacker_take - wait for a task that runs, or cancel it if it is queued
 * @u: the thread
 * @task: the task; it is idle then
 *
 * Return: whether the task was done.
 */
bool unpacker_take(struct unpacker *u, struct unpacker_task *task)
{
	bool is_done;

	pthread_mutex_lock(&u->lock);
	while (task->state == UNPACKER_RUNS)
		pthread_cond_wait(&u->done, &u->lock);
	if (task->state == UNPACKER_WANTED)
		cancel(u, task);
	is_done = task->state == UNPACKER_DONE;
	task->state = UNPACKER_IDLE;
	pthread_mutex_unlock(&u->lock);
	return is_done;
}

/* End the thread. unpacker_take() may follow, unpacker_want() must not. */
void unpacker_stop(struct unpacker *u)
{
	pthread_mutex_lock(&u->lock);
	u->stops = true;
	pthread_cond_signal(&u->wanted);
	pthread_mutex_unlock(&u->lock);
	if (u->runs)
		pthread_join(u->thread, NULL);
	u->runs = false;
	decoder_free(&u->decoder);
}
