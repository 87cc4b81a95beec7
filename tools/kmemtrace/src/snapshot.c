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

#include "live.h"
#include "snapshot.h"

/* Frames of one record, and of all: 4 TB and 16 TB in pages of 4 kB. */
#define MAX_RECORD_FRAMES	(UINT64_C(1) << 30)
#define MAX_FRAMES		(UINT64_C(1) << 32)
/* A buffer of kmemtrace's is no larger. */
#define MAX_BUFFER		UINT32_MAX
/* A slab has no more, unless slab_max_order= was raised: mm/slub.c. */
#define MAX_SLAB_FRAMES		8

static struct slot snapshot_slot(struct ledger *l, enum space space,
				 const struct kmemtrace_event *ev,
				 unsigned int cpu, uint64_t site)
{
	return (struct slot) {
		.time = ev->timestamp,
		.site = table_index(&l->stats.sites[space], site),
		.cpu = cpu,
		.type = SLOT_ANY_TYPE,
		.state = SLOT_LIVE,
		.first = 1,
		.snapshot = 1,
	};
}

static void object_was_live(struct ledger *l, enum space space, uint64_t ptr,
			    const struct slot *slot)
{
	struct object *obj = objects_get(&l->objects[space], ptr, slot->time);

	if (obj->slot.state != SLOT_UNKNOWN)
		return;
	obj->slot = *slot;
	live_object(l, space, obj, 1);
}

static void mark_slab(struct ledger *l, uint64_t first, uint64_t last)
{
	uint64_t pfn;

	for (pfn = first >> l->page_shift; pfn <= last >> l->page_shift; pfn++)
		frames_get(&l->frames, pfn)->slab = 1;
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
	slot = snapshot_slot(l, SPACE_SLAB, rec->ev, cpu, SITE_SNAPSHOT);
	slot.class = table_index(&l->stats.classes[SPACE_SLAB],
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
 * Returns how many frames it changes: one or none. What is reserved, or kmemtrace's
 * own, is told of once more.
 */
static uint64_t take_frame(struct ledger *l, struct slot *slot,
			   const struct slot *new)
{
	struct slot old = *slot;

	if (old.state != SLOT_UNKNOWN && !new->reserved &&
	    new->type != SLOT_OWN_TYPE)
		return 0;
	if (old.state == SLOT_LIVE)
		live_frames(l, &old, -1);
	*slot = *new;
	slot->objects = old.objects;
	slot->slab = old.slab;
	return 1;
}

/* The same for many frames; whole chunks of unknown ones share their state. */
static uint64_t take_frames(struct ledger *l, uint64_t pfn, uint64_t nr,
			    const struct slot *new)
{
	struct slot *uniform = NULL;
	uint64_t end = pfn + nr, taken = 0;

	while (pfn < end) {
		if (pfn % FRAMES_PER_CHUNK == 0 &&
		    end - pfn >= FRAMES_PER_CHUNK) {
			if (!uniform)
				uniform = frames_uniform(&l->frames, new);
			if (frames_share(&l->frames, pfn, uniform)) {
				taken += FRAMES_PER_CHUNK;
				pfn += FRAMES_PER_CHUNK;
				continue;
			}
		}
		taken += take_frame(l, frames_get(&l->frames, pfn++), new);
	}
	return taken;
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
	       nr <= MAX_RECORD_FRAMES &&
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
	slot = snapshot_slot(l, SPACE_PAGES, rec->ev, cpu, state->site);
	slot.state = state->state;
	slot.reserved = state->reserved;
	slot.class = table_index(&l->stats.classes[SPACE_PAGES],
				 class_key(NO_CACHE, 0));
	l->snapshot_frames += nr;
	if (pages->state == KMEMTRACE_FRAMES_OWN)
		slot.type = SLOT_OWN_TYPE;
	nr = take_frames(l, pages->ptr >> l->page_shift, nr, &slot);
	if (slot.state == SLOT_LIVE)
		live_frames(l, &slot, nr);
	return true;
}

static bool take_object(struct ledger *l, const struct record *rec,
			unsigned int cpu)
{
	const struct kmemtrace_event *ev = rec->ev;
	enum space space = live_space(ev->type_id);
	struct slot slot = snapshot_slot(l, space, ev, cpu, ev->call_site);

	if (!live_object_possible(space, ev->ptr, ev->bytes_req,
				  ev->bytes_alloc))
		return false;
	slot.class = table_index(&l->stats.classes[space],
				 class_key(NO_CACHE, ev->bytes_alloc));
	slot.spare = (int32_t)(ev->bytes_alloc - ev->bytes_req);
	object_was_live(l, space, ev->ptr, &slot);
	return true;
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
	b->end = end->timestamp;
	b->unsure = end->unsure;
	l->unsure_frames = end->unsure <= MAX_FRAMES ?
			   end->unsure * MAX_SLAB_FRAMES : MAX_FRAMES;
	for (i = 0; i < NR_SPACES; i++) {
		b->at_end[i] = l->stats.totals[i].older;
		l->objects[i].keep_freed = false;
	}
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
