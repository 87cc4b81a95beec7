/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kinds of events: all that many events have in common, kept once.
 */
#ifndef KMEMTRACE_KINDS_H
#define KMEMTRACE_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/memory.h"

/* Stands for no kind. */
#define NO_KIND		UINT32_MAX

#define CLASS_SIZE_BITS	40
#define CLASS_MAX_SIZE	((UINT64_C(1) << CLASS_SIZE_BITS) - 1)
#define CLASS_MAX_CACHE	((UINT32_C(1) << (64 - CLASS_SIZE_BITS)) - 1)

/* The key of a size, below 1 TB, in a cache; size 0: not known. */
static inline uint64_t class_key(uint32_t cache, uint64_t size)
{
	return (uint64_t)cache << CLASS_SIZE_BITS | size;
}

static inline uint64_t class_size(uint64_t key)
{
	return key & CLASS_MAX_SIZE;
}

static inline uint32_t class_cache(uint64_t key)
{
	return key >> CLASS_SIZE_BITS;
}

/**
 * request_step - where in a histogram of requested sizes a size belongs
 * @bytes: asked for, 1 to CLASS_MAX_SIZE
 *
 * Eight steps to each power of two; sizes below 16 have one of their own.
 *
 * Return: the number of the step.
 */
static inline unsigned int request_step(uint64_t bytes)
{
	unsigned int shift;

	if (bytes < 16)
		return bytes;
	/* A step goes up to its largest size, which is the round one. */
	bytes--;
	shift = 60 - __builtin_clzll(bytes);
	return (shift << 3) + (bytes >> shift) + 1;
}

/* The largest size that belongs to a step. */
static inline uint64_t request_step_max(unsigned int step)
{
	unsigned int shift;

	if (step < 16)
		return step;
	step--;
	shift = (step >> 3) - 1;
	return ((uint64_t)(step & 7) + 9) << shift;
}

/**
 * struct kind - one kind of allocation, or of free
 * @site: address of the call site
 * @class: class_key() of an allocation
 * @rest: kind_rest()
 */
struct kind {
	uint64_t site;
	uint64_t class;
	uint64_t rest;
};

/* What @rest is made of: a free has nothing but KIND_SPACE, and KIND_HIDDEN or not. */
#define KIND_SPACE	0x3
#define KIND_FREE	0x4
/* No event allocated it: the snapshot has it. */
#define KIND_OLDER	0x8
#define KIND_STEP_SHIFT	4
#define KIND_STEP_MASK	0x7ff
/* A filter is in force that it doesn't fit: what is counted of it is in no sum. */
#define KIND_HIDDEN	0x8000
#define KIND_NODE_SHIFT	16
#define KIND_GFP_SHIFT	32

/**
 * kind_rest - what an allocation has besides its site and class
 * @space: enum space
 * @req: bytes asked for
 * @node: that it asked for, -1 for none
 * @gfp: flags
 *
 * By shifts: a word that is written in bits and read as a whole has the processor wait.
 */
static inline uint64_t kind_rest(unsigned int space, uint64_t req, int node,
				 uint64_t gfp)
{
	return gfp << KIND_GFP_SHIFT |
	       (uint64_t)(uint16_t)((unsigned int)node + 1) << KIND_NODE_SHIFT |
	       request_step(req) << KIND_STEP_SHIFT | space;
}

static inline unsigned int kind_space(const struct kind *kind)
{
	return kind->rest & KIND_SPACE;
}

/* Of bytes asked for, see request_step(); 0: not known. */
static inline unsigned int kind_step(const struct kind *kind)
{
	return kind->rest >> KIND_STEP_SHIFT & KIND_STEP_MASK;
}

/* The node that was asked for, -1 for none or where kind_step() is not known. */
static inline int kind_node(const struct kind *kind)
{
	return (int)(kind->rest >> KIND_NODE_SHIFT & UINT16_MAX) - 1;
}

/* Flags; 0 where kind_step() is not known. */
static inline uint64_t kind_gfp(const struct kind *kind)
{
	return kind->rest >> KIND_GFP_SHIFT;
}

static inline bool kind_is_free(const struct kind *kind)
{
	return kind->rest & KIND_FREE;
}

static inline bool kind_is_older(const struct kind *kind)
{
	return kind->rest & KIND_OLDER;
}

static inline bool kind_is_hidden(const struct kind *kind)
{
	return kind->rest & KIND_HIDDEN;
}

/* Is it one of those that sums are made of? */
static inline bool kind_is_counted(const struct kind *kind)
{
	return !(kind->rest & (KIND_FREE | KIND_HIDDEN));
}

/* Kinds are kept in pieces of so many, which stay where they are. */
#define KINDS_SHIFT	14
#define KINDS_PER_PIECE	(1 << KINDS_SHIFT)
#define KINDS_PIECES	(1 << 12)

/**
 * struct kinds - all of them, in the order in which they came
 * @nr: how many
 *
 * Whoever knows an index that kinds_index() gave may ask for the kind while
 * another thread adds new ones.
 */
struct kinds {
	uint32_t nr;

	/* private: a hash of indices plus one, a power of two of them */
	struct kind *pieces[KINDS_PIECES];
	struct kinds_slot {
		uint32_t hash, index;
	} *slots;
	uint32_t mask;
};

uint32_t kinds_add(struct kinds *k, const struct kind *kind, uint32_t hash);
void kinds_free(struct kinds *k);

/* The kind with an index that kinds_index() gave. */
static inline const struct kind *kinds_get(const struct kinds *k, uint32_t i)
{
	return &k->pieces[i >> KINDS_SHIFT][i % KINDS_PER_PIECE];
}

/* The multiplications don't wait for each other. */
static inline uint32_t kind_hash(const struct kind *kind)
{
	return (hash_u64(kind->site) ^ hash_u64(kind->class) * 3 ^
		hash_u64(kind->rest) * 5) >> 32;
}

/**
 * kinds_index - find a kind
 * @k: the kinds; zeroed memory is an empty set
 * @kind: the one
 *
 * Return: its index, a new one if it has none yet.
 */
static inline uint32_t kinds_index(struct kinds *k, const struct kind *kind)
{
	uint32_t hash = kind_hash(kind), at;

	for (at = hash & k->mask; k->nr && k->slots[at].index;
	     at = (at + 1) & k->mask) {
		const struct kind *found;

		if (k->slots[at].hash != hash)
			continue;
		found = kinds_get(k, k->slots[at].index - 1);
		if (!((found->site ^ kind->site) | (found->class ^ kind->class) |
		      (found->rest ^ kind->rest)))
			return k->slots[at].index - 1;
	}
	return kinds_add(k, kind, hash);
}

#endif /* KMEMTRACE_KINDS_H */
