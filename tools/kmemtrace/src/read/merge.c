// SPDX-License-Identifier: GPL-2.0
/*
 * merge.c - merge the streams of all CPUs by time
 *
 * Records of one CPU keep their order even where its clock goes back. Records of several
 * CPUs are ordered by their times, which are as good as the clocks. Each stream reports now
 * and then how well its clock agrees with the others. The largest uncertainty that the
 * streams reported last is the window, in which the ledger looks for a possible order.
 *
 * A single time is wrong if it is far later than the time before it and later than the next
 * time of its CPU, and those two are in order. All records that follow would seem to be as
 * late. The record keeps its place, and gets the time before it.
 *
 * tournament.h chooses the next record. Equal times of two CPUs are ordered by CPU number.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "read/merge.h"

/*
 * Return the time of a stream: one that waits has no record before @m->reached, unless what
 * it waits for is earlier.
 */
static int64_t time_of_node(const struct merge *m, const struct merge_node *node)
{
	int64_t reached = m->reached;

	if (node->r->reached < reached)
		reached = node->r->reached;
	return node->waits && node->time < reached ? reached : node->time;
}

/* Let all streams play, from the beginning. */
static void play_all(struct merge *m)
{
	const struct merge_node *node;
	uint32_t i;

	for (i = 0; i < m->tournament.nr; i++) {
		node = &m->nodes[i];
		tournament_set(&m->tournament, i, time_of_node(m, node), node->ended);
	}
	tournament_begin(&m->tournament);
}

/* Return whether the next record is before the current one, but not before @last. */
static bool is_astray(struct reader *r, int64_t last)
{
	int64_t next;

	return reader_peek_time(r, 1, &next) && next < r->rec.time &&
	       next >= last;
}

/*
 * Return the time of a CPU's first record. The time is wrong if the next two records are
 * in order, and both before it.
 */
static int64_t first_time(struct merge *m, struct reader *r)
{
	int64_t second, third;

	if (!is_astray(r, INT64_MIN) || !reader_peek_time(r, 1, &second) ||
	    !reader_peek_time(r, 2, &third) ||
	    third < second || third >= r->rec.time)
		return r->rec.time;
	m->backwards++;
	return second;
}

/*
 * Return whether @time is before @former by no more than the clock of @node is uncertain. A
 * better clock may step back so when it replaces one that counts ticks. While the streams
 * arrive, what is learnt of the clock moves times back within the window.
 */
static bool is_step_of_clock(const struct merge *m, const struct merge_node *node,
			     int64_t former, int64_t time)
{
	uint64_t uncertainty = node->r->growing ? m->window :
			       m->worst[m->tournament.nr + (node - m->nodes)];
	int64_t ns;

	return time < former && !__builtin_sub_overflow(former, time, &ns) &&
	       (uint64_t)ns <= uncertainty;
}

/* Return whether @time is wrong as the time of the current record. */
static bool is_wrong(const struct merge *m, const struct merge_node *node, int64_t time)
{
	int64_t next;

	if (time < node->time)
		return true;
	return is_astray(node->r, node->time) && reader_peek_time(node->r, 1, &next) &&
	       !is_step_of_clock(m, node, time, next);
}

/*
 * Take over the time of the current record, unless it is wrong. A wrong time within the
 * window does no harm, so most records are not compared with the next ones.
 */
static void follow_time(struct merge *m, struct merge_node *node)
{
	int64_t time = node->r->rec.time;

	if (merge_is_soon_after(time, node->time))
		node->time = time;
	else if (is_step_of_clock(m, node, node->time, time))
		return;
	else if (is_wrong(m, node, time))
		m->backwards++;
	else
		node->time = time;
}

/* @worst is a tree: an entry is the larger of the two below it, the leaves are at nr. */
static void set_uncertainty(struct merge *m, const struct merge_node *node,
			    uint64_t uncertainty)
{
	uint64_t *worst = m->worst;
	size_t i = m->tournament.nr + (node - m->nodes);

	worst[i] = uncertainty;
	for (i /= 2; i; i /= 2)
		worst[i] = worst[2 * i] > worst[2 * i + 1] ? worst[2 * i] :
							     worst[2 * i + 1];
	m->window = worst[1] > MERGE_WINDOW_NS ? worst[1] : MERGE_WINDOW_NS;
}

