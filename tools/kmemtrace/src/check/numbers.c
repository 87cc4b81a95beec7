// SPDX-License-Identifier: GPL-2.0
/*
 * numbers.c - the numbers of call paths and memory cgroups
 *
 * The record that names a number may come in the stream of another CPU: only at the end is
 * it known which numbers have no name.
 */
#include "config.h"

#include "check/numbers.h"
#include "common/hash.h"
#include "common/memory.h"

/**
 * struct number_key - what tells numbers apart
 * @number: as in struct number
 * @of: as in struct number
 * @generation: as in struct number
 */
struct number_key {
	uint64_t number;
	uint32_t of, generation;
};

static bool is_it(const struct number *n, const struct number_key *key)
{
	return n->number == key->number && n->of == key->of &&
	       n->generation == key->generation;
}

/* Find or add a number. */
static struct number *find_or_add_number(struct numbers *n, enum number_of of, uint32_t generation,
					 uint64_t number)
{
	const struct number_key key = { number, of, generation };
	struct lookup_place place;
	uint32_t i;

	place = lookup_begin(&n->lookup, &key, sizeof(key));
	while ((i = lookup_next(&n->lookup, &place)) != LOOKUP_NONE)
		if (is_it(&n->list[i], &key))
			return &n->list[i];
	n->list = must_grow_list(n->list, n->nr, sizeof(*n->list));
	if (!lookup_add(&n->lookup, &place, n->nr))
		out_of_memory();
	n->list[n->nr] = (struct number) {
		.number = number, .of = of, .generation = generation,
	};
	return &n->list[n->nr++];
}

/* Note that an event has a number. */
void numbers_use(struct numbers *n, enum number_of of, uint32_t generation, uint64_t number)
{
	find_or_add_number(n, of, generation, number)->is_used = true;
}

/**
 * numbers_name - note that a record says what a number means
 * @n: the numbers
 * @of: what has it
 * @generation: of a call path, as in struct number; else 0
 * @number: the number
 * @meaning: the part of the record that must always be the same
 * @size: its bytes
 *
 * Return: false: it had another meaning before.
 */
bool numbers_name(struct numbers *n, enum number_of of, uint32_t generation, uint64_t number,
		  const void *meaning, size_t size)
{
	struct number *found = find_or_add_number(n, of, generation, number);
	const uint64_t hash = hash_text(n->lookup.seed, meaning, size);
	const bool is_same = !found->is_named || found->meaning == hash;

	found->is_named = true;
	found->meaning = hash;
	return is_same;
}

/* Count the numbers without a name. */
void numbers_end(struct numbers *n)
{
	uint32_t i;

	for (i = 0; i < n->nr; i++) {
		if (!n->list[i].is_used || n->list[i].is_named)
			continue;
		if (!n->nr_unnamed[n->list[i].of]++)
			n->unnamed[n->list[i].of] = n->list[i].number;
	}
}

/* Free all memory. */
void numbers_free(struct numbers *n)
{
	lookup_free(&n->lookup);
	free(n->list);
	*n = (struct numbers) { .nr = 0 };
}
