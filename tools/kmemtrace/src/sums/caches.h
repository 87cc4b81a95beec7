/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The slab caches of a trace. The kernel reuses addresses: each cache that was at an
 * address has an entry of its own.
 */
#ifndef KMEMTRACE_CACHES_H
#define KMEMTRACE_CACHES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/bits.h"
#include "common/context.h"
#include "common/intern.h"
#include "common/text.h"
#include "read/event.h"
#include "sums/table.h"

/* No cache, or an unknown one. */
#define NO_CACHE	0

/**
 * struct cache - a slab cache, from its creation to its end
 * @addr: its address
 * @name: its own name, or NULL while no record has it
 * @aliases: names of the caches that were merged with it
 * @nr_aliases: of @aliases
 * @object_size: bytes of an object as requested
 * @size: bytes that an object takes
 * @align: bytes
 * @flags: SLAB_* of the kernel
 * @users: number of its users, from its last record
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
 * struct caches - all caches
 * @ctx: the context that receives an error
 * @list: by index; the entry of NO_CACHE is unused
 * @nr: number of @list
 * @ended: how many caches have ended: until the next one does, caches_index() returns
 *	the same for an address
 */
struct caches {
	struct context *ctx;
	struct cache *list;
	uint32_t nr;
	uint32_t ended;

	/* private: @live of a row is the cache that is at an address now */
	struct table addrs;
	struct intern aliases;
	struct {
		uint64_t addr;
		uint32_t index;
	} recent[64];
};

void caches_init(struct caches *c, struct context *ctx);
uint32_t caches_look_up(struct caches *c, uint64_t addr);
uint32_t caches_record(struct caches *c, const struct record *rec);
bool cache_is_kmalloc(const struct cache *cache);
int caches_load_aliases(struct caches *c, struct text *text);
void caches_free(struct caches *c);

/**
 * caches_index - find or add the cache at an address
 * @c: the caches
 * @addr: the address, 0 for none
 *
 * Return: the index of the cache that is there now; NO_CACHE without memory, or if there
 *	are too many.
 */
static inline uint32_t caches_index(struct caches *c, uint64_t addr)
{
	size_t i = hash_u64(addr) >> 58;

	if (addr == c->recent[i].addr)
		return c->recent[i].index;
	return caches_look_up(c, addr);
}

#endif /* KMEMTRACE_CACHES_H */
