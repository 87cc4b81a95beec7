/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kinds of events: properties that many events share, stored once.
 */
#ifndef KMEMTRACE_KINDS_H
#define KMEMTRACE_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/context.h"
#include "common/hash.h"

/* No kind. */
#define NO_KIND		UINT32_MAX

#define CLASS_SIZE_BITS	40
#define CLASS_MAX_SIZE	((UINT64_C(1) << CLASS_SIZE_BITS) - 1)
#define CLASS_MAX_CACHE	((UINT32_C(1) << (64 - CLASS_SIZE_BITS)) - 1)

/* Return the key of a size, below 1 TB, in a cache; size 0: unknown. */
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

/* Return the request_step() of one byte more than @last. The largest of a step is the round one. */
static inline unsigned int request_step_from(uint64_t last)
{
	unsigned int shift = 60 - __builtin_clzll(last | 8);

	return (shift << 3) + (last >> shift) + 1;
}

/**
 * request_step - find the step of a histogram of requested sizes
 * @bytes: requested, 0 to CLASS_MAX_SIZE
 *
 * Each power of two has eight steps; sizes below 16 have one each.
 *
 * Return: the number of the step.
 */
static inline unsigned int request_step(uint64_t bytes)
{
	return bytes ? request_step_from(bytes - 1) : 0;
}

/* Return the largest size that belongs to a step. */
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
 * @who: who_key() of an allocation; 0: unknown
 */
struct kind {
	uint64_t site;
	uint64_t class;
	uint64_t rest;
	uint64_t who;
};

/* The parts of @rest; a free has only KIND_SPACE, KIND_FREE and KIND_HIDDEN. */
#define KIND_SPACE	0x3
/* SPACE_PAGES */
#define KIND_PAGES	0x1
#define KIND_FREE	0x4
/* The memory is in the snapshot, no event allocated it. */
#define KIND_OLDER	0x8
#define KIND_STEP_SHIFT	4
/* The largest request_step() is 496. */
#define KIND_STEP_MASK	0x3ff
/* It matches the filter that is in force, and kmemtrace itself allocated it. */
#define KIND_OWN	0x4000
/* It doesn't match the filter that is in force: no sum includes its counters. */
#define KIND_HIDDEN	0x8000
#define KIND_NODE_SHIFT	16
/* A kernel has at most 1024 nodes. */
#define KIND_NODE_MASK	0x7ff
/* Of a sampled object: see kind_group(). */
#define KIND_GROUP_SHIFT	27
#define KIND_GROUP	(UINT64_C(0x1f) << KIND_GROUP_SHIFT)
#define KIND_GFP_SHIFT	32

/**
 * kind_rest - pack the properties of an allocation other than site and class
 * @space: enum space
 * @req: bytes requested
 * @node: node requested, -1 for none
 * @gfp: flags
 *
 * Uses shifts, not bit-fields: reading a whole word that was written in parts stalls
 * the processor.
 *
 * Return: the word.
 */
static inline uint64_t kind_rest(unsigned int space, uint64_t req, int node,
				 uint64_t gfp)
{
	return gfp << KIND_GFP_SHIFT |
	       (uint64_t)(((unsigned int)node + 1) & KIND_NODE_MASK) << KIND_NODE_SHIFT |
	       request_step(req) << KIND_STEP_SHIFT | space;
}

/*
 * Return the kind without the properties that cells don't distinguish: the requested node, the
 * group; and the requested size and the flags, but for the pages', whose flags have the migrate
 * type.
 */
static inline struct kind kind_of_cells(const struct kind *kind)
{
	struct kind to = *kind;

	if ((kind->rest & KIND_SPACE) == KIND_PAGES)
		to.rest &= ~((uint64_t)KIND_NODE_MASK << KIND_NODE_SHIFT);
	else
		to.rest &= KIND_SPACE | KIND_FREE | KIND_OLDER | KIND_OWN | KIND_HIDDEN;
	return to;
}

static inline unsigned int kind_space(const struct kind *kind)
{
	return kind->rest & KIND_SPACE;
}

