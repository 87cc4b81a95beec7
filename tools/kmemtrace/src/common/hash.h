/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hashes that the writer of a trace can't predict. If the hash were known, he could choose
 * keys that all collide, and each look-up would take time linear in their number.
 */
#ifndef KMEMTRACE_HASH_H
#define KMEMTRACE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "common/bits.h"

uint64_t hash_seed(void);
uint64_t hash_text(uint64_t seed, const void *text, size_t len);

/**
 * hash_key - hash a number
 * @key: the number
 * @seed: hash_seed() of the table
 *
 * Neighbouring keys are spread evenly, as by hash_u64().
 *
 * Return: a hash whose upper bits are the good ones.
 */
static inline uint64_t hash_key(uint64_t key, uint64_t seed)
{
	return hash_u64(key ^ seed);
}

#endif /* KMEMTRACE_HASH_H */
