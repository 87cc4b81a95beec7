// SPDX-License-Identifier: GPL-2.0
/*
 * lifetimes.c - histograms of lifetimes, and a hash of indices into them
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "sums/kinds.h"
#include "sums/lifetimes.h"

#define MIN_BITS	6

/* The last number of each step. */
const uint64_t lifetime_longest[LIFETIME_STEPS] = {
	999, 9999, 99999, 999999, 9999999, 99999999, 999999999, UINT64_MAX,
};

static uint32_t lifetime_slot(const struct lifetimes *l, uint32_t kind,
			      uint32_t freed_by)
{
	uint32_t mask = (UINT32_C(1) << l->bits) - 1;
	uint64_t hash = hash_key((uint64_t)kind << 32 | freed_by, l->seed);
	uint32_t slot = hash >> (64 - l->bits);

	while (l->slots[slot] &&
	       (l->list[l->slots[slot]].kind != kind ||
		l->list[l->slots[slot]].freed_by != freed_by))
		slot = (slot + 1) & mask;
	return slot;
}

/* Double the slots, half of which stay empty. Returns false without memory. */
static bool grow_lifetimes(struct lifetimes *l)
{
	unsigned int bits = l->bits ? l->bits + 1 : MIN_BITS;
	struct lifetime *list = context_realloc(l->ctx, l->list, (size_t)1 << (bits - 1),
						sizeof(*list));
	uint32_t *slots, i;

	if (!list)
		return false;
	l->list = list;
	slots = context_calloc(l->ctx, (size_t)1 << bits, sizeof(*slots));
	if (!slots)
		return false;
	free(l->slots);
	l->slots = slots;
	l->bits = bits;
	for (i = 1; i < l->nr; i++)
		l->slots[lifetime_slot(l, l->list[i].kind, l->list[i].freed_by)] = i;
	return true;
}

/* Make a list with the first entry only. Returns 0 or -errno. */
int lifetimes_init(struct lifetimes *l, struct context *ctx)
{
	*l = (struct lifetimes) { .ctx = ctx, .seed = hash_seed() };
	if (!grow_lifetimes(l))
		return -ENOMEM;
	l->nr = 1;
	l->list[0] = (struct lifetime) { .kind = NO_KIND, .freed_by = NO_KIND };
	return 0;
}

/**
 * lifetimes_index - find or add a pair of kinds
 * @l: all lifetimes
 * @kind: index of the kind of allocation
 * @freed_by: index of the kind of free
 *
 * Return: the index in the list, which moves when a pair is added; without memory the
 *	first one, which is never read.
 */
uint32_t lifetimes_index(struct lifetimes *l, uint32_t kind, uint32_t freed_by)
{
	uint32_t slot;

	if (l->nr == UINT32_C(1) << (l->bits - 1) && !grow_lifetimes(l))
		return 0;
	slot = lifetime_slot(l, kind, freed_by);
	if (!l->slots[slot]) {
		l->list[l->nr] = (struct lifetime) {
			.kind = kind,
			.freed_by = freed_by,
		};
		l->slots[slot] = l->nr++;
	}
	return l->slots[slot];
}

/* Add all of @l but the first one to @sum. */
void lifetimes_add(struct lifetimes *sum, const struct lifetimes *l)
{
	uint32_t i, at;

	for (i = 1; i < l->nr; i++) {
		at = lifetimes_index(sum, l->list[i].kind, l->list[i].freed_by);
		lifetime_add(&sum->list[at], &l->list[i]);
	}
}

/* Remove all entries but the first one; their indices become invalid. */
void lifetimes_clear(struct lifetimes *l)
{
	memset(l->slots, 0, ((size_t)1 << l->bits) * sizeof(*l->slots));
	l->nr = 1;
}

/* Free all memory. */
void lifetimes_free(struct lifetimes *l)
{
	free(l->list);
	free(l->slots);
	*l = (struct lifetimes) { .ctx = l->ctx };
}

/* Add the counters of @l to those of @sum. */
void lifetime_add(struct lifetime *sum, const struct lifetime *l)
{
	unsigned int i;

	for (i = 0; i < LIFETIME_STEPS; i++)
		sum->ended[i] += l->ended[i];
	sum->ns += l->ns;
	sum->carry += l->carry + (sum->ns < l->ns);
	sum->bytes += l->bytes;
	sum->remote += l->remote;
	if (l->longest > sum->longest)
		sum->longest = l->longest;
}

/* Multiply all counters; the longest life stays. */
void lifetime_weigh(struct lifetime *l, unsigned int weight)
{
	const uint64_t low = (l->ns & UINT32_MAX) * weight;
	const uint64_t high = (l->ns >> 32) * weight + (low >> 32);
	unsigned int i;

	for (i = 0; i < LIFETIME_STEPS; i++)
		l->ended[i] *= weight;
	l->ns = high << 32 | (low & UINT32_MAX);
	l->carry = l->carry * weight + (high >> 32);
	l->bytes *= weight;
	l->remote *= weight;
}

/* Return the number of lives in the first @steps steps. */
uint64_t lifetime_ended(const struct lifetime *l, unsigned int steps)
{
	uint64_t nr = 0;

	while (steps--)
		nr += l->ended[steps];
	return nr;
}
