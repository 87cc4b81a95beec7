/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory for lists and tables. The functions must_*() end the program if there is none.
 */
#ifndef KMEMTRACE_MEMORY_H
#define KMEMTRACE_MEMORY_H

#include <err.h>
#include <stddef.h>
#include <stdlib.h>

#include "common/exit.h"

/* End the program: there is no memory. */
static inline _Noreturn void out_of_memory(void)
{
	errx(EXIT_UNUSABLE, "out of memory");
}

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

#endif /* KMEMTRACE_MEMORY_H */
