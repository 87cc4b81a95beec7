// SPDX-License-Identifier: GPL-2.0
/*
 * Books of live memory, and of the bytes that memory allocation profiling charges for
 * it.
 *
 * Two CPUs may stamp their events of one object in the wrong order. So an object may
 * be live twice for a moment, or freed before it was allocated. Only the sum at the end
 * counts.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kselftest.h"
#include "accounting_books.h"

#define BUCKETS		0x100000UL	/* a power of two, see find_object() */
/* 256 GiB of pages of 4 KiB, on 32 bits the address space twice */
#define FRAMES		(sizeof(void *) > 4 ? 0x4000000UL : 0x200000UL)
/* Marks the physical address of a page. */
#define HIGH_MEMORY	0x8000000000000000ULL

/* One allocation. */
struct alloc {
	uint64_t site;
	int64_t bytes, charge;
	enum reason reason;
	struct cache *cache;
};

/* An object has at most two open allocations at a time, the older one first. */
struct object {
	struct object *next;
	uint64_t ptr;
	enum space space;
	int64_t charged;	/* see struct change */
	bool seen;		/* an event named it, not only the snapshot */
	int live;
	struct alloc allocs[2];
};

/*
 * A page frame. @tagged: number of charges that a free must still take back; @seen: a
 * record named it; @untagged: it was allocated before tags existed, and is still in use.
 */
struct frame {
	uint64_t site;
	int8_t live, tagged;
	bool seen, untagged;
};

static void *zeroed(size_t n, size_t size)
{
	void *mem = calloc(n, size);

	if (!mem)
		ksft_exit_fail_msg("no memory\n");
	return mem;
}

/* ---- constants ---- */

static void read_constants(struct constants *constants, FILE *file)
{
	const struct {
		const char *name;
		uint64_t *value;
	} rows[] = {
		{ "page_size",		&constants->page_size },
		{ "possible_cpus",	&constants->possible_cpus },
		{ "nodes",		&constants->nodes },
		{ "slab_no_obj_ext",	&constants->slab_no_obj_ext },
		{ "slab_noleaktrace",	&constants->slab_noleaktrace },
		{ "slab_kmalloc",	&constants->slab_kmalloc },
		{ "gfp_no_obj_ext",	&constants->gfp_no_obj_ext },
		{ "migrated_charged_twice", &constants->migrated_charged_twice },
		{ "linear_map",		&constants->linear_map },
		{ "percpu_granule",	&constants->percpu_granule },
		{ "percpu_charged",	&constants->percpu_charged },
		{ "percpu_extra",	&constants->percpu_extra },
		{ "percpu_variable",	&constants->percpu_variable },
		{ "percpu_unit",	&constants->percpu_unit },
		{ "kfence_start",	&constants->kfence_start },
		{ "kfence_size",	&constants->kfence_size },
		{ "quarantine",		&constants->quarantine },
	};
	char name[64], value[64];
	size_t found = 0;

	while (file && fscanf(file, "%63s %63s", name, value) == 2)
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			if (!strcmp(rows[i].name, name)) {
				*rows[i].value = strtoull(value, NULL, 0);
				found++;
			}
	if (found != ARRAY_SIZE(rows))
		ksft_exit_fail_msg("constants: the file is incomplete\n");
	fclose(file);
}

/* ---- caches ---- */

/* Return the cache that has this address now; add it if it is new. */
static struct cache *find_cache(struct books *books, uint64_t addr)
{
	struct cache *cache = books->caches;

	while (cache && (cache->addr != addr || cache->gone))
		cache = cache->next;
	if (!cache) {
		cache = zeroed(1, sizeof(*cache));
		cache->addr = addr;
		cache->next = books->caches;
		books->caches = cache;
	}
	return cache;
}

/* Keep the first name: a cache that merges with this one records another name. */
static void enter_cache(struct books *books, const struct kmemtrace_cache *record)
{
	struct cache *cache = find_cache(books, record->cache);

	if (!cache->known)
		snprintf(cache->name, sizeof(cache->name), "%.*s",
			 (int)(record->event_size - sizeof(*record)), record->name);
	cache->known = true;
	/* A merge may enlarge the objects, and allocate before this record. */
	if (cache->odd_size == record->object_size)
		cache->odd = 0;
	cache->object_size = record->object_size;
	cache->size = record->size;
	cache->flags = record->flags;
	cache->gone = record->op == KMEMTRACE_CACHE_DESTROYED;
}

