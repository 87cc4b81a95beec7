/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The slab caches of a trace. Addresses are used again: each life of a cache
 * is one of its own here.
 */
#ifndef KMEMTRACE_CACHES_H
#define KMEMTRACE_CACHES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/memory.h"
#include "common/text.h"
#include "read/event.h"
#include "sums/table.h"

/* What is in no cache, or in none that is known. */
#define NO_CACHE	0

/**
 * struct cache - one life of a slab cache
 * @addr: its address
 * @name: its own name, or NULL while no record has it
 * @aliases: names of those that were merged with it
 * @nr_aliases: of @aliases
 * @object_size: bytes of an object as asked for
 * @size: bytes that an object takes
 * @align: bytes
 * @flags: SLAB_* of the kernel
 * @users: how many share it, by the last record of it
 * @created: when, if @is_created
 * @destroyed: when, if @is_destroyed
 * @is_created: in the trace
 * @is_destroyed: in the trace
 */
struct cache {
	uint64_t addr;
	char *name;
	char **aliases;
	size_t nr_aliases;
	uint64_t object_size, size, align, flags;
	int32_t users;
	int64_t created, destroyed;
	bool is_created, is_destroyed;
};

/**
 * struct caches - all of them; zeroed memory is an empty set
 * @list: by index; the one of NO_CACHE means nothing
 * @nr: of @list
 * @ended: lives that were over, so far: what caches_index() says stays until the next
 */
struct caches {
	struct cache *list;
	uint32_t nr;
	uint32_t ended;

	/* private: the life that each address has now */
	struct table addrs;
	uint32_t *current;
	struct {
		uint64_t addr;
		uint32_t index;
	} recent[64];
};

uint32_t caches_look_up(struct caches *c, uint64_t addr);
uint32_t caches_record(struct caches *c, const struct record *rec);
bool cache_is_kmalloc(const struct cache *cache);
void caches_load_aliases(struct caches *c, struct text *text);
void caches_free(struct caches *c);

/**
 * caches_index - find the cache at an address
 * @c: the caches
 * @addr: the address, 0 for none
 *
 * Return: the index of the one that is there now, a new one if there is none.
 */
static inline uint32_t caches_index(struct caches *c, uint64_t addr)
{
	size_t i = hash_u64(addr) >> 58;

	if (addr == c->recent[i].addr)
		return c->recent[i].index;
	return caches_look_up(c, addr);
}

#endif /* KMEMTRACE_CACHES_H */
