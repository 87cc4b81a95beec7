// SPDX-License-Identifier: GPL-2.0
/*
 * waiting.c - changes that wait for others
 *
 * Clocks may be slightly off, so the times of two CPUs may be in the wrong order.
 * A change that contradicts the state of its slot waits for a limited time, the window. So
 * do all later changes of its CPU about the same memory. A change of another CPU may
 * explain it in that time. If none does, the change is applied nevertheless.
 */
#include "config.h"

#include <string.h>

#include "ledger/findings.h"
#include "ledger/contradictions.h"
#include "ledger/slots.h"
#include "ledger/waiting.h"

/* Most slots that are examined for one change: it is examined after each other change. */
#define MAX_EXAMINED	65536

/* Return whether two changes share a frame or an object, or an object's frame. */
static bool are_related(const struct shard_work *j, const struct change *a, const struct change *b)
{
	uint64_t at_a, at_b, nr_a = 1, nr_b = 1;

	if (a->space != SPACE_PAGES && b->space != SPACE_PAGES)
		return a->ptr == b->ptr;
	if (a->space == SPACE_PAGES)
		nr_a = slots_frames(j, a);
	if (b->space == SPACE_PAGES)
		nr_b = slots_frames(j, b);
	at_a = frame_local(a->ptr >> j->l->page_shift);
	at_b = frame_local(b->ptr >> j->l->page_shift);
	return at_a - at_b < nr_b || at_b - at_a < nr_a;
}

/* Return whether @c must stay behind one of the first @nr, to keep its CPU's order. */
static bool stays_behind(const struct shard_work *j, const struct change *c,
			 unsigned int nr)
{
	const struct waiter *w;

	for (w = j->s->waiting; w < j->s->waiting + nr; w++)
		if (w->c.cpu == c->cpu && are_related(j, &w->c, c))
			return true;
	return false;
}

static struct change stop_waiting(struct shard *s, unsigned int i)
{
	struct change c = s->waiting[i].c;

	s->nr_waiting--;
	memmove(&s->waiting[i], &s->waiting[i + 1],
		(s->nr_waiting - i) * sizeof(*s->waiting));
	return c;
}

/* Take a waiting change if it fits, or if its limit of examined slots is reached. */
static bool take_if_ready(struct shard_work *j, unsigned int i)
{
	struct waiter *w = &j->s->waiting[i];
	bool fits = slots_fit(j, &w->c, &w->examined);
	struct change c;

	if (!fits && w->examined < MAX_EXAMINED) {
		w->c.waited = true;
		return false;
	}
	c = stop_waiting(j->s, i);
	contradiction_take(j, &c, fits);
	return true;
}

/* After @c was taken, take all changes that wait and fit now. */
void waiting_retry(struct shard_work *j, const struct change *c)
{
	struct shard *s = j->s;
	unsigned int i = 0;

	while (i < s->nr_waiting) {
		if (are_related(j, &s->waiting[i].c, c) &&
		    !stays_behind(j, &s->waiting[i].c, i) && take_if_ready(j, i))
			i = 0;
		else
			i++;
	}
}

/* Take the change that has waited longest, whether it fits or not. */
static void give_up(struct shard_work *j)
{
	struct change c = stop_waiting(j->s, 0);
	uint32_t examined = 0;

	contradiction_take(j, &c, slots_fit(j, &c, &examined));
	waiting_retry(j, &c);
}

/* Let a change wait. */
void waiting_add(struct shard_work *j, const struct change *c)
{
	struct shard *s = j->s;

	if (s->nr_waiting == SHARD_MAX_WAITING)
		give_up(j);
	s->waiting[s->nr_waiting] = (struct waiter) { .c = *c };
	/* The page may be free when the wait is over. */
	if (c->space == SPACE_SLAB)
		s->waiting[s->nr_waiting].c.older_page = findings_in_older_page(j, c);
	s->nr_waiting++;
}

/* Take all changes that have waited longer than the window, at a time. */
void waiting_pass(struct shard_work *j, int64_t time)
{
	const struct shard *s = j->s;

	while (s->nr_waiting && time > s->waiting[0].c.time &&
	       (uint64_t)time - (uint64_t)s->waiting[0].c.time > j->l->window)
		give_up(j);
}

/* Return whether @c must wait behind others of its CPU; time goes on to that of @c. */
bool waiting_holds(struct shard_work *j, const struct change *c)
{
	waiting_pass(j, c->time);
	return stays_behind(j, c, j->s->nr_waiting);
}

/* After the last event: take all changes that wait. */
void waiting_give_up(struct shard_work *j)
{
	while (j->s->nr_waiting)
		give_up(j);
}