/* An object has its cache's size, and kmalloc() allocates from kmalloc caches only. */
static void check_kind(const struct books *books, struct cache *cache,
		       const struct kmemtrace_event *event)
{
	if (!cache->known)
		return;
	if (event->type_id == KMEMTRACE_TYPE_KMALLOC) {
		cache->odd += !(cache->flags & books->constants.slab_kmalloc);
	} else if (event->bytes_req != cache->object_size) {
		cache->odd++;
		cache->odd_size = event->bytes_req;
	}
}

/* ---- charges ---- */

static int64_t slab_charge(const struct books *books, const struct cache *cache,
			   uint64_t gfp, enum reason *reason)
{
	const struct constants *constants = &books->constants;

	if (!cache)
		*reason = IN_PAGES;
	else if (cache->flags & (constants->slab_no_obj_ext |
				 constants->slab_noleaktrace))
		*reason = NO_TAGS_CACHE;
	else if (gfp & constants->gfp_no_obj_ext)
		*reason = NO_TAGS_GFP;
	else
		return cache->size;
	return 0;
}

/* As pcpu_obj_full_size(): include the memory cgroup pointer of each granule. */
static int64_t percpu_charge(const struct books *books, uint64_t ptr,
			     uint64_t bytes, enum reason *reason)
{
	const struct constants *constants = &books->constants;
	uint64_t size = bytes / constants->possible_cpus;

	/* Other chunks are far away. */
	if (ptr - constants->percpu_variable + constants->percpu_unit <
	    2 * constants->percpu_unit) {
		*reason = FIRST_CHUNK;
		return 0;
	}
	return size * constants->percpu_charged +
	       size / constants->percpu_granule * constants->percpu_extra;
}

static struct alloc make_alloc(struct books *books, enum space space, uint64_t ptr,
			       uint64_t bytes, uint64_t cache, uint64_t gfp)
{
	struct alloc alloc = { .bytes = bytes };

	switch (space) {
	case SLAB:
		alloc.cache = cache ? find_cache(books, cache) : NULL;
		alloc.charge = slab_charge(books, alloc.cache, gfp,
					   &alloc.reason);
		break;
	case PERCPU:
		alloc.charge = percpu_charge(books, ptr, bytes, &alloc.reason);
		break;
	default:
		alloc.reason = IN_PAGES;
	}
	return alloc;
}

/* ---- objects ---- */

static struct object *find_object(struct books *books, enum space space,
				  uint64_t ptr)
{
	uint64_t hash = (ptr ^ (uint64_t)space << 60) * 0x9e3779b97f4a7c15ULL;
	struct object **bucket = &books->objects[hash >> 44];
	struct object *object = *bucket;

	while (object && (object->ptr != ptr || object->space != space))
		object = object->next;
	if (!object) {
		object = zeroed(1, sizeof(*object));
		object->ptr = ptr;
		object->space = space;
		object->next = *bucket;
		*bucket = object;
	}
	return object;
}

static bool is_sampled(const struct books *books, enum space space, uint64_t bytes)
{
	return books->one_of > 1 && space == SLAB && bytes < books->constants.page_size;
}

static void report(const struct books *books, struct object *object,
		   const struct alloc *alloc, int objects, uint64_t time,
		   change_fn changed, void *data)
{
	const struct constants *constants = &books->constants;
	const bool sampled = is_sampled(books, object->space, alloc->bytes);
	const struct change change = {
		.time = time,
		.space = object->space,
		.reason = alloc->reason,
		.objects = objects,
		.bytes = objects * alloc->bytes,
		.charge = objects * alloc->charge,
		.ptr = object->ptr,
		.site = alloc->site,
		.cache = alloc->cache,
		.weight = sampled ? books->one_of : 1,
		.charged = sampled ? &object->charged : NULL,
		.kfence = object->ptr - constants->kfence_start <
			  constants->kfence_size,
	};

	changed(data, &change);
}

/* Report that a charge moved from the site in @change to @site. */
static void move(struct change change, uint64_t site, change_fn changed, void *data)
{
	change.moved = true;
	change.charge = -change.charge;
	changed(data, &change);
	change.site = site;
	change.charge = -change.charge;
	changed(data, &change);
}

