/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The streams of all CPUs as one stream, ordered by time.
 */
#ifndef KMEMTRACE_MERGE_H
#define KMEMTRACE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/reader.h"
#include "read/tournament.h"

/*
 * The clocks of two CPUs differ: events on both within this window may have happened in
 * any order. If the kernel reports a larger difference, as early in the boot, that is the
 * window, up to MERGE_MAX_WINDOW_NS.
 */
#define MERGE_WINDOW_NS		100000
#define MERGE_MAX_WINDOW_NS	1000000000

/**
 * struct merge - a position in the merged stream
 * @cur: the reader of the current record
 * @time: time of the current record; it never decreases
 * @window: nanoseconds by which records of two CPUs may be in the wrong order
 * @backwards: records whose time is before that of the previous record of their CPU, or
 *	whose time alone is after that of the next; they keep their place
 *
 * Streams may still be arriving. Then the next record of all is known once each stream has
 * a record or is known to have none before some time: merge_next() waits for that.
 */
struct merge {
	struct reader *cur;
	int64_t time;
	uint64_t window;
	uint64_t backwards;

	/* private: see merge.c; @first: the node of @cur; @soon: next time, if @has_soon */
	struct context *ctx;
	struct tournament tournament;
	struct merge_node *first;
	struct merge_node {
		struct reader *r;
		int64_t time, soon;
		bool ended, waits, begun, has_soon;
	} *nodes;
	uint64_t *worst;
	size_t nr_waiting;
	int64_t reached;
	bool begun;
};

int merge_init(struct merge *m, struct context *ctx, struct reader *readers, size_t nr);
int merge_next_slow(struct merge *m);
int merge_add(struct merge *m, struct reader **readers, size_t nr);
int merge_resume(struct merge *m, int64_t reached);
int merge_waits_for(const struct merge *m);
void merge_free(struct merge *m);

/* Return the node of the current record. */
static inline struct merge_node *merge_node(const struct merge *m)
{
	return &m->nodes[tournament_winner(&m->tournament)];
}

/* Make the record of the stream that comes first the current one. */
static ALWAYS_INLINE void merge_take_first(struct merge *m)
{
	struct merge_node *first = merge_node(m);

	m->first = first;
	m->cur = first->r;
	m->time = first->time;
}

/* Return whether @time is at most the smallest window after @before. */
static inline bool merge_is_soon_after(int64_t time, int64_t before)
{
	int64_t ns;

	return !__builtin_sub_overflow(time, before, &ns) &&
	       (uint64_t)ns <= MERGE_WINDOW_NS;
}

/*
 * Find the time of a stream's next record early: the tournament depends on it, and the processor
 * would wait. Return whether merge_next_quick() can go to that record.
 */
static ALWAYS_INLINE bool merge_look_ahead(struct merge_node *node)
{
	node->has_soon = reader_peek_quick(node->r, &node->soon);
	return node->has_soon;
}

/* Return whether merge_next_quick() may be called. What it does doesn't change that. */
static inline bool merge_may_be_quick(const struct merge *m)
{
	return m->cur && !m->nr_waiting;
}

/**
 * merge_next_quick - go to the next record in the usual case
 * @m: the merged stream, where merge_may_be_quick()
 *
 * Most records follow soon after another of their stream. reader_complete() must come before
 * @m->cur->rec is read, but for its time.
 *
 * Return: false, with nothing done, in other cases, which are for merge_next().
 */
static ALWAYS_INLINE bool merge_next_quick(struct merge *m)
{
	struct merge_node *node = m->first;
	int64_t time;

	if (!node->has_soon && !merge_look_ahead(node))
		return false;
	time = node->soon;
	if (!merge_is_soon_after(time, m->time) || !tournament_play_soon(&m->tournament, time))
		return false;
	node->time = time;
	reader_go_on(node->r, time);
	merge_look_ahead(node);
	merge_take_first(m);
	return true;
}

/**
 * merge_next - go to the next record
 * @m: the merged stream
 *
 * Return: 1 with a record in @m->cur->rec, 0 at the end, -errno after a message. -EAGAIN,
 * without a message: the streams wait; merge_resume() must come before the next call.
 */
static inline int merge_next(struct merge *m)
{
	if (!merge_may_be_quick(m) || !merge_next_quick(m))
		return merge_next_slow(m);
	reader_complete(m->cur);
	return 1;
}

#endif /* KMEMTRACE_MERGE_H */