/* Return the request_step() of the bytes requested; 0: unknown. */
static inline unsigned int kind_step(const struct kind *kind)
{
	return kind->rest >> KIND_STEP_SHIFT & KIND_STEP_MASK;
}

/* Return the node requested; -1: none, or kind_step() is unknown. */
static inline int kind_node(const struct kind *kind)
{
	return (int)(kind->rest >> KIND_NODE_SHIFT & KIND_NODE_MASK) - 1;
}

/* Return the group of a kind of sampled objects, see spread.h; else 0. */
static inline unsigned int kind_group(const struct kind *kind)
{
	return (kind->rest & KIND_GROUP) >> KIND_GROUP_SHIFT;
}

/* Set the group of a kind. */
static inline void kind_set_group(struct kind *kind, unsigned int group)
{
	kind->rest = (kind->rest & ~KIND_GROUP) | (uint64_t)group << KIND_GROUP_SHIFT;
}

/* Return the flags; 0 if kind_step() is unknown. */
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

static inline bool kind_is_own(const struct kind *kind)
{
	return kind->rest & KIND_OWN;
}

static inline bool kind_is_hidden(const struct kind *kind)
{
	return kind->rest & KIND_HIDDEN;
}

/* Return whether sums include it. */
static inline bool kind_is_counted(const struct kind *kind)
{
	return !(kind->rest & (KIND_FREE | KIND_HIDDEN));
}

/* Kinds are stored in pieces of so many, which never move. */
#define KINDS_SHIFT	14
#define KINDS_PER_PIECE	(1 << KINDS_SHIFT)
#define KINDS_PIECES	(1 << 12)

/**
 * struct kinds - all kinds, in the order in which they came; @ctx must be set
 * @ctx: the context that receives an error
 * @nr: how many
 *
 * A thread may get a kind by its index while another thread adds kinds.
 */
struct kinds {
	struct context *ctx;
	uint32_t nr;

	/* private: a hash of indices plus one; 2^bits slots */
	struct kind *pieces[KINDS_PIECES];
	struct kinds_slot {
		uint32_t hash, index;
	} *slots;
	unsigned int bits;
	uint64_t seed;
};

uint32_t kinds_add(struct kinds *k, const struct kind *kind);
void kinds_free(struct kinds *k);

/* Return the kind of an index that kinds_index() returned. */
static inline const struct kind *kinds_get(const struct kinds *k, uint32_t i)
{
	return &k->pieces[i >> KINDS_SHIFT][i % KINDS_PER_PIECE];
}

/* Chained, so that the seed hides how a difference in one word cancels one in another. */
static inline uint32_t kind_hash(const struct kind *kind, uint64_t seed)
{
	uint64_t hash = hash_key(kind->site, seed);

	hash = hash_key(kind->class, hash ^ hash >> 32);
	hash = hash_key(kind->rest, hash ^ hash >> 32);
	return hash_key(kind->who, hash ^ hash >> 32) >> 32;
}

/**
 * kinds_index - find or add a kind
 * @k: the kinds
 * @kind: the kind
 *
 * Return: its index; NO_KIND if there is no memory, or there are too many.
 */
static inline uint32_t kinds_index(struct kinds *k, const struct kind *kind)
{
	uint32_t hash, at, mask;

	if (!k->nr)
		return kinds_add(k, kind);
	hash = kind_hash(kind, k->seed);
	mask = (UINT32_C(1) << k->bits) - 1;
	for (at = hash >> (32 - k->bits); k->slots[at].index; at = (at + 1) & mask) {
		const struct kind *found;

		if (k->slots[at].hash != hash)
			continue;
		found = kinds_get(k, k->slots[at].index - 1);
		if (!((found->site ^ kind->site) | (found->class ^ kind->class) |
		      (found->rest ^ kind->rest) | (found->who ^ kind->who)))
			return k->slots[at].index - 1;
	}
	return kinds_add(k, kind);
}

#endif /* KMEMTRACE_KINDS_H */