static void alloc_object(struct books *books, struct object *object,
			 const struct alloc *alloc, uint64_t time,
			 change_fn changed, void *data)
{
	/* The snapshot saw the object before its ALLOC was recorded. */
	if (object->live && !object->seen) {
		move((struct change) {
			.time = time,
			.space = object->space,
			.charge = object->allocs[0].charge,
			.ptr = object->ptr,
		}, alloc->site, changed, data);
		object->seen = true;
		object->allocs[0].site = alloc->site;
		return;
	}
	object->seen = true;
	if (object->live == 1) {
		books->twice[object->space]++;
	} else if (object->live < 0) {
		books->unknown[object->space]--;
	} else if (object->live > 1) {
		ksft_print_msg("%#llx is live three times\n",
			       (unsigned long long)object->ptr);
		return;
	}
	if (object->live >= 0)
		object->allocs[object->live] = *alloc;
	object->live++;
	report(books, object, alloc, 1, time, changed, data);
	/* Its FREE came first. */
	if (object->live == 0)
		report(books, object, alloc, -1, time, changed, data);
}

static void free_object(struct books *books, struct object *object, uint64_t time,
			change_fn changed, void *data)
{
	/* It is older than the trace, and was freed before the snapshot, or not listed in it. */
	if (!object->seen && !object->live &&
	    (!books->complete || (books->unlisted && object->space == SLAB))) {
		object->seen = true;
		return;
	}
	object->seen = true;
	object->live--;
	if (object->live < 0) {
		books->unknown[object->space]++;
		return;
	}
	if (object->live > 0)
		books->twice[object->space]--;
	report(books, object, &object->allocs[0], -1, time, changed, data);
	object->allocs[0] = object->allocs[1];
}

/* Enter a live object of the snapshot, unless an event named it: that is newer. */
static void snap_object(struct books *books, enum space space, uint64_t ptr,
			const struct alloc *alloc, uint64_t time,
			change_fn changed, void *data)
{
	struct object *object = find_object(books, space, ptr);

	if (object->seen || object->live)
		return;
	object->live = 1;
	object->allocs[0] = *alloc;
	report(books, object, alloc, 1, time, changed, data);
}

double charged_squares(const struct books *books)
{
	double sum = 0;

	for (size_t i = 0; i < BUCKETS; i++)
		for (const struct object *object = books->objects[i]; object;
		     object = object->next)
			sum += (double)object->charged * object->charged;
	return sum;
}

/* ---- page frames ---- */

static struct frame *find_frame(struct books *books, uint64_t ptr)
{
	const uint64_t page_size = books->constants.page_size;

	/* as if the linear map had high memory too */
	if (ptr >= HIGH_MEMORY && books->constants.linear_map < HIGH_MEMORY)
		ptr += books->constants.linear_map - HIGH_MEMORY;
	/* The linear map begins at a multiple of 1 GiB; leave room before it. */
	if (!books->first_frame)
		books->first_frame = (ptr & ~((1ULL << 37) - 1)) / page_size;
	ptr = ptr / page_size - books->first_frame;
	if (ptr >= FRAMES)
		ksft_exit_fail_msg("a page is too far from the first one\n");
	if (ptr < books->low)
		books->low = ptr;
	if (ptr >= books->high)
		books->high = ptr + 1;
	return &books->frames[ptr];
}

/* Report @nr neighbouring pages that are all like @like, as one change. */
static void report_pages(const struct books *books, const struct frame *like,
			 int live, int tagged, uint64_t ptr, uint64_t nr,
			 uint64_t time, change_fn changed, void *data)
{
	const int64_t bytes = nr * books->constants.page_size;
	const struct change change = {
		.time = time,
		.space = PAGES,
		.reason = live && !tagged ? FROM_BOOT : AS_IT_IS,
		.objects = live * (int)nr,
		.bytes = live * bytes,
		.charge = tagged * bytes,
		.ptr = ptr,
		.site = like->site,
		.weight = 1,
	};

	if (nr && (live || tagged))
		changed(data, &change);
}

static void move_frame(const struct books *books, struct frame *frame, uint64_t ptr,
		       uint64_t site, uint64_t time, change_fn changed, void *data)
{
	const struct change change = {
		.time = time,
		.space = PAGES,
		.charge = frame->tagged * (int64_t)books->constants.page_size,
		.ptr = ptr,
		.site = frame->site,
	};

	if (change.charge)
		move(change, site, changed, data);
	frame->site = site;
}

/* Profiling charges the pages of a large kmalloc() to its caller. */
static void move_pages(struct books *books, const struct kmemtrace_event *event,
		       uint64_t time, change_fn changed, void *data)
{
	const uint64_t page_size = books->constants.page_size;

	for (uint64_t at = 0; at < event->bytes_alloc; at += page_size)
		move_frame(books, find_frame(books, event->ptr + at),
			   event->ptr + at, event->call_site, time, changed, data);
}

