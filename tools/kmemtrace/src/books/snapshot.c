// SPDX-License-Identifier: GPL-2.0
/*
 * What was live when tracing began: the snapshot goes into the ledger.
 *
 * The kernel records events already while it takes the snapshot. It records a
 * free before the memory is released, and an allocation after it was obtained:
 * whatever an event said of an object or a frame is newer than the snapshot, or
 * as good as that. So the snapshot only speaks of what is unknown.
 */
#include "config.h"

#include <assert.h>

#include "books/books.h"
#include "books/live.h"
#include "books/snapshot.h"

/* Frames of all records: 16 TB in pages of 4 kB. */
#define MAX_FRAMES		LIMIT(UINT64_C(1) << 32, 1 << 16)
/* A buffer of kmemtrace's is no larger. */
#define MAX_BUFFER		UINT32_MAX
/* A slab has no more, unless slab_max_order= was raised: mm/slub.c. */
#define MAX_SLAB_FRAMES		8

/* Which of the two interfaces a slab object came by isn't known. */
static bool hides(struct ledger *l, enum space space, const struct record *rec,
		  uint64_t site, uint64_t class)
{
	return selection_hides(l->selection, &(struct candidate) {
		.site = site,
		.time = INT64_MIN,
		.cache = class_cache(class),
		.cpu = UNKNOWN_CPU,
		.type = space == SPACE_SLAB ? SLOT_ANY_TYPE : rec->ev->type_id,
	});
}

/* Objects of @size in @cache, or frames, that no event allocated. */
static struct slot snapshot_slot(struct ledger *l, enum space space,
				 const struct record *rec, unsigned int cpu,
				 uint64_t site, uint64_t class)
{
	struct kind kind = {
		.site = site,
		.class = class,
		.rest = KIND_OLDER | space,
	};
	struct slot slot = {
		.time = rec->time,
		.cpu = cpu,
		.type = SLOT_ANY_TYPE,
		.state = SLOT_LIVE,
		.first = 1,
		.snapshot = 1,
	};

	if (l->selection && hides(l, space, rec, site, class))
		kind.rest |= KIND_HIDDEN;
	slot.kind = kinds_index(&l->kinds, &kind);
	books_fit(l);
	return slot;
}

/*
 * Does an event wait that came before, by the order of the CPU which took the snapshot?
 * It speaks for itself.
 */
static bool is_awaited(const struct shard *s, enum space space, uint64_t ptr,
		       unsigned int cpu)
{
	const struct change *w;

	for (w = s->waiting; w < s->waiting + s->nr_waiting; w++)
		if (w->cpu == cpu && w->space == space &&
		    (space == SPACE_PAGES ? ptr - w->ptr < w->alloc :
					    ptr == w->ptr))
			return true;
	return false;
}

static void object_was_live(struct ledger *l, enum space space, uint64_t ptr,
			    const struct slot *slot)
{
	struct job j = books_job(l, ledger_shard_of(l, ptr));
	struct object *obj = objects_get(&j.s->objects[space], ptr, slot->time);

	if (obj->slot.state != SLOT_UNKNOWN ||
	    is_awaited(j.s, space, ptr, slot->cpu))
		return;
	obj->slot = *slot;
	live_object(&j, space, obj, 1);
}

/**
 * struct span - frames that share a slot
 * @j: of their shard
 * @pfn: number of the first
 * @nr: how many
 * @slot: theirs
 */
struct span {
	struct job j;
	uint64_t pfn, nr;
	struct slot *slot;
};

/* Those that begin at @pfn, of frames up to @end. */
static struct span span_of(struct ledger *l, uint64_t pfn, uint64_t end)
{
	struct span s = {
		.j = books_job(l, ledger_shard_of(l, pfn << l->page_shift)),
		.pfn = pfn,
		.nr = FRAMES_PER_CHUNK,
	};

	if (pfn % FRAMES_PER_CHUNK == 0 && end - pfn >= FRAMES_PER_CHUNK &&
	    !s.j.s->nr_waiting)
		s.slot = frames_whole(&s.j.s->frames, pfn);
	if (!s.slot) {
		s.slot = frames_get(&s.j.s->frames, pfn);
		s.nr = 1;
	}
	return s;
}