/* Take over the uncertainty of a CPU's clock. */
static void take_over_uncertainty(struct merge *m, const struct merge_node *node)
{
	const struct kmemtrace_clock *clock = (const void *)node->r->rec.ev;

	set_uncertainty(m, node, clock->uncertainty < MERGE_MAX_WINDOW_NS ?
				 clock->uncertainty : MERGE_MAX_WINDOW_NS);
}

/* The clock of a stream that has ended has no influence on the window. */
static void end_node(struct merge *m, struct merge_node *node)
{
	node->ended = true;
	set_uncertainty(m, node, 0);
}

static bool is_at_clock(const struct merge_node *node)
{
	return node->r->rec.ev->event_id == KMEMTRACE_EVENT_CLOCK;
}

/* Take over the first record of a stream. */
static void begin_node(struct merge *m, struct merge_node *node)
{
	node->begun = true;
	node->time = first_time(m, node->r);
	if (is_at_clock(node))
		take_over_uncertainty(m, node);
}

/**
 * merge_init - start merging
 * @m: result; merge_free() it also after an error
 * @ctx: the context of the trace
 * @readers: by CPU number, opened, no record read; stay the caller's
 * @nr: of @readers
 *
 * From here on, @m->time is that of the first record, or 0 if there is none.
 *
 * Return: 0, or -errno after a message.
 */
int merge_init(struct merge *m, struct context *ctx, struct reader *readers, size_t nr)
{
	struct merge_node *node;
	size_t i;
	int ret;

	*m = (struct merge) { .ctx = ctx, .window = MERGE_WINDOW_NS };
	ret = tournament_init(&m->tournament, ctx, nr);
	m->nodes = context_calloc(ctx, nr + 1, sizeof(*m->nodes));
	m->worst = context_calloc(ctx, 2 * nr + 2, sizeof(*m->worst));
	if (ret || !m->nodes || !m->worst)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		node = &m->nodes[i];
		node->r = &readers[i];
		ret = reader_next(node->r);
		if (ret < 0)
			return ret;
		if (!ret)
			end_node(m, node);
		else
			begin_node(m, node);
	}
	play_all(m);
	if (!tournament_is_over(&m->tournament))
		m->time = merge_node(m)->time;
	return 0;
}

/* Go to the next record of a stream, which may be its end or a clock. Return 0 or -errno. */
static int step(struct merge *m, struct merge_node *node)
{
	int ret = reader_next_slow(node->r);

	node->has_soon = false;
	m->nr_waiting -= node->waits;
	node->waits = ret == -EAGAIN;
	m->nr_waiting += node->waits;
	if (ret < 0)
		return node->waits ? 0 : ret;
	if (!ret)
		end_node(m, node);
	else if (!node->begun)
		begin_node(m, node);
	else
		follow_time(m, node);
	if (ret && is_at_clock(node))
		take_over_uncertainty(m, node);
	return 0;
}

/* Let a stream play, after step(). */
static void play(struct merge *m, const struct merge_node *node)
{
	if (tournament_step(&m->tournament, time_of_node(m, node), node->ended))
		play_all(m);
}

/* Do what merge_next() does in all cases. */
int merge_next_slow(struct merge *m)
{
	struct merge_node *node;
	int ret;

	if (m->cur) {
		node = merge_node(m);
		ret = step(m, node);
		if (ret)
			return ret;
		play(m, node);
	}
	m->cur = NULL;
	if (tournament_is_over(&m->tournament))
		return 0;
	if (merge_node(m)->waits)
		return -EAGAIN;
	merge_take_first(m);
	reader_complete(m->cur);
	return 1;
}

/* ---- streams that are still arriving ---- */

/* Make room for @nr nodes. Return 0 or -errno. */
static int grow_nodes(struct merge *m, size_t nr)
{
	size_t i, old = m->tournament.nr;
	uint64_t *worst = context_calloc(m->ctx, 2 * nr + 2, sizeof(*worst));
	struct merge_node *nodes;

	if (!worst)
		return -ENOMEM;
	for (i = 0; i < old; i++)
		worst[nr + i] = m->worst[old + i];
	free(m->worst);
	m->worst = worst;
	nodes = context_realloc(m->ctx, m->nodes, nr + 1, sizeof(*nodes));
	if (!nodes)
		return -ENOMEM;
	m->nodes = nodes;
	return 0;
}

