/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Find the entries of a list by their contents.
 */
#ifndef KMEMTRACE_LOOKUP_H
#define KMEMTRACE_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No entry. */
#define LOOKUP_NONE	UINT32_MAX

/* A hash of the numbers of entries; zeroed memory has none. */
struct lookup {
	/* private: numbers plus one; 2^bits slots, half of which stay empty */
	struct lookup_slot {
		uint32_t hash, number;
	} *slots;
	unsigned int bits;
	uint32_t nr;
	uint64_t seed;
};

/**
 * struct lookup_place - a place among the entries that may have some contents
 * @hash: hash of the contents
 * @at: the next slot
 */
struct lookup_place {
	uint32_t hash, at;
};

struct lookup_place lookup_begin(struct lookup *l, const void *key, size_t size);
uint32_t lookup_next(const struct lookup *l, struct lookup_place *place);
bool lookup_add(struct lookup *l, const struct lookup_place *place, uint32_t number);
void lookup_free(struct lookup *l);

#endif /* KMEMTRACE_LOOKUP_H */
