// SPDX-License-Identifier: GPL-2.0
/*
 * names.c - a hash of names
 */
#include "config.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/hash.h"
#include "sums/names.h"

#define MIN_BITS	6

static struct names_slot *find(const struct names *n, const struct names_slot *name)
{
	uint32_t mask = (UINT32_C(1) << n->bits) - 1;
	uint32_t at = name->hash >> (64 - n->bits);

	while (n->slots[at].text &&
	       (n->slots[at].hash != name->hash || n->slots[at].owner != name->owner ||
		strcmp(n->slots[at].text, name->text)))
		at = (at + 1) & mask;
	return &n->slots[at];
}

/* Double the slots, half of which stay empty. Returns false without memory. */
static bool grow(struct names *n)
{
	struct names new = *n;
	size_t i, old = n->bits ? (size_t)1 << n->bits : 0;

	new.bits = n->bits ? n->bits + 1 : MIN_BITS;
	new.slots = context_calloc(n->ctx, (size_t)1 << new.bits, sizeof(*new.slots));
	if (!new.slots)
		return false;
	if (!n->bits)
		new.seed = hash_seed();
	for (i = 0; i < old; i++)
		if (n->slots[i].text)
			*find(&new, &n->slots[i]) = n->slots[i];
	free(n->slots);
	*n = new;
	return true;
}

/**
 * names_value - find or add a name
 * @n: the names
 * @owner: number of the owner; each owner has its own set of names
 * @text: the name, which must stay if it is added
 *
 * Return: the number of the name, 0 if it is new; it moves when another name is added.
 *	NULL without memory.
 */
uint32_t *names_value(struct names *n, uint32_t owner, const char *text)
{
	struct names_slot name = { .text = text, .owner = owner }, *slot;

	if ((!n->bits || n->nr == UINT32_C(1) << (n->bits - 1)) && !grow(n))
		return NULL;
	name.hash = hash_text(hash_key(owner, n->seed), text, strlen(text));
	slot = find(n, &name);
	if (!slot->text) {
		*slot = name;
		n->nr++;
	}
	return &slot->value;
}

/* Free all memory except the texts, which belong to the caller. */
void names_free(struct names *n)
{
	free(n->slots);
	*n = (struct names) { .ctx = n->ctx };
}
