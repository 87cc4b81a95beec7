/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lifetimes of memory, by the kinds of allocation and of free.
 */
#ifndef KMEMTRACE_LIFETIMES_H
#define KMEMTRACE_LIFETIMES_H

#include <stdint.h>

#include "common/context.h"

/* Lifetimes below 1 us, 10 us, and so on, to 1 s; and all others. */
#define LIFETIME_STEPS	8

/**
 * struct lifetime - the lifetimes of one kind of allocation and one kind of free
 * @kind: index of the kind of allocation
 * @freed_by: index of the kind of free
 * @ended: how many, by lifetime_step()
 * @ns: sum of all lifetimes, the lower 64 bits
 * @carry: sum of all lifetimes, the upper 64 bits
 * @bytes: freed; for objects, set at the end
 * @remote: how many ended on another CPU than they began
 * @longest: nanoseconds of the longest one
 */
struct lifetime {
	uint32_t kind, freed_by;
	uint64_t ended[LIFETIME_STEPS];
	uint64_t ns, carry;
	uint64_t bytes;
	uint64_t remote;
	uint64_t longest;
};

/**
 * struct lifetimes - all lifetimes, in any order
 * @ctx: the context that receives an error
 * @list: the first one has no kind, and is never read
 * @nr: number of @list
 */
struct lifetimes {
	struct context *ctx;
	struct lifetime *list;
	uint32_t nr;

	/* private: a hash of indices, where 0 stands for none; 2^bits slots */
	uint32_t *slots;
	unsigned int bits;
	uint64_t seed;
};

int lifetimes_init(struct lifetimes *l, struct context *ctx);
uint32_t lifetimes_index(struct lifetimes *l, uint32_t kind, uint32_t freed_by);
void lifetimes_add(struct lifetimes *sum, const struct lifetimes *l);
void lifetimes_clear(struct lifetimes *l);
void lifetimes_free(struct lifetimes *l);

void lifetime_add(struct lifetime *sum, const struct lifetime *l);
void lifetime_weigh(struct lifetime *l, unsigned int weight);
uint64_t lifetime_ended(const struct lifetime *l, unsigned int steps);

extern const uint64_t lifetime_longest[LIFETIME_STEPS];

/* Return the step of a histogram to which a lifetime of @ns nanoseconds belongs. */
static inline unsigned int lifetime_step(uint64_t ns)
{
	/* The step of the smallest number with so many bits; others have that or the next. */
	static const uint8_t steps[64] = {
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2,
		2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7,
		7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
		7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
	};
	unsigned int log = 63 ^ __builtin_clzll(ns | 1), step = steps[log];

	return step + (ns > lifetime_longest[step]);
}

/* Count one life. Clocks may be slightly off: it counts as 0 if it seems to end early. */
static inline void lifetime_count(struct lifetime *l, int64_t age)
{
	uint64_t ns = __builtin_expect(age < 0, 0) ? 0 : age;

	l->ended[lifetime_step(ns)]++;
	l->ns += ns;
	l->carry += l->ns < ns;
	if (ns > l->longest)
		l->longest = ns;
}

#endif /* KMEMTRACE_LIFETIMES_H */