static void mark_slab(struct ledger *l, uint64_t first, uint64_t last)
{
	uint64_t pfn = first >> l->page_shift;
	uint64_t end = (last >> l->page_shift) + 1;

	while (pfn < end) {
		struct span s = span_of(l, pfn, end);

		s.slot->slab = 1;
		pfn += s.nr;
	}
}

/* Could the kernel have written this? The bits of the objects are there. */
static bool slab_possible(const struct ledger *l, const struct record *rec)
{
	const struct kmemtrace_snapshot_slab *slab = (const void *)rec->ev;
	uint64_t max = l->page_size << LIVE_MAX_ORDER;

	return slab->ptr && slab->objects && slab->size &&
	       slab->size <= max && slab->objects <= max / slab->size &&
	       slab->ptr <= UINT64_MAX - slab->objects * slab->size &&
	       slab->object_size && slab->object_size <= slab->size &&
	       slab->objects <= rec->tail_size / sizeof(*slab->live) * 64;
}

static bool take_slab(struct ledger *l, const struct record *rec,
		      unsigned int cpu)
{
	const struct kmemtrace_snapshot_slab *slab = (const void *)rec->ev;
	struct slot slot;
	uint32_t cache;
	uint64_t i;

	if (!slab_possible(l, rec))
		return false;
	cache = caches_index(&l->caches, slab->cache);
	slot = snapshot_slot(l, SPACE_SLAB, rec, cpu, SITE_SNAPSHOT,
			     class_key(cache, slab->size));
	slot.spare = slab->size - slab->object_size;
	for (i = 0; i < slab->objects; i++)
		if (record_word(rec, i / 64) >> i % 64 & 1)
			object_was_live(l, SPACE_SLAB,
					slab->ptr + i * slab->size, &slot);
	mark_slab(l, slab->ptr, slab->ptr + slab->objects * slab->size - 1);
	return true;
}

/*
 * What is reserved, or kmemtrace's own, is told of once more; of all others, only what
 * isn't known is taken.
 */
static void take_span(struct span *s, const struct slot *new)
{
	struct slot old = *s->slot;

	if (!new->reserved && new->type != SLOT_OWN_TYPE &&
	    (old.state != SLOT_UNKNOWN ||
	     is_awaited(s->j.s, SPACE_PAGES, s->pfn << s->j.l->page_shift,
			new->cpu)))
		return;
	if (old.state == SLOT_LIVE)
		live_frames(&s->j, &old, -(int64_t)s->nr);
	*s->slot = *new;
	s->slot->objects = old.objects;
	s->slot->slab = old.slab;
	if (new->state == SLOT_LIVE)
		live_frames(&s->j, new, s->nr);
}

static void take_frames(struct ledger *l, uint64_t pfn, uint64_t nr,
			const struct slot *new)
{
	uint64_t end = pfn + nr;

	while (pfn < end) {
		struct span s = span_of(l, pfn, end);

		take_span(&s, new);
		pfn += s.nr;
	}
}

/* How a state that the kernel names is one of a slot. */
static const struct frame_state {
	enum slot_state state;
	bool reserved;
	uint64_t site;
} frame_states[] = {
	[KMEMTRACE_FRAMES_LIVE] = { SLOT_LIVE, false, SITE_SNAPSHOT },
	[KMEMTRACE_FRAMES_FREE] = { SLOT_FREED, false, SITE_SNAPSHOT },
	[KMEMTRACE_FRAMES_RESERVED] = { SLOT_LIVE, true, SITE_RESERVED },
	[KMEMTRACE_FRAMES_OWN] = { SLOT_LIVE, false, SITE_SNAPSHOT },
};

#define NR_FRAME_STATES	(sizeof(frame_states) / sizeof(*frame_states))

static bool pages_possible(const struct ledger *l,
			   const struct kmemtrace_snapshot_pages *pages)
{
	uint64_t nr = pages->bytes >> l->page_shift;

	return pages->ptr % l->page_size == 0 &&
	       nr && pages->bytes % l->page_size == 0 &&
	       pages->bytes - 1 <= UINT64_MAX - pages->ptr &&
	       nr <= SNAPSHOT_MAX_FRAMES &&
	       nr <= MAX_FRAMES - l->snapshot_frames &&
	       pages->state && pages->state < NR_FRAME_STATES &&
	       (pages->state != KMEMTRACE_FRAMES_OWN ||
		pages->bytes <= MAX_BUFFER);
}

