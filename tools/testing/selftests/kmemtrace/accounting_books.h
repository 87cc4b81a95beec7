/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Books of live memory, made from the records of a trace, and of the bytes that
 * CONFIG_MEM_ALLOC_PROFILING charges for it.
 */
#ifndef ACCOUNTING_BOOKS_H
#define ACCOUNTING_BOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/kmemtrace.h>

/* Properties of the traced kernel, from the file constants of kmemtrace_load. */
struct constants {
	uint64_t page_size, possible_cpus, nodes;
	uint64_t slab_no_obj_ext, slab_noleaktrace, slab_kmalloc, gfp_no_obj_ext;
	uint64_t migrated_charged_twice;
	uint64_t linear_map;		/* the virtual address of the physical address 0 */
	uint64_t percpu_granule, percpu_charged, percpu_extra, percpu_unit;
	uint64_t percpu_variable;	/* the address of one in the first chunk */
	uint64_t kfence_start, kfence_size, quarantine;
};

/*
 * A slab cache. @gone: it was destroyed; @odd: number of objects that contradict it, by
 * their size @odd_size or by their interface; @objects and @freed belong to the callback
 * of enter_record().
 */
struct cache {
	struct cache *next;
	uint64_t addr, object_size, size, flags;
	uint64_t odd, odd_size;
	int64_t objects, freed;
	bool known, gone;
	char name[128];
};

/* The allocators. */
enum space { SLAB, PAGES, PERCPU, VMALLOC, NR_SPACES };

/**
 * enum reason - why profiling charges an object with other than its bytes
 * @AS_IT_IS: it charges the bytes
 * @NO_TAGS_CACHE: the cache has no tags
 * @NO_TAGS_GFP: the flags of the allocation exclude a tag
 * @IN_PAGES: the pages of the object are charged
 * @FIRST_CHUNK: per-CPU memory of the first chunk has no tags
 * @FROM_BOOT: pages that were allocated before tags existed
 */
enum reason {
	AS_IT_IS, NO_TAGS_CACHE, NO_TAGS_GFP, IN_PAGES, FIRST_CHUNK, FROM_BOOT,
	NR_REASONS
};

/**
 * struct change - change of the books by a record
 * @time: time of the record, in CLOCK_MONOTONIC
 * @space: the allocator
 * @reason: reason of the charge
 * @objects: change of the number of live objects or pages
 * @bytes: change of the live bytes
 * @charge: change of the charged bytes
 * @ptr: address of the object, or of the first page
 * @site: call site of the allocation, 0 if it is older than the trace
 * @cache: cache of a slab object
 * @weight: the object stands for so many, since the trace is a sample
 * @charged: where the weight is not 1, a number for each address, which belongs to the callback
 * @kfence: the object is in KFENCE's pool
 * @moved: the charge moved to another @site, named by the next change; nothing else
 *	changed
 */
struct change {
	uint64_t time;
	enum space space;
	enum reason reason;
	int objects;
	int64_t bytes, charge;
	uint64_t ptr, site;
	struct cache *cache;
	int weight;
	int64_t *charged;
	bool kfence, moved;
};

/**
 * struct tag - neighbouring pages of one state, from kmemtrace_tags
 * @ptr: address of the first
 * @bytes: size of all
 * @site: file and function of the charge, NULL if the pages are free
 */
struct tag {
	uint64_t ptr, bytes;
	char *site;
};

/**
 * struct books - live memory of a trace
 * @constants: properties of the traced kernel
 * @one_of: one of so many slab objects below the size of a page is in the trace
 * @caches: all caches, also destroyed ones
 * @unknown: number of frees of objects that were not live, by allocator
 * @twice: number of allocations of objects that were live, by allocator
 * @from_boot: the trace began at boot
 * @complete: the snapshot is complete
 * @unlisted: it lacks objects that the allocator, SLOB, can't list
 * @tags: states of pages shortly before the end of a trace from boot, by address
 * @nr_tags: number of @tags
 */
struct books {
	struct constants constants;
	unsigned int one_of;
	struct cache *caches;
	uint64_t unknown[NR_SPACES], twice[NR_SPACES];
	bool from_boot, complete, unlisted;
	struct tag *tags;
	size_t nr_tags;
	struct object **objects;
	struct frame *frames;
	uint64_t first_frame, low, high;
};

typedef void (*change_fn)(void *data, const struct change *change);

/*
 * The trace has one of @one_of slab objects. @folder holds the file "constants". For a trace
 * from boot it holds "tags" too, for another one perhaps "untagged", which close_books() of the
 * previous trace wrote.
 */
void open_books(struct books *books, const char *folder, bool from_boot,
		unsigned int one_of);
void close_books(const struct books *books, const char *folder);

/* Enter a record, and call @changed for each change. */
void enter_record(struct books *books, const struct kmemtrace_event *event,
		  uint64_t time, change_fn changed, void *data);

/* Return the state of a page shortly before the end of a trace from boot, or NULL. */
const struct tag *find_tag(const struct books *books, uint64_t ptr);

/* Return the sum of the squares of what the callback has left in struct change.charged. */
double charged_squares(const struct books *books);

/* Return the number of free pages that the books hold as live since before the trace. */
uint64_t older_but_free(const struct books *books);

#endif
