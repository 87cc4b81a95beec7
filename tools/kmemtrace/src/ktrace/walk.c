// SPDX-License-Identifier: GPL-2.0
/*
 * walk.c - merge the streams of all CPUs by time
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "ktrace/walk.h"

/* Bytes to read at a time, for one CPU and for all of them together. */
#define MIN_ROOM	RECORD_MAX_KEPT
#define MAX_ROOM	(64 * 1024)
#define ALL_ROOMS	(16 * 1024 * 1024)

static size_t room_of_each(size_t nr)
{
	size_t room = ALL_ROOMS / nr;

	if (room > MAX_ROOM)
		return MAX_ROOM;
	return room < MIN_ROOM ? MIN_ROOM : room;
}

/**
 * walk_begin - begin to merge
 * @w: result; walk_end() it also after an error
 * @t: an open trace
 *
 * Return: 0, or -errno after a message.
 */
int walk_begin(struct walk *w, struct ktrace *t)
{
	size_t i;
	int ret;

	*w = (struct walk) { .t = t };
	w->streams = context_calloc(t->ctx, t->nr_cpus + 1, sizeof(*w->streams));
	if (!w->streams)
		return -ENOMEM;
	for (i = 0; i < t->nr_cpus; i++) {
		struct kstream *s = &w->streams[w->nr];

		if (!t->cpus[i].file)
			continue;
		w->nr++;
		ret = ktrace_open_stream(t, s, i, room_of_each(t->nr_cpus));
		if (ret)
			return ret;
		s->maps = &t->maps;
	}
	return tournament_init(&w->tournament, t->ctx, w->nr);
}

static int enter_all(struct walk *w)
{
	int ret = 0;
	size_t i;

	for (i = 0; ret >= 0 && i < w->nr; i++) {
		ret = kstream_next(&w->streams[i]);
		tournament_set(&w->tournament, i, w->streams[i].time, ret <= 0);
	}
	tournament_begin(&w->tournament);
	return ret < 0 ? ret : 0;
}

/* Return the stream of the current record. */
static struct kstream *current(const struct walk *w)
{
	return &w->streams[tournament_winner(&w->tournament)];
}

static int next_record(struct walk *w)
{
	struct kstream *s = current(w);
	int ret = kstream_next(s);

	tournament_play(&w->tournament, s->time, ret <= 0);
	return ret < 0 ? ret : 0;
}

/* Return whether no later record can be selected. */
static bool is_behind(const struct walk *w)
{
	const struct interval *between = &w->t->selection.between;

	return between->has_end &&
	       ktrace_since(w->t, current(w)->time) > between->end;
}

/**
 * walk_next - go to the next event that the options choose
 * @w: the merged streams
 *
 * Return: 1 with an event in @w->ev, 0 at the end, -errno after a message.
 */
int walk_next(struct walk *w)
{
	int ret;

	for (;;) {
		ret = w->has_begun ? next_record(w) : enter_all(w);
		w->has_begun = true;
		if (ret)
			return ret;
		if (!w->nr || tournament_is_over(&w->tournament) || is_behind(w))
			return 0;
		if (ktrace_decode(w->t, current(w), &w->ev) == KEVENT_SELECTED)
			return 1;
		ret = context_error(w->t->ctx);
		if (ret)
			return ret;
	}
}

/* Undo walk_begin(), also after an error. */
void walk_end(struct walk *w)
{
	size_t i;

	for (i = 0; i < w->nr; i++)
		kstream_close(&w->streams[i]);
	free(w->streams);
	tournament_free(&w->tournament);
}
