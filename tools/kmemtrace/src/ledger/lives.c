// SPDX-License-Identifier: GPL-2.0
/*
 * lives.c - pass on each life that ends, in the order of the events that end them
 *
 * The shards note them, each in its own list. At the end of a batch the lists are merged, so
 * that the order doesn't depend on which thread worked on a shard. A block of pages that is in
 * several shards is one life again.
 */
#include "config.h"

#include <stdlib.h>

#include "ledger/lives.h"

/**
 * lives_add - note the end of a life
 * @j: the work on the shard
 * @c: the change that ends it: its free, or an event that contradicts that it is live
 * @slot: its allocation
 * @ptr: its address
 * @bytes: allocated bytes that end
 */
void lives_add(struct shard_work *j, const struct change *c, const struct slot *slot, uint64_t ptr,
	       uint64_t bytes)
{
	struct shard *s = j->s;
	struct life *lives;

	if (slot->reserved || slot->type == SLOT_OWN_TYPE ||
	    kind_is_hidden(work_kind(j, slot->kind)))
		return;
	lives = context_grow_list(j->l->ctx, s->lives, s->nr_lives, sizeof(*lives));
	if (!lives)
		return;
	s->lives = lives;
	s->lives[s->nr_lives++] = (struct life) {
		.event = c->event,
		.kind = slot->kind,
		.freed_by = c->is_free ? c->kind : NO_KIND,
		.ptr = ptr,
		.bytes = bytes,
		.spare = c->space == SPACE_PAGES ? 0 : slot->spare,
		.born = slot->time,
		.died = c->time,
		.cpu = slot->cpu,
		.freed_cpu = c->cpu,
		.type = slot->type,
	};
}

/* By event, then by address. Lives of one address follow each other in one shard. */
static int by_life_event(const void *a, const void *b)
{
	const struct life *const *x = a, *const *y = b;
	int order = compare_events((*x)->event, (*y)->event);

	if (order)
		return order;
	if ((*x)->ptr != (*y)->ptr)
		return (*x)->ptr < (*y)->ptr ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

/* Return whether both are parts of one block of pages, which one event ends. */
static bool are_one_block(const struct ledger *l, const struct life *a, const struct life *b)
{
	return kind_space(kinds_get(&l->kinds, a->kind)) == SPACE_PAGES &&
	       a->event == b->event && a->kind == b->kind && a->freed_by == b->freed_by &&
	       a->born == b->born && a->died == b->died && a->cpu == b->cpu &&
	       a->freed_cpu == b->freed_cpu && a->type == b->type;
}

/* Pass on @nr lives, which are in order. */
static int pass_on(struct ledger *l, struct life **lives, size_t nr)
{
	size_t i, next;
	int ret = 0;

	for (i = 0; !ret && i < nr; i = next) {
		for (next = i + 1; next < nr && are_one_block(l, lives[i], lives[next]); next++)
			lives[i]->bytes += lives[next]->bytes;
		ret = l->each_life(l->life_arg, lives[i]);
	}
	return ret;
}

/* Pass on the lives that all shards noted. No other thread uses the ledger. */
void lives_take(struct ledger *l)
{
	struct life **lives;
	size_t nr = 0, i, j;
	int ret;

	for (i = 0; i < NR_SHARDS; i++)
		nr += l->shards[i].nr_lives;
	if (!nr || context_error(l->ctx))
		return;
	lives = context_realloc(l->ctx, NULL, nr, sizeof(*lives));
	if (!lives)
		return;
	for (i = 0, nr = 0; i < NR_SHARDS; i++) {
		for (j = 0; j < l->shards[i].nr_lives; j++)
			lives[nr++] = &l->shards[i].lives[j];
		l->shards[i].nr_lives = 0;
	}
	qsort(lives, nr, sizeof(*lives), by_life_event);
	ret = pass_on(l, lives, nr);
	free(lives);
	if (ret)
		context_fail(l->ctx, ret);
}

/* Free all memory. */
void lives_free(struct ledger *l)
{
	size_t i;

	for (i = 0; i < NR_SHARDS; i++)
		free(l->shards[i].lives);
}
