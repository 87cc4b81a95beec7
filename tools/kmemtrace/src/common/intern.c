// SPDX-License-Identifier: GPL-2.0
/*
 * intern.c - keys of bytes, and their numbers
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "common/memory.h"
#include "common/intern.h"

/* Return the slot of a key: its own, or an empty one. */
static size_t slot_of(const struct intern *in, uint64_t hash, const void *bytes, size_t len)
{
	const size_t mask = ((size_t)1 << in->bits) - 1;
	size_t slot = hash & mask;
	const struct interned *key;

	for (; in->slots[slot]; slot = (slot + 1) & mask) {
		key = &in->list[in->slots[slot] - 1];
		if (key->hash == hash && key->len == len && !memcmp(key->bytes, bytes, len))
			break;
	}
	return slot;
}

/* Double the slots. Return false without memory. */
static bool add_slots(struct intern *in)
{
	const unsigned int bits = in->bits ? in->bits + 1 : 8;
	uint32_t *slots = calloc((size_t)1 << bits, sizeof(*slots));
	size_t i;

	if (!slots)
		return false;
	free(in->slots);
	in->slots = slots;
	in->bits = bits;
	for (i = 0; i < in->nr; i++)
		slots[slot_of(in, in->list[i].hash, in->list[i].bytes, in->list[i].len)] = i + 1;
	return true;
}

/**
 * intern - find or add a key
 * @in: the keys
 * @bytes: the key
 * @len: bytes of it
 *
 * Return: its number, from 0; INTERN_NO_MEMORY.
 */
uint64_t intern(struct intern *in, const void *bytes, size_t len)
{
	struct interned *list;
	uint64_t hash;
	size_t slot;
	void *copy;

	if (!in->bits)
		in->seed = hash_seed();
	if ((!in->bits || 2 * in->nr >= (size_t)1 << in->bits) && !add_slots(in))
		return INTERN_NO_MEMORY;
	hash = hash_text(in->seed, bytes, len);
	slot = slot_of(in, hash, bytes, len);
	if (in->slots[slot])
		return in->slots[slot] - 1;
	list = grow_list(in->list, in->nr, sizeof(*list));
	if (list)
		in->list = list;
	/* A byte of 0 follows, so that texts are strings. */
	copy = list ? calloc(len + 1, 1) : NULL;
	if (!copy)
		return INTERN_NO_MEMORY;
	memcpy(copy, bytes, len);
	in->list[in->nr] = (struct interned) { hash, len, copy };
	in->slots[slot] = ++in->nr;
	return in->nr - 1;
}

/* Return the number of a key, or INTERN_NONE. */
uint64_t intern_find(const struct intern *in, const void *bytes, size_t len)
{
	const size_t slot = in->bits ? slot_of(in, hash_text(in->seed, bytes, len), bytes, len) : 0;

	return in->bits && in->slots[slot] ? in->slots[slot] - 1 : INTERN_NONE;
}

/* Remove all keys. */
void intern_free(struct intern *in)
{
	size_t i;

	for (i = 0; i < in->nr; i++)
		free(in->list[i].bytes);
	free(in->list);
	free(in->slots);
	*in = (struct intern) { .nr = 0 };
}