static void alloc_pages(struct books *books, const struct kmemtrace_event *event,
			uint64_t time, change_fn changed, void *data)
{
	const uint64_t page_size = books->constants.page_size;
	struct frame *frame = NULL;

	for (uint64_t at = 0; at < event->bytes_alloc; at += page_size) {
		frame = find_frame(books, event->ptr + at);
		if (frame->live > 0)
			books->twice[PAGES]++;
		/* A pending FREE must find the charge at its new site. */
		move_frame(books, frame, event->ptr + at, event->call_site, time,
			   changed, data);
		frame->live++;
		frame->tagged++;
		frame->seen = true;
		frame->untagged = false;
	}
	if (frame)
		report_pages(books, frame, 1, 1, event->ptr,
			     event->bytes_alloc / page_size, time, changed, data);
}

static void free_pages(struct books *books, const struct kmemtrace_event *event,
		       uint64_t time, change_fn changed, void *data)
{
	const uint64_t page_size = books->constants.page_size;

	for (uint64_t at = 0; at < event->bytes_alloc; at += page_size) {
		struct frame *frame = find_frame(books, event->ptr + at);
		const struct frame was = *frame;

		if (frame->live == 0 && frame->seen)
			books->unknown[PAGES]++;
		else if (frame->live > 1)
			books->twice[PAGES]--;
		if (frame->live > 0)
			frame->live--;
		if (frame->tagged > 0)
			frame->tagged--;
		frame->seen = true;
		frame->untagged = false;
		report_pages(books, &was, frame->live - was.live,
			     frame->tagged - was.tagged, event->ptr + at, 1, time,
			     changed, data);
	}
}

/* Pages whose contents were moved are charged to the code that allocated them. */
static void swap_pages(struct books *books, const struct kmemtrace_move *record,
		       uint64_t time, change_fn changed, void *data)
{
	const uint64_t page_size = books->constants.page_size;

	for (uint64_t at = 0; at < record->bytes; at += page_size) {
		struct frame *frame = find_frame(books, record->ptr + at);
		struct frame *old = find_frame(books, record->old + at);
		const uint64_t site = frame->site;

		if (frame->live <= 0 || old->live <= 0)
			continue;
		move_frame(books, frame, record->ptr + at, old->site, time,
			   changed, data);
		move_frame(books, old, record->old + at, site, time, changed,
			   data);
	}
}

/* The kernel tags only pages that are allocated after page_ext_init(). */
static bool is_charged(const struct books *books, uint64_t ptr)
{
	const struct tag *tag = find_tag(books, ptr);

	return tag && tag->site;
}

/*
 * A page in use has a tag, except in two cases: memblock allocated it, or it was
 * allocated before tags existed. The second case needs a trace from boot.
 */
static void snap_pages(struct books *books,
		       const struct kmemtrace_snapshot_pages *record, uint64_t time,
		       change_fn changed, void *data)
{
	const uint64_t page_size = books->constants.page_size;
	const bool live = record->state == KMEMTRACE_FRAMES_LIVE ||
			  record->state == KMEMTRACE_FRAMES_OWN;
	const bool reserved = record->state == KMEMTRACE_FRAMES_RESERVED;

	for (uint64_t at = 0; at < record->bytes; at += page_size) {
		struct frame *frame = find_frame(books, record->ptr + at);

		if (frame->seen && (!reserved || record->found))
			continue;
		frame->seen = !reserved;
		frame->live = live;
		if (reserved && books->from_boot)
			frame->untagged = true;
		frame->tagged = live && !frame->untagged &&
				(!books->from_boot ||
				 is_charged(books, record->ptr + at));
		report_pages(books, frame, live, frame->tagged, record->ptr + at, 1,
			     time, changed, data);
	}
}

/* ---- records ---- */

static enum space space_of(const struct kmemtrace_event *event)
{
	switch (event->type_id) {
	case KMEMTRACE_TYPE_PAGES:	return PAGES;
	case KMEMTRACE_TYPE_PERCPU:	return PERCPU;
	case KMEMTRACE_TYPE_VMALLOC:	return VMALLOC;
	default:			return SLAB;
	}
}

static uint64_t cache_of(const struct kmemtrace_event *event)
{
	const struct kmemtrace_slab_event *slab = (const void *)event;

	return space_of(event) == SLAB && event->event_size >= sizeof(*slab) ?
	       slab->cache : 0;
}

