// SPDX-License-Identifier: GPL-2.0
/*
 * Books of what is live. Whatever profiling charges otherwise is decided by what
 * the trace says of the memory, see charge_of().
 *
 * Two CPUs may stamp what they do to one object in the wrong order. So an object
 * may be live twice for a moment, or less than not at all; what counts is that
 * it adds up.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kselftest.h"
#include "accounting_books.h"

#define BUCKETS		0x100000UL	/* a power of two, see find_object() */
#define FRAMES		0x4000000UL	/* 256 GiB of pages of 4 KiB */

/* One hand-out. */
struct grant {
	uint64_t site;
	int64_t bytes, charge;
	enum reason reason;
	struct cache *cache;
};

/* At most two grants of an object are open at a time, the older one first. */
struct object {
	struct object *next;
	uint64_t ptr;
	enum space space;
	bool seen;		/* something but the snapshot told of it */
	int live;
	struct grant grants[2];
};

/*
 * A page frame; @tagged: how often it has to be uncharged; @seen: it was in a
 * record; @untagged: memblock gave it out before there were tags, and it is in use
 * still.
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
		{ "slab_no_obj_ext",	&constants->slab_no_obj_ext },
		{ "slab_noleaktrace",	&constants->slab_noleaktrace },
		{ "slab_kmalloc",	&constants->slab_kmalloc },
		{ "gfp_no_obj_ext",	&constants->gfp_no_obj_ext },
		{ "percpu_granule",	&constants->percpu_granule },
		{ "percpu_extra",	&constants->percpu_extra },
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
		ksft_exit_fail_msg("constants: some are missing\n");
	fclose(file);
}

/* ---- caches ---- */

/* The one that has this address now. */
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

/* Who merges with a cache gives it another name, but not to all its objects. */
static void enter_cache(struct books *books, const struct kmemtrace_cache *record)
{
	struct cache *cache = find_cache(books, record->cache);

	if (!cache->known)
		snprintf(cache->name, sizeof(cache->name), "%.*s",
			 (int)(record->event_size - sizeof(*record)), record->name);
	cache->known = true;
	/* Who merges with it may make it larger, and allocate before this record. */
	if (cache->odd_size == record->object_size)
		cache->odd = 0;
	cache->object_size = record->object_size;
	cache->size = record->size;
	cache->flags = record->flags;
	cache->gone = record->op == KMEMTRACE_CACHE_DESTROYED;
}

/* kmem_cache_alloc() gives objects of one size, and only kmalloc() has caches. */
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

/* ---- what is charged ---- */

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

/* As pcpu_obj_full_size(): with the room for the memory cgroup of each granule. */
static int64_t percpu_charge(const struct books *books, uint64_t ptr,
			     uint64_t bytes, enum reason *reason)
{
	const struct constants *constants = &books->constants;
	uint64_t size = bytes / constants->possible_cpus;

	if (ptr < constants->percpu_unit) {
		*reason = FIRST_CHUNK;
		return 0;
	}
	return bytes + size / constants->percpu_granule * constants->percpu_extra;
}

