/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory for lists and tables. The functions must_*() end the program if there is none.
 */
#ifndef KMEMTRACE_MEMORY_H
#define KMEMTRACE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/message.h"

/* reallocarray() that ends the program instead of failing. */
static inline void *must_realloc(void *old, size_t nr, size_t size)
{
	void *new = reallocarray(old, nr, size);

	if (!new && nr)
		out_of_memory();
	return new;
}

/* calloc() that ends the program instead of failing. */
static inline void *must_calloc(size_t nr, size_t size)
{
	void *new = calloc(nr, size);

	if (!new && nr)
		out_of_memory();
	return new;
}

/*
 * Make room for one more entry in a list of @nr: double the room whenever @nr is a power
 * of two. Return NULL without memory; then @list is unchanged.
 */
static inline void *grow_list(void *list, size_t nr, size_t size)
{
	if (nr & (nr - 1))
		return list;
	return reallocarray(list, nr ? 2 * nr : 1, size);
}

/* grow_list() that ends the program instead of failing. */
static inline void *must_grow_list(void *list, size_t nr, size_t size)
{
	void *new = grow_list(list, nr, size);

	if (!new)
		out_of_memory();
	return new;
}

/* Spread the entropy of a key over the upper bits (Fibonacci hashing). */
static inline uint64_t hash_u64(uint64_t key)
{
	return key * UINT64_C(0x9e3779b97f4a7c15);
}

/*
 * Return all bits set if @condition is true, else 0, for conditions that can't be predicted:
 * a mispredicted branch takes longer than both ways together. The asm hides from the
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

#endif /* KMEMTRACE_MEMORY_H */