static void enter_alloc(struct books *books, const struct kmemtrace_event *event,
			uint64_t time, change_fn changed, void *data)
{
	const enum space space = space_of(event);
	struct alloc alloc;

	if (space == PAGES) {
		alloc_pages(books, event, time, changed, data);
		return;
	}
	alloc = make_alloc(books, space, event->ptr, event->bytes_alloc,
			   cache_of(event), event->gfp_flags);
	alloc.site = event->call_site;
	if (alloc.cache)
		check_kind(books, alloc.cache, event);
	if (alloc.reason == IN_PAGES && space == SLAB)
		move_pages(books, event, time, changed, data);
	alloc_object(books, find_object(books, space, event->ptr), &alloc, time,
		     changed, data);
}

static void enter_free(struct books *books, const struct kmemtrace_event *event,
		       uint64_t time, change_fn changed, void *data)
{
	const enum space space = space_of(event);

	if (space == PAGES)
		free_pages(books, event, time, changed, data);
	else
		free_object(books, find_object(books, space, event->ptr), time,
			    changed, data);
}

static void snap_slab(struct books *books,
		      const struct kmemtrace_snapshot_slab *record, uint64_t time,
		      change_fn changed, void *data)
{
	struct alloc alloc = make_alloc(books, SLAB, record->ptr, record->size,
					record->cache, 0);

	for (uint64_t i = 0; i < record->objects; i++) {
		const uint64_t ptr = record->ptr + i * record->size;

		if (!(record->live[i / 64] >> i % 64 & 1))
			continue;
		/* The snapshot has all objects. */
		if (is_sampled(books, SLAB, record->size) &&
		    !kmemtrace_in_sample(ptr, books->one_of))
			continue;
		snap_object(books, SLAB, ptr, &alloc, time, changed, data);
	}
}

static void enter_snapshot(struct books *books,
			   const struct kmemtrace_event *event, uint64_t time,
			   change_fn changed, void *data)
{
	struct alloc alloc;

	switch (event->type_id) {
	case KMEMTRACE_TYPE_CACHE:
		snap_slab(books, (const void *)event, time, changed, data);
		break;
	case KMEMTRACE_TYPE_PAGES:
		snap_pages(books, (const void *)event, time, changed, data);
		break;
	case KMEMTRACE_TYPE_PERCPU:
	case KMEMTRACE_TYPE_VMALLOC:
		alloc = make_alloc(books, space_of(event), event->ptr,
				   event->bytes_alloc, 0, 0);
		snap_object(books, space_of(event), event->ptr, &alloc, time,
			    changed, data);
		break;
	case KMEMTRACE_TYPE_END:
		books->complete = true;
		books->unlisted = ((const struct kmemtrace_snapshot_end *)event)->unlisted;
	}
}

void enter_record(struct books *books, const struct kmemtrace_event *event,
		  uint64_t time, change_fn changed, void *data)
{
	switch (event->event_id) {
	case KMEMTRACE_EVENT_ALLOC:
		enter_alloc(books, event, time, changed, data);
		break;
	case KMEMTRACE_EVENT_FREE:
		enter_free(books, event, time, changed, data);
		break;
	case KMEMTRACE_EVENT_CACHE:
		enter_cache(books, (const void *)event);
		break;
	case KMEMTRACE_EVENT_SNAPSHOT:
		enter_snapshot(books, event, time, changed, data);
		break;
	case KMEMTRACE_EVENT_MOVE:
		swap_pages(books, (const void *)event, time, changed, data);
	}
}

/* ---- tags ---- */

static void add_tag(struct books *books, const struct tag *tag)
{
	/* Double the array whenever it is full, at each power of two. */
	if (!(books->nr_tags & (books->nr_tags - 1)))
		books->tags = reallocarray(books->tags, books->nr_tags * 2 ?: 1,
					   sizeof(*books->tags));
	if (!books->tags)
		ksft_exit_fail_msg("no memory\n");
	books->tags[books->nr_tags++] = *tag;
}

static int compare_tags(const void *left, const void *right)
{
	const struct tag *a = left, *b = right;

	return a->ptr < b->ptr ? -1 : a->ptr > b->ptr;
}

