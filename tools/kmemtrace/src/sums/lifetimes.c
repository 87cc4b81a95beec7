// SPDX-License-Identifier: GPL-2.0
/*
 * How long things lived: an array of histograms and a hash of indices into it.
 */
#include "config.h"

#include "common/memory.h"
#include "sums/kinds.h"
#include "sums/lifetimes.h"

#define MIN_SLOTS	1024

/* The last number of each step. */
const uint64_t lifetime_longest[LIFETIME_STEPS] = {
	999, 9999, 99999, 999999, 9999999, 99999999, 999999999, UINT64_MAX,
};

static uint32_t slot_of(const struct lifetimes *l, uint32_t kind,
			uint32_t freed_by)
{
	uint64_t hash = hash_u64((uint64_t)kind << 32 | freed_by);
	uint32_t slot = hash >> 32 & (l->nr_slots - 1);

	while (l->slots[slot] &&
	       (l->list[l->slots[slot]].kind != kind ||
		l->list[l->slots[slot]].freed_by != freed_by))
		slot = (slot + 1) & (l->nr_slots - 1);
	return slot;
}

/* Half of the slots stay empty. */
static void grow(struct lifetimes *l)
{
	uint32_t i;

	l->nr_slots = l->nr_slots ? 2 * l->nr_slots : MIN_SLOTS;
	free(l->slots);
	l->slots = must_calloc(l->nr_slots, sizeof(*l->slots));
	l->list = must_realloc(l->list, l->nr_slots / 2, sizeof(*l->list));
	for (i = 1; i < l->nr; i++)
		l->slots[slot_of(l, l->list[i].kind, l->list[i].freed_by)] = i;
}

/* None but the first one. */
void lifetimes_init(struct lifetimes *l)
{
	*l = (struct lifetimes) { .nr = 1 };
	grow(l);
	l->list[0] = (struct lifetime) { .kind = NO_KIND, .freed_by = NO_KIND };
}

/**
 * lifetimes_index - find the lives of one kind that one kind of free ended
 * @l: all of them
 * @kind: index of the kind of allocation
 * @freed_by: index of that of the free
 *
 * Return: the index in the list, which moves when it is a new one.
 */
uint32_t lifetimes_index(struct lifetimes *l, uint32_t kind, uint32_t freed_by)
{
	uint32_t slot;

	if (l->nr == l->nr_slots / 2)
		grow(l);
	slot = slot_of(l, kind, freed_by);
	if (!l->slots[slot]) {
		l->list[l->nr] = (struct lifetime) {
			.kind = kind,
			.freed_by = freed_by,
		};
		l->slots[slot] = l->nr++;
	}
	return l->slots[slot];
}

/* Add all but the first one of @l to those of @sum. */
void lifetimes_add(struct lifetimes *sum, const struct lifetimes *l)
{
	uint32_t i, at;

	for (i = 1; i < l->nr; i++) {
		at = lifetimes_index(sum, l->list[i].kind, l->list[i].freed_by);
		lifetime_add(&sum->list[at], &l->list[i]);
	}
}

/* Give back all memory. */
void lifetimes_free(struct lifetimes *l)
{
	free(l->list);
	free(l->slots);
	*l = (struct lifetimes) { .nr = 0 };
}

/* Add what was counted in @l to what was in @sum. */
void lifetime_add(struct lifetime *sum, const struct lifetime *l)
{
	unsigned int i;

	for (i = 0; i < LIFETIME_STEPS; i++)
		sum->ended[i] += l->ended[i];
	sum->ns += l->ns;
	sum->carry += l->carry + (sum->ns < l->ns);
	sum->bytes += l->bytes;
	sum->remote += l->remote;
}

/* How many lives are in the first @steps steps? */
uint64_t lifetime_ended(const struct lifetime *l, unsigned int steps)
{
	uint64_t nr = 0;

	while (steps--)
		nr += l->ended[steps];
	return nr;
}

/* Nanoseconds, of all lives; 0 of none. */
uint64_t lifetime_mean(const struct lifetime *l)
{
	uint64_t nr = lifetime_ended(l, LIFETIME_STEPS);
	uint64_t high = l->carry, low = l->ns, mean = 0;
	int bit;

	/* By hand: no machine of 32 bits has 128 of them. */
	for (bit = 63; nr && bit >= 0; bit--) {
		bool over = high >> 63;

		high = high << 1 | low >> 63;
		low <<= 1;
		mean <<= 1;
		if (over || high >= nr) {
			high -= nr;
			mean |= 1;
		}
	}
	return mean;
}

/* The step in which the life is that half of all others aren't longer than; 0 of none. */
unsigned int lifetime_median(const struct lifetime *l)
{
	uint64_t nr = lifetime_ended(l, LIFETIME_STEPS);
	unsigned int step = 0;

	while (lifetime_ended(l, step + 1) < nr - nr / 2)
		step++;
	return step;
}
