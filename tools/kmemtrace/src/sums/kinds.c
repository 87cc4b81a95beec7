// SPDX-License-Identifier: GPL-2.0
/*
 * kinds.c - the kinds of events: a hash of indices into pieces that never move
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sums/kinds.h"

#define MIN_BITS	12
/* Beyond this number, requested sizes, flags and nodes don't distinguish kinds. */
#define MAX_FINE	(1 << 18)
/* Beyond this number, call path, task and cgroup don't, either. */
#define MAX_WHO		(1 << 22)

static_assert(sizeof(struct kind) == 32, "four words to compare");

static void insert_kind(struct kinds *k, uint32_t index)
{
	uint32_t hash = kind_hash(kinds_get(k, index), k->seed);
	uint32_t at = hash >> (32 - k->bits), mask = (UINT32_C(1) << k->bits) - 1;

	while (k->slots[at].index)
		at = (at + 1) & mask;
	k->slots[at] = (struct kinds_slot) { hash, index + 1 };
}

/* Fill the slots anew. */
static void insert_all(struct kinds *k)
{
	uint32_t i;

	if (k->bits)
		memset(k->slots, 0, ((size_t)1 << k->bits) * sizeof(*k->slots));
	for (i = 0; i < k->nr; i++)
		insert_kind(k, i);
}

/* At least three in four slots stay empty, after this 15 in 16. */
static bool grow_slots(struct kinds *k)
{
	unsigned int bits = k->bits ? k->bits + 2 : MIN_BITS;
	struct kinds_slot *slots = context_calloc(k->ctx, (size_t)1 << bits, sizeof(*slots));

	if (!slots)
		return false;
	if (!k->bits)
		k->seed = hash_seed();
	free(k->slots);
	k->slots = slots;
	k->bits = bits;
	insert_all(k);
	return true;
}

/* Make room for one more kind. Returns false without memory, or if there are too many. */
static bool make_room_for_kind(struct kinds *k)
{
	uint32_t piece = k->nr >> KINDS_SHIFT;

	if (piece == KINDS_PIECES) {
		if (!context_error(k->ctx))
			context_say(k->ctx, "the trace has more than %u call sites and sizes: is it damaged?",
				    k->nr);
		context_fail(k->ctx, -EOVERFLOW);
		return false;
	}
	if ((!k->bits || k->nr >= UINT32_C(1) << (k->bits - 2)) && !grow_slots(k))
		return false;
	if (!k->pieces[piece])
		k->pieces[piece] = context_calloc(k->ctx, KINDS_PER_PIECE,
						  sizeof(struct kind));
	return k->pieces[piece];
}

/* Add a kind that is new. Returns its index, or NO_KIND as kinds_index(). */
uint32_t kinds_add(struct kinds *k, const struct kind *kind)
{
	struct kind coarse = *kind;

	if (k->nr >= MAX_FINE) {
		coarse.rest &= KIND_SPACE | KIND_FREE | KIND_OLDER |
			       KIND_OWN | KIND_HIDDEN | KIND_GROUP;
		if (k->nr >= MAX_WHO)
			coarse.who = 0;
		if (coarse.rest != kind->rest || coarse.who != kind->who)
			return kinds_index(k, &coarse);
	}
	if (!make_room_for_kind(k))
		return NO_KIND;
	k->pieces[k->nr >> KINDS_SHIFT][k->nr % KINDS_PER_PIECE] = *kind;
	insert_kind(k, k->nr);
	return k->nr++;
}

/* Free all memory. */
void kinds_free(struct kinds *k)
{
	size_t i;

	for (i = 0; i < KINDS_PIECES && k->pieces[i]; i++)
		free(k->pieces[i]);
	free(k->slots);
	*k = (struct kinds) { .ctx = k->ctx };
}
