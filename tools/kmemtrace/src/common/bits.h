/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arithmetic on the bits of words.
 */
#ifndef KMEMTRACE_BITS_H
#define KMEMTRACE_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* For functions on the way of each event, which have several callers. */
#define ALWAYS_INLINE	inline __attribute__((always_inline))

/* Spread the entropy of a key over the upper bits (Fibonacci hashing). */
static inline uint64_t hash_u64(uint64_t key)
{
	return key * UINT64_C(0x9e3779b97f4a7c15);
}

/*
 * Return a word with all bits set if @condition is true, else 0, for conditions that can't be
 * predicted: a mispredicted branch takes longer than both ways together. The asm hides from the
 * compiler where the value comes from; otherwise it would emit a branch.
 */
static inline uint64_t mask_of(bool condition)
{
	uint64_t mask = -(uint64_t)condition;

	__asm__("" : "+r" (mask));
	return mask;
}

/* Return the bits of @a where @mask is set, those of @b elsewhere. */
static inline uint64_t choose(uint64_t mask, uint64_t a, uint64_t b)
{
	return b ^ ((a ^ b) & mask);
}

#endif /* KMEMTRACE_BITS_H */
