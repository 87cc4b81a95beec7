/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Books of what is live, kept by the records of a trace, and of what
 * CONFIG_MEM_ALLOC_PROFILING charges for it.
 */
#ifndef ACCOUNTING_BOOKS_H
#define ACCOUNTING_BOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/kmemtrace.h>

/* What the running kernel is like: see constants of kmemtrace_load. */
struct constants {
	uint64_t page_size, possible_cpus;
	uint64_t slab_no_obj_ext, slab_noleaktrace, slab_kmalloc, gfp_no_obj_ext;
	uint64_t percpu_granule, percpu_extra, percpu_unit;
	uint64_t kfence_start, kfence_size, quarantine;
};

/*
 * A slab cache, alive or not; @odd: objects that can't be of it, as they should be
 * @odd_size bytes large, or of another interface; @objects and @freed are for who is
 * told of changes.
 */
struct cache {
	struct cache *next;
	uint64_t addr, object_size, size, flags;
	uint64_t odd, odd_size;
	int64_t objects, freed;
	bool known, gone;
	char name[128];
};

/* The allocator that memory is of. */
enum space { SLAB, PAGES, PERCPU, VMALLOC, NR_SPACES };

/**
 * enum reason - why profiling charges something else than its bytes
 * @AS_IT_IS: it does charge them
 * @NO_TAGS_CACHE: the cache has no tags
 * @NO_TAGS_GFP: it was asked for without a tag
 * @IN_PAGES: it is charged as pages
 * @FIRST_CHUNK: per-CPU memory of the first chunk has no tags
 * @FROM_BOOT: pages that were in use before there were tags
 */
enum reason {
	AS_IT_IS, NO_TAGS_CACHE, NO_TAGS_GFP, IN_PAGES, FIRST_CHUNK, FROM_BOOT,
	NR_REASONS
};

/**
 * struct change - what a record did to the books
 * @time: CLOCK_MONOTONIC
 * @space: of which allocator
 * @reason: of the charge
 * @objects: how many more
 * @bytes: by how much more memory is handed out
 * @charge: by how much more is charged, when @reason applies
 * @ptr: the object, or the first page
 * @site: who allocated it, 0: it is older than the trace
 * @cache: of a slab object
 * @kfence: it is in KFENCE's pool
 * @moved: from one @site to another, which is told of next; nothing else changed
 */
struct change {
	uint64_t time;
	enum space space;
	enum reason reason;
	int objects;
	int64_t bytes, charge;
	uint64_t ptr, site;
	struct cache *cache;
	bool kfence, moved;
};

/**
 * struct tag - pages of one state, as kmemtrace_tags tells
 * @ptr: address of the first
 * @bytes: how many
 * @site: file and function that they are charged to; NULL: they are free
 */
struct tag {
	uint64_t ptr, bytes;
	char *site;
};

/**
 * struct books - all that is known
 * @constants: of the kernel
 * @caches: all that ever were
 * @unknown: what was freed, but not live, by space
 * @twice: what was handed out, but live, by space
 * @from_boot: the trace began with the kernel
 * @complete: the snapshot is
 * @tags: what pages were near the end of a trace from boot, by address
 * @nr_tags: how many
 */
struct books {
	struct constants constants;
	struct cache *caches;
	uint64_t unknown[NR_SPACES], twice[NR_SPACES];
	bool from_boot, complete;
	struct tag *tags;
	size_t nr_tags;
	struct object **objects;
	struct frame *frames;
	uint64_t first_frame, low, high;
};

typedef void (*change_fn)(void *data, const struct change *change);

/*
 * In @folder is the file "constants", for a trace from boot "tags", and for another
 * one perhaps "untagged", which closing any books leaves there.
 */
void open_books(struct books *books, const char *folder, bool from_boot);
void close_books(const struct books *books, const char *folder);

/* Enter a record; @changed is called for each part of it. */
void enter_record(struct books *books, const struct kmemtrace_event *event,
		  uint64_t time, change_fn changed, void *data);

/* What is known of a page near the end of a trace from boot, or NULL. */
const struct tag *find_tag(const struct books *books, uint64_t ptr);

/* How many pages the books have as older than the trace, which are free. */
uint64_t older_but_free(const struct books *books);

#endif