static bool take_pages(struct ledger *l, const struct record *rec,
		       unsigned int cpu)
{
	const struct kmemtrace_snapshot_pages *pages = (const void *)rec->ev;
	uint64_t nr = pages->bytes >> l->page_shift;
	const struct frame_state *state;
	struct slot slot;

	if (!pages_possible(l, pages))
		return false;
	state = &frame_states[pages->state];
	slot = snapshot_slot(l, SPACE_PAGES, rec, cpu, state->site,
			     class_key(NO_CACHE, 0));
	slot.state = state->state;
	slot.reserved = state->reserved;
	l->snapshot_frames += nr;
	nodes_add(&l->nodes, &(struct node_range) {
		.first = pages->ptr,
		.last = pages->ptr + (pages->bytes - 1),
		.node = pages->node,
	});
	if (pages->state == KMEMTRACE_FRAMES_OWN)
		slot.type = SLOT_OWN_TYPE;
	take_frames(l, pages->ptr >> l->page_shift, nr, &slot);
	return true;
}

static bool take_object(struct ledger *l, const struct record *rec,
			unsigned int cpu)
{
	const struct kmemtrace_event *ev = rec->ev;
	enum space space = live_space(ev->type_id);
	struct slot slot;

	if (!live_object_possible(space, ev->ptr, ev->bytes_req,
				  ev->bytes_alloc))
		return false;
	slot = snapshot_slot(l, space, rec, cpu, ev->call_site,
			     class_key(NO_CACHE, ev->bytes_alloc));
	slot.spare = (int32_t)(ev->bytes_alloc - ev->bytes_req);
	object_was_live(l, space, ev->ptr, &slot);
	return true;
}

/* See struct objects. */
static void keep_freed(struct ledger *l, bool keep)
{
	int i, space;

	for (i = 0; i < NR_SHARDS; i++)
		for (space = 0; space < NR_SPACES; space++)
			l->shards[i].objects[space].keep_freed = keep;
}

/*
 * A snapshot follows the first clock. It doesn't know that what waits in KASAN's
 * quarantine was freed; that must not be forgotten.
 */
void snapshot_follows(struct ledger *l)
{
	if (!l->stats.baseline.complete)
		keep_freed(l, true);
}

/* From here on it is known what there was; what was not known so far was. */
static bool take_end(struct ledger *l, const struct record *rec,
		     unsigned int cpu)
{
	const struct kmemtrace_snapshot_end *end = (const void *)rec->ev;
	struct baseline *b = &l->stats.baseline;
	int i;

	(void)cpu;
	if (b->complete)
		return true;
	b->complete = true;
	b->end = rec->time;
	b->unsure = end->unsure;
	l->unsure_frames = end->unsure <= MAX_FRAMES ?
			   end->unsure * MAX_SLAB_FRAMES : MAX_FRAMES;
	for (i = 0; i < NR_SPACES; i++)
		b->at_end[i] = books_older(l, i);
	keep_freed(l, false);
	stats_explain(&l->stats, FINDING_FREE_UNKNOWN, b->freed_during);
	return true;
}

static bool (* const kinds[])(struct ledger *l, const struct record *rec,
			      unsigned int cpu) = {
	[KMEMTRACE_TYPE_CACHE] = take_slab,
	[KMEMTRACE_TYPE_PAGES] = take_pages,
	[KMEMTRACE_TYPE_PERCPU] = take_object,
	[KMEMTRACE_TYPE_VMALLOC] = take_object,
	[KMEMTRACE_TYPE_END] = take_end,
};

/* Is it a record of the snapshot that this program knows? */
bool snapshot_is_known(const struct record *rec)
{
	static_assert(KMEMTRACE_TYPE_END == UINT8_MAX, "a row for each type");

	return kinds[rec->ev->type_id];
}

/**
 * snapshot_record - take in one record of the snapshot
 * @l: the ledger
 * @rec: KMEMTRACE_EVENT_SNAPSHOT, of a kind that is known
 * @cpu: whose stream it is from
 *
 * Return: false when no kernel could have written it.
 */
bool snapshot_record(struct ledger *l, const struct record *rec,
		     unsigned int cpu)
{
	l->stats.baseline.begun = true;
	return kinds[rec->ev->type_id](l, rec, cpu);
}
