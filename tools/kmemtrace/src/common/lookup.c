// SPDX-License-Identifier: GPL-2.0
/*
 * lookup.c - find the entries of a list by their contents
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "common/lookup.h"

#define MIN_BITS	6

static void fill_free_slot(struct lookup *l, uint32_t hash, uint32_t number)
{
	uint32_t mask = (UINT32_C(1) << l->bits) - 1, at = hash >> (32 - l->bits);

	while (l->slots[at].number)
		at = (at + 1) & mask;
	l->slots[at] = (struct lookup_slot) { hash, number };
}

/* Double the slots. Return false without memory, or if there are too many. */
static bool double_lookup(struct lookup *l)
{
	struct lookup new = *l;
	size_t i, old = l->bits ? (size_t)1 << l->bits : 0;

	new.bits = l->bits ? l->bits + 1 : MIN_BITS;
	new.slots = new.bits > 31 ? NULL : calloc((size_t)1 << new.bits, sizeof(*new.slots));
	if (!new.slots)
		return false;
	for (i = 0; i < old; i++)
		if (l->slots[i].number)
			fill_free_slot(&new, l->slots[i].hash, l->slots[i].number);
	free(l->slots);
	*l = new;
	return true;
}

/**
 * lookup_begin - begin to look for an entry
 * @l: the entries
 * @key: the bytes that the wanted entry has, padding included
 * @size: how many
 *
 * Return: the place for lookup_next().
 */
struct lookup_place lookup_begin(struct lookup *l, const void *key, size_t size)
{
	struct lookup_place place = { 0 };
	uint64_t word;

	if (!l->seed)
		l->seed = hash_seed() | 1;
	if (size == sizeof(word)) {
		memcpy(&word, key, sizeof(word));
		place.hash = hash_key(word, l->seed) >> 32;
	} else {
		place.hash = hash_text(l->seed, key, size) >> 32;
	}
	place.at = l->bits ? place.hash >> (32 - l->bits) : 0;
	return place;
}

/**
 * lookup_next - return the next entry that may be the wanted one
 * @l: the entries
 * @place: the place; no entry was added since lookup_begin()
 *
 * Return: its number; LOOKUP_NONE: there are no more.
 */
uint32_t lookup_next(const struct lookup *l, struct lookup_place *place)
{
	const struct lookup_slot *slot;

	while (l->bits) {
		slot = &l->slots[place->at];
		if (!slot->number)
			break;
		place->at = (place->at + 1) & ((UINT32_C(1) << l->bits) - 1);
		if (slot->hash == place->hash)
			return slot->number - 1;
	}
	return LOOKUP_NONE;
}

/**
 * lookup_add - add an entry
 * @l: the entries
 * @place: where lookup_next() did not find it
 * @number: its number, below LOOKUP_NONE - 1
 *
 * Return: false without memory.
 */
bool lookup_add(struct lookup *l, const struct lookup_place *place, uint32_t number)
{
	if ((!l->bits || l->nr == UINT32_C(1) << (l->bits - 1)) && !double_lookup(l))
		return false;
	fill_free_slot(l, place->hash, number + 1);
	l->nr++;
	return true;
}

/* Free all memory. */
void lookup_free(struct lookup *l)
{
	free(l->slots);
	*l = (struct lookup) { .nr = 0 };
}