static void read_tags(struct books *books, FILE *file)
{
	char state[8], path[256], function[256];
	unsigned long long ptr, bytes;

	while (file && fscanf(file, "%7s %llx %llu %255s %255s", state, &ptr,
			      &bytes, path, function) == 5) {
		struct tag tag = { .ptr = ptr, .bytes = bytes };

		if (!strcmp(state, "charged") &&
		    asprintf(&tag.site, "%s %s", path, function) < 0)
			ksft_exit_fail_msg("no memory\n");
		add_tag(books, &tag);
	}
	if (!books->nr_tags || !feof(file))
		ksft_exit_fail_msg("tags: the file is incomplete\n");
	fclose(file);
	qsort(books->tags, books->nr_tags, sizeof(*books->tags), compare_tags);
}

static int find_in_tag(const void *key, const void *element)
{
	const struct tag *wanted = key, *tag = element;

	return wanted->ptr >= tag->ptr && wanted->ptr - tag->ptr < tag->bytes ?
	       0 : compare_tags(wanted, tag);
}

const struct tag *find_tag(const struct books *books, uint64_t ptr)
{
	const struct tag wanted = { .ptr = ptr };

	return bsearch(&wanted, books->tags, books->nr_tags,
		       sizeof(*books->tags), find_in_tag);
}

uint64_t older_but_free(const struct books *books)
{
	uint64_t nr = 0;

	for (uint64_t at = books->low; at < books->high; at++) {
		const struct frame *frame = &books->frames[at];
		const struct tag *tag;

		if (frame->live <= 0 || frame->site)
			continue;
		tag = find_tag(books, (books->first_frame + at) *
				      books->constants.page_size);
		nr += tag && !tag->site;
	}
	return nr;
}

/* ---- pages without a tag, from one trace to the next ---- */

static FILE *open_file(const char *folder, const char *name, const char *mode)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, mode);
	if (!file && (*mode != 'r' || errno != ENOENT))
		ksft_exit_fail_msg("%s: %s\n", path, strerror(errno));
	return file;
}

static void read_untagged(struct books *books, const char *folder)
{
	FILE *file = open_file(folder, "untagged", "r");
	unsigned long long ptr, bytes;

	while (file && fscanf(file, "%llx %llu", &ptr, &bytes) == 2)
		for (uint64_t at = 0; at < bytes; at += books->constants.page_size)
			find_frame(books, ptr + at)->untagged = true;
	if (file)
		fclose(file);
}

static bool is_older_in_use(const struct books *books, uint64_t at)
{
	const struct frame *frame = &books->frames[at];

	return at < books->high && frame->live > 0 && !frame->site &&
	       !find_tag(books, (books->first_frame + at) *
				books->constants.page_size);
}

/*
 * memblock allocated the gigantic pages of hugetlb. Some kernels don't reserve these: they
 * are as many neighbouring pages as the page allocator can't allocate.
 */
static void enter_gigantic(const struct books *books)
{
	const uint64_t gigantic = (1 << 30) / books->constants.page_size;
	uint64_t from = books->low;

	for (uint64_t at = books->low; at <= books->high; at++) {
		if (is_older_in_use(books, at))
			continue;
		if (at - from >= gigantic)
			for (; from < at; from++)
				books->frames[from].untagged = true;
		from = at + 1;
	}
}

void close_books(const struct books *books, const char *folder)
{
	const uint64_t page_size = books->constants.page_size;
	FILE *file = open_file(folder, "untagged", "w");
	uint64_t from = books->low;

	if (books->nr_tags)
		enter_gigantic(books);
	for (uint64_t at = books->low; at <= books->high; at++) {
		if (at < books->high && books->frames[at].untagged)
			continue;
		if (at > from)
			fprintf(file, "%llx %llu\n",
				(unsigned long long)(books->first_frame + from) *
				page_size, (unsigned long long)(at - from) *
				page_size);
		from = at + 1;
	}
	if (fclose(file))
		ksft_exit_fail_msg("untagged: %s\n", strerror(errno));
}

void open_books(struct books *books, const char *folder, bool from_boot,
		unsigned int one_of)
{
	/* Kernels without profiling have none. */
	FILE *tags = from_boot ? open_file(folder, "tags", "r") : NULL;

	memset(books, 0, sizeof(*books));
	books->from_boot = from_boot;
	books->one_of = one_of;
	books->low = FRAMES;
	read_constants(&books->constants, open_file(folder, "constants", "r"));
	books->objects = zeroed(BUCKETS, sizeof(*books->objects));
	books->frames = zeroed(FRAMES, sizeof(*books->frames));
	if (tags)
		read_tags(books, tags);
	else if (!from_boot)
		read_untagged(books, folder);
}
