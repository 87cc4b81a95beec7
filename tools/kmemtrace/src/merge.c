// SPDX-License-Identifier: GPL-2.0
/*
 * Merge the streams of all CPUs by time.
 *
 * Records of one CPU keep their order even where its clock goes back. Equal
 * times of two CPUs are ordered by CPU number: arbitrary, but the same always.
 */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

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

/**
 * merge_init - start merging
 * @m: result; merge_free() it also after an error
 * @readers: opened, no record read; stay the caller's
 * @nr: of @readers
 *
 * Return: 0, or -errno after a message.
 */
int merge_init(struct merge *m, struct reader *readers, size_t nr)
{
	size_t i;
	int ret;

	*m = (struct merge) { .time = INT64_MIN };
	m->heap = calloc(nr + 1, sizeof(*m->heap));
	if (!m->heap)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		ret = reader_next(&readers[i]);
		if (ret < 0)
			return ret;
		if (ret)
			m->heap[m->nr++] = (struct merge_node) {
				.time = readers[i].ev->timestamp,
				.r = &readers[i],
			};
	}
	for (i = m->nr / 2; i-- > 0;)
		sift_down(m, i);
	return 0;
}

/* Take the current record off the heap: the next of its CPU, if any, goes in. */
static int advance(struct merge *m)
{
	struct merge_node *root = &m->heap[0];
	int64_t time;
	int ret;

	ret = reader_next(root->r);
	if (ret < 0)
		return ret;
	if (ret) {
		time = root->r->ev->timestamp;
		if (time >= root->time)
			root->time = time;
		else
			m->backwards++;
	} else {
		*root = m->heap[--m->nr];
	}
	if (m->nr)
		sift_down(m, 0);
	return 0;
}

/**
 * merge_next - go to the next record
 * @m: the merged stream
 *
 * Return: 1 with a record in @m->cur->ev, 0 at the end, -errno after a message.
 */
int merge_next(struct merge *m)
{
	int ret;

	if (m->cur) {
		ret = advance(m);
		if (ret)
			return ret;
	}
	if (!m->nr) {
		m->cur = NULL;
		return 0;
	}
	m->cur = m->heap[0].r;
	m->time = m->heap[0].time;
	return 1;
}

/* Give back what merge_init() took. */
void merge_free(struct merge *m)
{
	free(m->heap);
	m->heap = NULL;
	m->nr = 0;
}
