// SPDX-License-Identifier: GPL-2.0
/*
 * Merge the streams of all CPUs by time.
 *
 * Records of one CPU keep their order even where its clock goes back. Between
 * CPUs the order follows the times, unless a record makes no sense where it
 * stands, like the release of what was not yet allocated. It waits then, and
 * with it all of its CPU, while the others go on for a while, the window: the
 * record it needs may be among theirs, stamped by a clock that is a little off. If
 * none comes, it is taken as it is.
 *
 * The window is as long as the clocks are uncertain. Each CPU's stream says that
 * now and then; what counts is the worst of what they said last.
 *
 * One time that is far later than the one before and later than the next one of
 * its CPU, which are in order, is wrong: were it believed, all that follows would
 * seem to be as late. The record keeps its place, and gets the time before it.
 *
 * Equal times of two CPUs are ordered by CPU number: arbitrary, but the same
 * always.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "merge.h"

static bool before(const struct merge_node *a, const struct merge_node *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	return a->r->cpu < b->r->cpu;
}

static void sift_down(struct merge *m, size_t i)
{
	struct merge_node node = m->heap[i];
	size_t child;

	while ((child = 2 * i + 1) < m->nr) {
		if (child + 1 < m->nr &&
		    before(&m->heap[child + 1], &m->heap[child]))
			child++;
		if (!before(&m->heap[child], &node))
			break;
		m->heap[i] = m->heap[child];
		i = child;
	}
	m->heap[i] = node;
}

static void push(struct merge *m, const struct merge_node *node)
{
	size_t i = m->nr++, parent;

	while (i && before(node, &m->heap[parent = (i - 1) / 2])) {
		m->heap[i] = m->heap[parent];
		i = parent;
	}
	m->heap[i] = *node;
}

static void pop(struct merge *m)
{
	m->heap[0] = m->heap[--m->nr];
	if (m->nr)
		sift_down(m, 0);
}

/* Is the next record before the current one, but not before @last? */
static bool is_astray(struct reader *r, int64_t last)
{
	int64_t next;

	return reader_peek_time(r, 1, &next) && next < r->rec.ev->timestamp &&
	       next >= last;
}

/*
 * The time of a CPU's first record. Of three, the one that is out of order is
 * wrong: the first one, if the next two are in order.
 */
static int64_t first_time(struct merge *m, struct reader *r)
{
	int64_t second, third;

	if (!is_astray(r, INT64_MIN) || !reader_peek_time(r, 1, &second) ||
	    !reader_peek_time(r, 2, &third) ||
	    third < second || third >= r->rec.ev->timestamp)
		return r->rec.ev->timestamp;
	m->backwards++;
	return second;
}

/*
 * Go on to the time of the current record, unless it is wrong. A wrong one within
 * the window does no harm: no need to look ahead for most records.
 */
static void go_on(struct merge *m, struct merge_node *node)
{
	int64_t time = node->r->rec.ev->timestamp;
	uint64_t step = (uint64_t)time - (uint64_t)node->time;

	if (time < node->time ||
	    (step > MERGE_WINDOW_NS && is_astray(node->r, node->time)))
		m->backwards++;
	else
		node->time = time;
}

/* A clock of @node's CPU says how well it agrees with those of other CPUs. */
static void set_uncertainty(struct merge_node *node)
{
	const struct kmemtrace_clock *clock = (const void *)node->r->rec.ev;

	node->uncertainty = clock->uncertainty < MERGE_MAX_WINDOW_NS ?
			    clock->uncertainty : MERGE_MAX_WINDOW_NS;
}

static bool is_clock(const struct merge_node *node)
{
	return node->r->rec.ev->event_id == KMEMTRACE_EVENT_CLOCK;
}

static void widen(struct merge *m, const struct merge_node *nodes, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (nodes[i].uncertainty > m->window)
			m->window = nodes[i].uncertainty;
}

static void set_window(struct merge *m)
{
	m->window = MERGE_WINDOW_NS;
	widen(m, m->heap, m->nr);
	widen(m, m->waiting, m->nr_waiting);
}

