// SPDX-License-Identifier: GPL-2.0
/*
 * own.c - find the self-allocations of a boot: pages of the buffers of kmemtrace
 *
 * While a boot is traced, it allocates the buffers of the CPUs that it brings up, page by
 * page. Once a buffer is complete, the trace has a record that names its pages. The stream
 * of the CPU that boots is read ahead until all CPUs are up, so that these pages never
 * count as memory of the traced kernel.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "read/own.h"

/* Records between two calls of context_check(). */
#define CHECK_RECORDS	(1 << 16)
/* Pages of a buffer; of a larger one, only the last pages are recognised. */
#define MAX_ALLOCS	(1 << 19)

/**
 * struct alloc - an allocation of one page
 * @page: the page
 * @nr: number of the allocation
 * @is_own: the page is part of a buffer
 */
struct alloc {
	struct own_page page;
	size_t nr;
	bool is_own;
};

/* Addresses from @first to @last. */
struct buffer_range {
	uint64_t first, last;
};

/**
 * struct ahead - the records that were read ahead
 * @ctx: the context of the trace
 * @allocs: the last allocations of single pages
 * @next: number of the next allocation
 * @ranges: the addresses that later records report as buffers
 */
struct ahead {
	struct context *ctx;
	struct alloc *allocs;
	size_t nr_allocs, room_allocs;
	size_t next;
	struct buffer_range *ranges;
	size_t nr_ranges, room_ranges;
};

/* ---- ranges ---- */

static int by_page(const void *left, const void *right)
{
	const struct alloc *a = left, *b = right;

	if (a->page.ptr != b->page.ptr)
		return a->page.ptr < b->page.ptr ? -1 : 1;
	return a->nr < b->nr ? -1 : 1;
}

static int by_nr(const void *left, const void *right)
{
	const struct alloc *a = left, *b = right;

	return a->nr < b->nr ? -1 : 1;
}

static int by_first(const void *left, const void *right)
{
	const struct buffer_range *a = left, *b = right;

	return (a->first > b->first) - (a->first < b->first);
}

/* Mark the pages of buffers; of several allocations of a page, the last one. */
static void mark(struct ahead *a)
{
	uint64_t last = 0;
	size_t i, r = 0;

	qsort(a->allocs, a->nr_allocs, sizeof(*a->allocs), by_page);
	qsort(a->ranges, a->nr_ranges, sizeof(*a->ranges), by_first);
	for (i = 0; i < a->nr_allocs; i++) {
		struct alloc *alloc = &a->allocs[i];

		for (; r < a->nr_ranges && a->ranges[r].first <= alloc->page.ptr; r++)
			if (a->ranges[r].last > last)
				last = a->ranges[r].last;
		alloc->is_own = r && alloc->page.ptr <= last &&
				(i + 1 == a->nr_allocs ||
				 alloc[1].page.ptr != alloc->page.ptr);
	}
	qsort(a->allocs, a->nr_allocs, sizeof(*a->allocs), by_nr);
}

static int add_page(struct own *own, struct context *ctx, const struct own_page *page)
{
	struct own_page *pages;

	pages = context_grow_list(ctx, own->pages, own->nr, sizeof(*pages));
	if (!pages)
		return -ENOMEM;
	own->pages = pages;
	pages[own->nr++] = *page;
	return 0;
}

/* Keep the buffers' pages, once all ranges that follow the allocations are known. */
static int keep_pages_of_buffers(struct own *own, struct ahead *a)
{
	int ret = 0;
	size_t i;

	if (!a->nr_ranges || !a->nr_allocs)
		return 0;
	mark(a);
	for (i = 0; !ret && i < a->nr_allocs; i++)
		if (a->allocs[i].is_own)
			ret = add_page(own, a->ctx, &a->allocs[i].page);
	a->nr_allocs = 0;
	a->nr_ranges = 0;
	return ret;
}

/* ---- records ---- */

static void forget_half(struct ahead *a)
{
	a->nr_allocs /= 2;
	memmove(a->allocs, a->allocs + a->nr_allocs,
		a->nr_allocs * sizeof(*a->allocs));
}

static int add_alloc(struct ahead *a, const struct kmemtrace_event *ev)
{
	struct alloc *allocs;
	size_t room;

	if (a->nr_allocs == MAX_ALLOCS)
		forget_half(a);
	if (a->nr_allocs == a->room_allocs) {
		room = a->room_allocs ? 2 * a->room_allocs : 1024;
		allocs = context_realloc(a->ctx, a->allocs, room, sizeof(*allocs));
		if (!allocs)
			return -ENOMEM;
		a->allocs = allocs;
		a->room_allocs = room;
	}
	a->allocs[a->nr_allocs++] = (struct alloc) {
		.page = { ev->ptr, ev->timestamp },
		.nr = a->next++,
	};
	return 0;
}