static struct grant grant_of(struct books *books, enum space space, uint64_t ptr,
			     uint64_t bytes, uint64_t cache, uint64_t gfp)
{
	struct grant grant = { .bytes = bytes };

	switch (space) {
	case SLAB:
		grant.cache = cache ? find_cache(books, cache) : NULL;
		grant.charge = slab_charge(books, grant.cache, gfp,
					   &grant.reason);
		break;
	case PERCPU:
		grant.charge = percpu_charge(books, ptr, bytes, &grant.reason);
		break;
	default:
		grant.reason = IN_PAGES;
	}
	return grant;
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

static void tell(const struct books *books, const struct object *object,
		 const struct grant *grant, int objects, uint64_t time,
		 change_fn changed, void *data)
{
	const struct constants *constants = &books->constants;
	const struct change change = {
		.time = time,
		.space = object->space,
		.reason = grant->reason,
		.objects = objects,
		.bytes = objects * grant->bytes,
		.charge = objects * grant->charge,
		.ptr = object->ptr,
		.site = grant->site,
		.cache = grant->cache,
		.kfence = object->ptr - constants->kfence_start <
			  constants->kfence_size,
	};

	changed(data, &change);
}

/* It isn't of @change's site, but of @site. */
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
			 const struct grant *grant, uint64_t time,
			 change_fn changed, void *data)
{
	/* It was obtained before the snapshot, and recorded after. */
	if (object->live && !object->seen) {
		move((struct change) {
			.time = time,
			.space = object->space,
			.charge = object->grants[0].charge,
			.ptr = object->ptr,
		}, grant->site, changed, data);
		object->seen = true;
		object->grants[0].site = grant->site;
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
		object->grants[object->live] = *grant;
	object->live++;
	tell(books, object, grant, 1, time, changed, data);
	/* It was taken back before. */
	if (object->live == 0)
		tell(books, object, grant, -1, time, changed, data);
}

static void free_object(struct books *books, struct object *object, uint64_t time,
			change_fn changed, void *data)
{
	/* It was live when the trace began, and gone before the snapshot. */
	if (!object->seen && !object->live && !books->complete) {
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
	tell(books, object, &object->grants[0], -1, time, changed, data);
	object->grants[0] = object->grants[1];
}

/* What was recorded of an object is newer than what the snapshot says. */
static void snap_object(struct books *books, enum space space, uint64_t ptr,
			const struct grant *grant, uint64_t time,
			change_fn changed, void *data)
{
	struct object *object = find_object(books, space, ptr);

	if (object->seen || object->live)
		return;
	object->live = 1;
	object->grants[0] = *grant;
	tell(books, object, grant, 1, time, changed, data);
}

/* ---- page frames ---- */

static struct frame *find_frame(struct books *books, uint64_t ptr)
{
	const uint64_t page_size = books->constants.page_size;

	/* The linear map begins at a multiple of 1 GiB; leave room before. */
	if (!books->first_frame)
		books->first_frame = (ptr & ~((1ULL << 37) - 1)) / page_size;
	ptr = ptr / page_size - books->first_frame;
	if (ptr >= FRAMES)
		ksft_exit_fail_msg("a page far away\n");
	if (ptr < books->low)
		books->low = ptr;
	if (ptr >= books->high)
		books->high = ptr + 1;
	return &books->frames[ptr];
}

/* Neighbours that are the same are told of in one. */
static void tell_pages(const struct books *books, const struct frame *like,
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

/* The pages of a large kmalloc() are charged to who called that. */
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
		/* The free that comes next finds it at its new site. */
		move_frame(books, frame, event->ptr + at, event->call_site, time,
			   changed, data);
		frame->live++;
		frame->tagged++;
		frame->seen = true;
		frame->untagged = false;
	}
	if (frame)
		tell_pages(books, frame, 1, 1, event->ptr,
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
		tell_pages(books, &was, frame->live - was.live,
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

/* The kernel gives tags to what is allocated behind page_ext_init(). */
static bool is_charged(const struct books *books, uint64_t ptr)
{
	const struct tag *tag = find_tag(books, ptr);

	return tag && tag->site;
}

/*
 * What a snapshot finds in use has a tag, unless memblock gave it out, or it was in
 * use already when a trace began with the kernel and there were none yet.
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

		if (frame->seen && !reserved)
			continue;
		frame->seen = !reserved;
		frame->live = live;
		if (reserved && books->from_boot)
			frame->untagged = true;
		frame->tagged = live && !frame->untagged &&
				(!books->from_boot ||
				 is_charged(books, record->ptr + at));
		tell_pages(books, frame, live, frame->tagged, record->ptr + at, 1,
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
	struct grant grant;

	if (space == PAGES) {
		alloc_pages(books, event, time, changed, data);
		return;
	}
	grant = grant_of(books, space, event->ptr, event->bytes_alloc,
			 cache_of(event), event->gfp_flags);
	grant.site = event->call_site;
	if (grant.cache)
		check_kind(books, grant.cache, event);
	if (grant.reason == IN_PAGES && space == SLAB)
		move_pages(books, event, time, changed, data);
	alloc_object(books, find_object(books, space, event->ptr), &grant, time,
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
	struct grant grant = grant_of(books, SLAB, record->ptr, record->size,
				      record->cache, 0);

	for (uint64_t i = 0; i < record->objects; i++)
		if (record->live[i / 64] >> i % 64 & 1)
			snap_object(books, SLAB, record->ptr + i * record->size,
				    &grant, time, changed, data);
}

static void enter_snapshot(struct books *books,
			   const struct kmemtrace_event *event, uint64_t time,
			   change_fn changed, void *data)
{
	struct grant grant;

	switch (event->type_id) {
	case KMEMTRACE_TYPE_CACHE:
		snap_slab(books, (const void *)event, time, changed, data);
		break;
	case KMEMTRACE_TYPE_PAGES:
		snap_pages(books, (const void *)event, time, changed, data);
		break;
	case KMEMTRACE_TYPE_PERCPU:
	case KMEMTRACE_TYPE_VMALLOC:
		grant = grant_of(books, space_of(event), event->ptr,
				 event->bytes_alloc, 0, 0);
		snap_object(books, space_of(event), event->ptr, &grant, time,
			    changed, data);
		break;
	case KMEMTRACE_TYPE_END:
		books->complete = true;
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
	/* Room for twice as many whenever it is a power of two. */
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
		ksft_exit_fail_msg("tags: some are missing\n");
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

/* ---- from one trace to the next ---- */

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

void close_books(const struct books *books, const char *folder)
{
	const uint64_t page_size = books->constants.page_size;
	FILE *file = open_file(folder, "untagged", "w");
	uint64_t from = books->low;

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

void open_books(struct books *books, const char *folder, bool from_boot)
{
	memset(books, 0, sizeof(*books));
	books->from_boot = from_boot;
	books->low = FRAMES;
	read_constants(&books->constants, open_file(folder, "constants", "r"));
	books->objects = zeroed(BUCKETS, sizeof(*books->objects));
	books->frames = zeroed(FRAMES, sizeof(*books->frames));
	if (from_boot)
		read_tags(books, open_file(folder, "tags", "r"));
	else
		read_untagged(books, folder);
}