/**
 * merge_init - start merging
 * @m: result; merge_free() it also after an error
 * @readers: opened, no record read; stay the caller's
 * @nr: of @readers
 * @fits: does an allocation or a free make sense after what came before it?
 * @arg: for @fits
 *
 * Return: 0, or -errno after a message.
 */
int merge_init(struct merge *m, struct reader *readers, size_t nr,
	       bool (*fits)(void *arg, const struct record *rec),
	       void *arg)
{
	struct merge_node node;
	size_t i;
	int ret;

	*m = (struct merge) { .time = INT64_MIN, .fits = fits, .arg = arg };
	m->heap = calloc(nr + 1, sizeof(*m->heap));
	m->waiting = calloc(nr + 1, sizeof(*m->waiting));
	if (!m->heap || !m->waiting)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		ret = reader_next(&readers[i]);
		if (ret < 0)
			return ret;
		if (!ret)
			continue;
		node = (struct merge_node) {
			.time = first_time(m, &readers[i]),
			.r = &readers[i],
		};
		if (is_clock(&node))
			set_uncertainty(&node);
		push(m, &node);
	}
	set_window(m);
	return 0;
}

/* Put the next record of the current one's CPU, if any, into the heap. */
static int advance(struct merge *m)
{
	struct merge_node node = m->node;
	bool at_root = m->nr && m->heap[0].r == node.r;
	int ret;

	ret = reader_next(node.r);
	if (ret < 0)
		return ret;
	if (!ret) {
		if (at_root)
			pop(m);
		return 0;
	}
	go_on(m, &node);
	if (is_clock(&node))
		set_uncertainty(&node);
	if (at_root) {
		m->heap[0] = node;
		sift_down(m, 0);
	} else {
		push(m, &node);
	}
	if (is_clock(&node))
		set_window(m);
	return 0;
}

static int take(struct merge *m, const struct merge_node *node, bool waited)
{
	m->node = *node;
	m->cur = node->r;
	if (node->time > m->time)
		m->time = node->time;
	m->waited = waited;
	return 1;
}

static int take_waiting(struct merge *m, size_t i, bool waited)
{
	struct merge_node node = m->waiting[i];

	m->nr_waiting--;
	memmove(&m->waiting[i], &m->waiting[i + 1],
		(m->nr_waiting - i) * sizeof(node));
	return take(m, &node, waited);
}

/* Let the root of the heap wait; those that wait are in the order of time. */
static void make_wait(struct merge *m)
{
	size_t i = m->nr_waiting++;

	for (; i && before(&m->heap[0], &m->waiting[i - 1]); i--)
		m->waiting[i] = m->waiting[i - 1];
	m->waiting[i] = m->heap[0];
	pop(m);
}

/* Is there nothing left that the first one may wait for? */
static bool waited_enough(const struct merge *m)
{
	if (!m->nr)
		return true;
	return m->nr_waiting && m->heap[0].time > m->waiting[0].time &&
	       (uint64_t)m->heap[0].time - (uint64_t)m->waiting[0].time >
	       m->window;
}

/* All but allocations and frees make sense anywhere. */
static bool fits(struct merge *m, const struct reader *r)
{
	uint8_t id = r->rec.ev->event_id;

	return (id != KMEMTRACE_EVENT_ALLOC && id != KMEMTRACE_EVENT_FREE) ||
	       m->fits(m->arg, &r->rec);
}

static int choose(struct merge *m)
{
	size_t i;

	for (i = 0; i < m->nr_waiting; i++)
		if (fits(m, m->waiting[i].r))
			return take_waiting(m, i, true);
	while (!waited_enough(m)) {
		if (fits(m, m->heap[0].r))
			return take(m, &m->heap[0], false);
		make_wait(m);
	}
	if (m->nr_waiting)
		return take_waiting(m, 0, false);
	m->cur = NULL;
	return 0;
}

/**
 * merge_next - go to the next record
 * @m: the merged stream
 *
 * Return: 1 with a record in @m->cur->rec, 0 at the end, -errno after a message.
 */
int merge_next(struct merge *m)
{
	int ret;

	if (m->cur) {
		ret = advance(m);
		if (ret)
			return ret;
	}
	return choose(m);
}

/* Give back what merge_init() took. */
void merge_free(struct merge *m)
{
	free(m->heap);
	free(m->waiting);
}
