// SPDX-License-Identifier: GPL-2.0
/*
 * intern.c - keys of bytes, and their numbers
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/intern.h"
#include "common/memory.h"

/* Return the number of a key, or INTERN_NONE. Set @place for lookup_add(). */
static uint64_t find_key(struct intern *in, const void *bytes, size_t len,
			 struct lookup_place *place)
{
	uint32_t i;

	*place = lookup_begin(&in->lookup, bytes, len);
	while ((i = lookup_next(&in->lookup, place)) != LOOKUP_NONE)
		if (in->list[i].len == len && !memcmp(in->list[i].bytes, bytes, len))
			return i;
	return INTERN_NONE;
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
	struct lookup_place place;
	const uint64_t found = find_key(in, bytes, len, &place);
	struct interned *list;
	void *copy;

	if (found != INTERN_NONE)
		return found;
	list = grow_list(in->list, in->nr, sizeof(*list));
	if (!list)
		return INTERN_NO_MEMORY;
	in->list = list;
	/* A byte of 0 follows, so that texts are strings. */
	copy = calloc(len + 1, 1);
	if (!copy || !lookup_add(&in->lookup, &place, in->nr)) {
		free(copy);
		return INTERN_NO_MEMORY;
	}
	memcpy(copy, bytes, len);
	in->list[in->nr] = (struct interned) { len, copy };
	return in->nr++;
}

/* Return the number of a key, or INTERN_NONE. */
uint64_t intern_find(struct intern *in, const void *bytes, size_t len)
{
	struct lookup_place place;

	return find_key(in, bytes, len, &place);
}

/* Remove all keys. */
void intern_free(struct intern *in)
{
	size_t i;

	for (i = 0; i < in->nr; i++)
		free(in->list[i].bytes);
	free(in->list);
	lookup_free(&in->lookup);
	*in = (struct intern) { .nr = 0 };
}
