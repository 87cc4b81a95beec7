// SPDX-License-Identifier: GPL-2.0
/*
 * The kinds of events: a hash of indices into pieces that never move.
 */
#include "config.h"

#include <assert.h>

#include "common/limit.h"
#include "common/memory.h"
#include "sums/kinds.h"

#define MIN_SLOTS	4096
/* With more, what is good to know of a call site isn't told apart any longer. */
#define MAX_FINE	LIMIT(1 << 18, 16)

static_assert(sizeof(struct kind) == 24, "three words to compare");

static void put(struct kinds *k, uint32_t hash, uint32_t index)
{
	uint32_t at = hash & k->mask;

	while (k->slots[at].index)
		at = (at + 1) & k->mask;
	k->slots[at] = (struct kinds_slot) { hash, index };
}

/* Most of the slots stay empty. */
static void grow(struct kinds *k)
{
	uint32_t i, nr = k->nr ? 4 * (k->mask + 1) : MIN_SLOTS;

	free(k->slots);
	k->slots = must_calloc(nr, sizeof(*k->slots));
	k->mask = nr - 1;
	for (i = 0; i < k->nr; i++)
		put(k, kind_hash(kinds_get(k, i)), i + 1);
}

/* A new kind, whose hash is @hash: its index. */
uint32_t kinds_add(struct kinds *k, const struct kind *kind, uint32_t hash)
{
	uint32_t piece = k->nr >> KINDS_SHIFT;
	struct kind coarse = *kind;

	if (k->nr >= MAX_FINE) {
		coarse.rest &= KIND_SPACE | KIND_FREE | KIND_OLDER |
			       KIND_HIDDEN;
		if (coarse.rest != kind->rest)
			return kinds_index(k, &coarse);
	}
	if (piece == KINDS_PIECES)
		fatal("the trace has more than %u call sites and sizes: is it damaged?",
		     k->nr);
	if (k->nr >= (k->mask + 1) / 4)
		grow(k);
	if (!k->pieces[piece])
		k->pieces[piece] = must_calloc(KINDS_PER_PIECE, sizeof(*kind));
	k->pieces[piece][k->nr++ % KINDS_PER_PIECE] = *kind;
	put(k, hash, k->nr);
	return k->nr - 1;
}

/* Give back all memory. */
void kinds_free(struct kinds *k)
{
	size_t i;

	for (i = 0; i < KINDS_PIECES && k->pieces[i]; i++)
		free(k->pieces[i]);
	free(k->slots);
	*k = (struct kinds) { 0 };
}
