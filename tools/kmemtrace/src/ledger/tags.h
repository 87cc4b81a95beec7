/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tags: a byte of the hash of each entry of a table. One word has those of eight entries, and says
 * which of them may be the wanted one. Unused entries have the tag 0, and are the last ones.
 */
#ifndef KMEMTRACE_TAGS_H
#define KMEMTRACE_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/bits.h"

/* Tags of a word. */
#define TAGS_NR		8

/* Return a tag: @hash, of 16 bits, as a number from 1 to 255. */
static ALWAYS_INLINE uint64_t tags_of(uint16_t hash)
{
	return 1 + ((uint32_t)hash * 255 >> 16);
}

/*
 * Return a word in which the highest bit of a byte is set where @tags has @tag, up to the first
 * one. Behind that one, the bit may be wrong. 0: there is none.
 */
static ALWAYS_INLINE uint64_t tags_find(uint64_t tags, uint64_t tag)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), difference = tags ^ tag * ones;

	return (difference - ones) & ~difference & ones << 7;
}

/* The same for the entries that are unused. */
static ALWAYS_INLINE uint64_t tags_unused(uint64_t tags)
{
	return tags_find(tags, 0);
}

/* Return whether all entries are used. */
static ALWAYS_INLINE bool tags_are_full(uint64_t tags)
{
	return tags >> 8 * (TAGS_NR - 1);
}

/* Return the number of the first entry of those that tags_find() found. */
static ALWAYS_INLINE unsigned int tags_first(uint64_t found)
{
	return (unsigned int)__builtin_ctzll(found) >> 3;
}

/* Set the tag of an unused entry. */
static ALWAYS_INLINE void tags_set(uint64_t *tags, unsigned int nr, uint64_t tag)
{
	*tags |= tag << 8 * nr;
}

#endif /* KMEMTRACE_TAGS_H */
