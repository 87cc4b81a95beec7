/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long things lived, by who allocated and who freed them.
 */
#ifndef KMEMTRACE_LIFETIMES_H
#define KMEMTRACE_LIFETIMES_H

#include <stdint.h>

/* Lives below 1 us, 10 us, and so on, to 1 s; and all others. */
#define LIFETIME_STEPS	8

/**
 * struct lifetime - the lives of one kind that one kind of free ended
 * @kind: index of the kind of allocation
 * @freed_by: index of that of the free
 * @ended: how many, by lifetime_step()
 * @ns: sum of all of them, without what 64 bits have no room for
 * @carry: that
 * @bytes: freed; of objects it is known at the end
 * @remote: how many ended on another CPU than they began
 */
struct lifetime {
	uint32_t kind, freed_by;
	uint64_t ended[LIFETIME_STEPS];
	uint64_t ns, carry;
	uint64_t bytes;
	uint64_t remote;
};

/**
 * struct lifetimes - all of them, in any order
 * @list: the first one is of no kind, for what isn't to be counted
 * @nr: of @list
 */
struct lifetimes {
	struct lifetime *list;
	uint32_t nr;

	/* private: a hash of indices, of which 0 is none; a power of two of them */
	uint32_t *slots;
	uint32_t nr_slots;
};

void lifetimes_init(struct lifetimes *l);
uint32_t lifetimes_index(struct lifetimes *l, uint32_t kind, uint32_t freed_by);
void lifetimes_add(struct lifetimes *sum, const struct lifetimes *l);
void lifetimes_free(struct lifetimes *l);

void lifetime_add(struct lifetime *sum, const struct lifetime *l);
uint64_t lifetime_ended(const struct lifetime *l, unsigned int steps);
uint64_t lifetime_mean(const struct lifetime *l);
unsigned int lifetime_median(const struct lifetime *l);

extern const uint64_t lifetime_longest[LIFETIME_STEPS];

/**
 * lifetime_step - where in a histogram of lifetimes one belongs
 * @ns: nanoseconds
 *
 * Return: the number of the step.
 */
static inline unsigned int lifetime_step(uint64_t ns)
{
	/* Of the smallest number of so many bits; all others have that step or the next. */
	static const uint8_t steps[64] = {
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2,
		2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7,
		7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
		7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
	};
	unsigned int log = 63 ^ __builtin_clzll(ns | 1), step = steps[log];

	return step + (ns > lifetime_longest[step]);
}

/* One life more; where clocks are a little off, it may seem to end before it begins. */
static inline void lifetime_count(struct lifetime *l, int64_t age)
{
	uint64_t ns = __builtin_expect(age < 0, 0) ? 0 : age;

	l->ended[lifetime_step(ns)]++;
	l->ns += ns;
	l->carry += l->ns < ns;
}

#endif /* KMEMTRACE_LIFETIMES_H */