static int add_range(struct ahead *a, const struct kmemtrace_snapshot_pages *pages)
{
	struct buffer_range *ranges;
	size_t room;

	if (!a->nr_allocs || a->nr_ranges == MAX_ALLOCS || !pages->bytes ||
	    pages->bytes - 1 > UINT64_MAX - pages->ptr)
		return 0;
	if (a->nr_ranges == a->room_ranges) {
		room = a->room_ranges ? 2 * a->room_ranges : 16;
		ranges = context_realloc(a->ctx, a->ranges, room, sizeof(*ranges));
		if (!ranges)
			return -ENOMEM;
		a->ranges = ranges;
		a->room_ranges = room;
	}
	a->ranges[a->nr_ranges++] = (struct buffer_range) {
		pages->ptr, pages->ptr + pages->bytes - 1,
	};
	return 0;
}

static int take(struct own *own, struct ahead *a,
		const struct kmemtrace_event *ev, uint64_t page_size)
{
	const struct kmemtrace_snapshot_pages *pages = (const void *)ev;
	int ret;

	if (ev->type_id != KMEMTRACE_TYPE_PAGES)
		return 0;
	if (ev->event_id == KMEMTRACE_EVENT_ALLOC &&
	    ev->bytes_alloc == page_size) {
		ret = keep_pages_of_buffers(own, a);
		return ret ? ret : add_alloc(a, ev);
	}
	if (ev->event_id == KMEMTRACE_EVENT_SNAPSHOT &&
	    pages->state == KMEMTRACE_FRAMES_OWN)
		return add_range(a, pages);
	return 0;
}

static bool begins(const struct reader *r, unsigned int phase)
{
	return r->rec.ev->event_id == KMEMTRACE_EVENT_PHASE &&
	       r->rec.ev->type_id >= phase;
}

/* Return whether it is the stream of the CPU that boots, by the record after the clock. */
static bool is_stream_of_boot(struct reader *r)
{
	return reader_next(r) > 0 &&
	       r->rec.ev->event_id == KMEMTRACE_EVENT_CLOCK &&
	       reader_next(r) > 0 && begins(r, KMEMTRACE_PHASE_ARMED);
}

/* Return 1 if this is the stream of the CPU that boots, 0 if not, or -errno. */
static int find_in(struct own *own, struct reader *r, uint64_t page_size)
{
	struct ahead a = { .ctx = r->ctx };
	size_t nr = 0;
	int ret = 0;

	if (!is_stream_of_boot(r))
		return 0;
	while (!ret && reader_next(r) > 0 && !begins(r, KMEMTRACE_PHASE_SMP)) {
		ret = take(own, &a, r->rec.ev, page_size);
		if (!ret && ++nr % CHECK_RECORDS == 0)
			ret = context_check(r->ctx);
	}
	if (!ret)
		ret = keep_pages_of_buffers(own, &a);
	free(a.allocs);
	free(a.ranges);
	return ret ? ret : 1;
}

/**
 * own_find - read a boot ahead until all CPUs are up
 * @own: result; own_free() it also after an error
 * @s: the streams, at their beginning, where they are again afterwards
 * @page_size: bytes
 *
 * Finds nothing in a trace that doesn't begin with the boot. A damaged stream is not
 * reported: the reading that follows does that.
 *
 * Return: 0, or -errno after a message.
 */
int own_find(struct own *own, struct streams *s, uint64_t page_size)
{
	int err, ret = 0;
	size_t i;

	*own = (struct own) { .nr = 0 };
	for (i = 0; !ret && i < s->nr; i++) {
		ret = find_in(own, &s->readers[i], page_size);
		err = reader_rewind(&s->readers[i]);
		if (err)
			ret = err;
	}
	return ret < 0 ? ret : 0;
}

static bool is_page(const struct own_page *page, const struct kmemtrace_event *ev)
{
	return page->ptr == ev->ptr && page->timestamp == ev->timestamp;
}

/**
 * own_has - check whether the allocation of a page belongs to a buffer
 * @own: the pages of buffers
 * @ev: the next allocation, or the same as in the last call
 *
 * Return: whether it is.
 */
bool own_has(struct own *own, const struct kmemtrace_event *ev)
{
	if (own->last < own->nr && is_page(&own->pages[own->last], ev))
		return true;
	if (own->last + 1 >= own->nr || !is_page(&own->pages[own->last + 1], ev))
		return false;
	own->last++;
	return true;
}

/* Release the pages. */
void own_free(struct own *own)
{
	free(own->pages);
	*own = (struct own) { .nr = 0 };
}