static int by_cpu_of_reader(const void *left, const void *right)
{
	struct reader *const *a = left, *const *b = right;

	return (*a)->cpu < (*b)->cpu ? -1 : (*a)->cpu > (*b)->cpu;
}

/*
 * Put streams between the @old ones, which are at the front of the nodes. All are sorted by CPU
 * number.
 */
static void insert_nodes(struct merge *m, size_t old, struct reader *const *readers, size_t nr)
{
	uint64_t *leaves = m->worst + old + nr;
	size_t to;

	for (to = old + nr; nr; to--) {
		if (old && m->nodes[old - 1].r->cpu > readers[nr - 1]->cpu) {
			old--;
			m->nodes[to - 1] = m->nodes[old];
			leaves[to - 1] = leaves[old];
			continue;
		}
		nr--;
		m->nodes[to - 1] = (struct merge_node) {
			.r = readers[nr], .time = INT64_MIN, .waits = true,
		};
		leaves[to - 1] = 0;
	}
}

/* Let all streams play again, as many as there are. Return 0 or -errno. */
static int play_again(struct merge *m, size_t nr)
{
	tournament_free(&m->tournament);
	if (tournament_init(&m->tournament, m->ctx, nr))
		return -ENOMEM;
	play_all(m);
	return 0;
}

/**
 * merge_add - add streams that have begun to arrive
 * @m: the merged stream, where merge_next() returned -EAGAIN or 0, or before its first call
 * @readers: opened, no record read; stay the caller's. Are sorted by CPU number
 * @nr: of @readers
 *
 * Call merge_resume() before merge_next().
 *
 * Return: 0 or -errno.
 */
int merge_add(struct merge *m, struct reader **readers, size_t nr)
{
	size_t i, old = m->tournament.nr;
	int ret = grow_nodes(m, old + nr);

	if (ret)
		return ret;
	qsort(readers, nr, sizeof(struct reader *), by_cpu_of_reader);
	insert_nodes(m, old, readers, nr);
	m->nr_waiting += nr;
	for (i = old + nr; i-- > 1;)
		m->worst[i] = m->worst[2 * i] > m->worst[2 * i + 1] ? m->worst[2 * i] :
								     m->worst[2 * i + 1];
	return play_again(m, old + nr);
}

/* A record that comes too late to be in order gets the time of the merged stream. */
static void catch_up(struct merge *m, struct merge_node *node)
{
	if (!m->begun || node->ended || node->waits || node->time >= m->time)
		return;
	if ((uint64_t)m->time - (uint64_t)node->time > m->window)
		m->backwards++;
	node->time = m->time;
}

/**
 * merge_resume - go on after streams were waited for
 * @m: the merged stream
 * @reached: streams that still wait have no record before this time
 *
 * Return: 0, or -errno after a message.
 */
int merge_resume(struct merge *m, int64_t reached)
{
	size_t i;
	int ret = 0;

	m->reached = reached;
	for (i = 0; !ret && i < m->tournament.nr; i++) {
		struct merge_node *node = &m->nodes[i];

		node->has_soon = false;
		if (!node->waits)
			continue;
		ret = step(m, node);
		catch_up(m, node);
	}
	if (!ret)
		ret = play_again(m, m->tournament.nr);
	if (!ret && !m->begun && !tournament_is_over(&m->tournament) &&
	    !merge_node(m)->waits) {
		m->begun = true;
		m->time = merge_node(m)->time;
	}
	return ret;
}

/* Return the CPU for which merge_next() waits, or -1. */
int merge_waits_for(const struct merge *m)
{
	const struct merge_node *node;

	if (tournament_is_over(&m->tournament))
		return -1;
	node = merge_node(m);
	return node->waits ? (int)node->r->cpu : -1;
}

/* Undo merge_init(). */
void merge_free(struct merge *m)
{
	free(m->nodes);
	tournament_free(&m->tournament);
	free(m->worst);
}
