// SPDX-License-Identifier: GPL-2.0
/*
 * snapshot.c - the snapshot of memory that was live when tracing began
 *
 * The kernel records events while it takes the snapshot. It records a free before it
 * releases the memory, and an allocation after it got the memory. So the state after an
 * event is as new as the snapshot's, or newer. The snapshot only sets unknown states.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "ledger/total.h"
#include "ledger/live.h"
#include "ledger/rules.h"
#include "ledger/sample.h"
#include "ledger/snapshot.h"
#include "ledger/timeline.h"
#include "common/booksfile.h"

/* Frames of all records: 16 TB in pages of 4 kB. */
#define MAX_FRAMES		(UINT64_C(1) << 32)
/* Bytes of kmemtrace's largest buffer. */
#define MAX_BUFFER		UINT32_MAX
/* Frames of the largest slab, unless slab_max_order= was raised: mm/slub.c. */
#define MAX_SLAB_FRAMES		8

/* Return whether the filter hides it. The interface that allocated an object is unknown. */
static bool hides_found(struct ledger *l, enum space space, const struct record *rec,
			const struct kind *kind)
{
	return selection_hides(l->selection, &(struct candidate) {
		.site = kind->site,
		.time = INT64_MIN,
		.cache = class_cache(kind->class),
		.cpu = UNKNOWN_CPU,
		.type = space == SPACE_SLAB ? SLOT_ANY_TYPE : rec->ev->type_id,
		.who = kind->who,
	});
}

/* Return who has memory, as the books know it; its record has that behind a first word. */
static uint64_t who_of_books(struct ledger *l, const struct record *rec)
{
	const uint64_t task = record_word(rec, 2), cgroup = record_word(rec, 3);
	const struct row *known;
	uint32_t i = task < NR_NO_TASKS ? task : TASK_UNKNOWN;

	if (!l->takes_books)
		return 0;
	known = table_find(&l->books_tasks, task);
	if (known)
		i = known->live;
	return who_key(who_path(&l->who, record_word(rec, 1)),
		       who_party(&l->who, i, who_cgroup(&l->who, cgroup)));
}

/*
 * Make the slot of objects or frames that no event allocated. Returns false without memory
 * for their kind.
 */
static bool make_slot(struct ledger *l, struct slot *slot, enum space space,
		      const struct record *rec, unsigned int cpu, uint64_t site,
		      uint64_t class)
{
	struct kind kind = {
		.site = site,
		.class = class,
		.rest = KIND_OLDER | space,
		.who = who_of_books(l, rec),
	};

	ledger_hide_kind(l, &kind, l->selection && hides_found(l, space, rec, &kind));
	*slot = (struct slot) {
		.time = l->is_behind ? l->begin : rec->time,
		.kind = kinds_index(&l->kinds, &kind),
		.cpu = cpu,
		.type = SLOT_ANY_TYPE,
		.state = SLOT_LIVE,
		.first = 1,
		.snapshot = 1,
	};
	return slot->kind != NO_KIND && !work_fit(l);
}

/* Put the kind of a sampled object into its group. Returns false without memory for it. */
static bool set_sample_group(struct ledger *l, struct slot *slot, uint64_t ptr)
{
	struct kind kind = *kinds_get(&l->kinds, slot->kind);

	kind_set_group(&kind, spread_group(ptr));
	slot->kind = kinds_index(&l->kinds, &kind);
	return slot->kind != NO_KIND && !work_fit(l);
}

/* ---- waiting events ---- */

/**
 * is_awaited - check whether a waiting event is about memory of the snapshot
 * @s: the shard
 * @space: the allocator
 * @at: number of the first frame in the shard; or address of the object
 * @nr: how many frames, at least one; result: for so many the answer is the same
 * @cpu: the CPU that took the snapshot
 * @page_shift: of the traced machine
 *
 * Return: whether an event of that CPU waits, which came before the snapshot.
 */
static bool is_awaited(const struct shard *s, enum space space, uint64_t at,
		       uint64_t *nr, unsigned int cpu, unsigned int page_shift)
{
	const struct waiter *w;
	uint64_t first, end;

	for (w = s->waiting; w < s->waiting + s->nr_waiting; w++) {
		if (w->c.cpu != cpu || w->c.space != space)
			continue;
		first = w->c.ptr;
		end = first + 1;
		if (space == SPACE_PAGES) {
			first = frame_local(first >> page_shift);
			end = first + (w->c.alloc >> page_shift);
		}
		if (at >= first && at < end) {
			*nr = end - at < *nr ? end - at : *nr;
			return true;
		}
		if (first > at && first - at < *nr)
			*nr = first - at;
	}
	return false;
}

/* ---- objects ---- */

/* Take an object of @bytes. The snapshot also has those that are not in the sample. */
static void object_was_live(struct ledger *l, enum space space, uint64_t ptr,
			    uint64_t bytes, struct slot *slot)
{
	struct object *obj;
	uint64_t one = 1;
	struct shard_work j;

	if (sample_applies(l, space, bytes) &&
	    (!kmemtrace_in_sample(ptr, l->one_of) || !set_sample_group(l, slot, ptr)))
		return;
	work_begin_alone(&j, l, ledger_shard_of(l, ptr));
	obj = objects_get(&j.s->objects[space], ptr, slot->time);
	if (obj->slot.state != SLOT_UNKNOWN ||
	    is_awaited(j.s, space, ptr, &one, slot->cpu, l->page_shift))
		return;
	obj->slot = *slot;
	rules_add_object(&j, space, ptr, slot, 1);
}

/* ---- frames ---- */

/**
 * struct found - what a record says of frames
 * @slot: their state
 * @replaces: it counts more than the state after an event
 */
struct found {
	struct slot slot;
	bool replaces;
};

/* Set the state of frames, if the record may do that. */
static void set_found_frames(struct shard_work *j, struct slot *slot, uint64_t pfn, uint64_t nr,
			     bool is_awaited, const struct found *found)
{
	const struct slot *new = &found->slot;
	const struct change end = {
		.time = new->time, .event = j->at, .cpu = new->cpu, .space = SPACE_PAGES,
	};
	struct slot old = *slot;
	/* The second record of kmemtrace's own frames corrects the first one. */
	bool corrects = old.snapshot && new->type == SLOT_OWN_TYPE;

	if (!found->replaces && (old.state != SLOT_UNKNOWN || is_awaited))
		return;
	if (old.state == SLOT_LIVE) {
		j->now = corrects ? CELLS_LIVE : cells_end_time(new->time);
		if (!corrects)
			lives_end(j, &end, &old, pfn << j->l->page_shift,
				  nr << j->l->page_shift);
		rules_add_frames(j, &old, -(int64_t)nr, NULL, false);
	}
	*slot = *new;
	slot->objects = old.objects;
	slot->slab = old.slab;
	if (new->state == SLOT_LIVE)
		rules_add_frames(j, new, nr, NULL, false);
}

/* Mark frames of a shard as those of a slab, or set their state if there is one. */
static void take_part(struct ledger *l, const struct block_part *part,
		      const struct found *found)
{
	uint64_t local = frame_local(part->pfn), end = local + part->nr, nr;
	struct frames_stretch stretch;
	bool awaited = false;
	struct shard_work j;

	work_begin_alone(&j, l, shard_of(part->pfn));
	for (; local < end; local += stretch.nr) {
		nr = end - local;
		if (found)
			awaited = is_awaited(j.s, SPACE_PAGES, local, &nr,
					     found->slot.cpu, l->page_shift);
		stretch = frames_stretch(&j.s->frames, local, nr);
		if (found)
			set_found_frames(&j, stretch.slot,
					 frame_global(shard_of(part->pfn), local), stretch.nr,
					 awaited, found);
		else
			stretch.slot->slab = 1;
	}
	frames_join(&j.s->frames, frame_local(part->pfn), part->nr);
}

/* The same for all frames of a block. */
static void take_found_block(struct ledger *l, uint64_t pfn, uint64_t nr,
			     const struct found *found)
{
	struct block_part part;
	unsigned int i;

	for (i = 0; i < NR_SHARDS; i++) {
		part = block_part(pfn, nr, i);
		if (!part.nr)
			break;
		take_part(l, &part, found);
	}
}

/* Mark the frames of slab objects. */
static void mark_slab(struct ledger *l, uint64_t ptr, uint64_t bytes)
{
	uint64_t first = ptr >> l->page_shift;
	uint64_t last = (ptr + bytes - 1) >> l->page_shift;

	take_found_block(l, first, last - first + 1, NULL);
}

/* ---- records ---- */

/* Return whether a kernel could have written it. If so, it has a bit for each object. */
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
	if (!make_slot(l, &slot, SPACE_SLAB, rec, cpu, SITE_SNAPSHOT,
		       class_key(cache, slab->size)))
		return true;
	slot.spare = slab->size - slab->object_size;
	for (i = 0; i < slab->objects; i++)
		if (record_word(rec, i / 64) >> i % 64 & 1)
			object_was_live(l, SPACE_SLAB,
					slab->ptr + i * slab->size, slab->size, &slot);
	mark_slab(l, slab->ptr, slab->objects * slab->size);
	return true;
}

/* Return the call site of frames; the books know those of live ones. */
static uint64_t site_of_pages(const struct ledger *l, const struct record *rec,
			      uint64_t otherwise)
{
	uint64_t site = l->takes_books ? record_word(rec, 0) : 0;

	return site && otherwise == SITE_SNAPSHOT ? site : otherwise;
}

/* The states of frames, as the state of a slot. */
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

static bool are_pages_possible(const struct ledger *l,
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

static bool take_snapshot_pages(struct ledger *l, const struct record *rec,
				unsigned int cpu)
{
	const struct kmemtrace_snapshot_pages *pages = (const void *)rec->ev;
	uint64_t nr = pages->bytes >> l->page_shift;
	const struct frame_state *state;
	struct found found;

	if (!are_pages_possible(l, pages))
		return false;
	state = &frame_states[pages->state];
	if (!make_slot(l, &found.slot, SPACE_PAGES, rec, cpu,
		       site_of_pages(l, rec, state->site), class_key(NO_CACHE, 0)))
		return true;
	found.slot.state = state->state;
	found.slot.reserved = state->reserved;
	found.replaces = pages->state == KMEMTRACE_FRAMES_OWN ||
			 (state->reserved && !pages->found);
	l->snapshot_frames += nr;
	nodes_add(&l->nodes, l->ctx, &(struct node_range) {
		.first = pages->ptr,
		.last = pages->ptr + (pages->bytes - 1),
		.node = pages->node,
	});
	if (pages->state == KMEMTRACE_FRAMES_OWN)
		found.slot.type = SLOT_OWN_TYPE;
	take_found_block(l, pages->ptr >> l->page_shift, nr, &found);
	return true;
}

static bool take_snapshot_object(struct ledger *l, const struct record *rec,
				 unsigned int cpu)
{
	const struct kmemtrace_event *ev = rec->ev;
	enum space space = live_space(ev->type_id);
	/* Only the books have slab objects one by one. */
	uint32_t cache = caches_index(&l->caches, space == SPACE_SLAB ? record_word(rec, 0) : 0);
	struct slot slot;

	if (!live_object_possible(space, ev->ptr, ev->bytes_req,
				  ev->bytes_alloc))
		return false;
	if (!make_slot(l, &slot, space, rec, cpu, ev->call_site,
		       class_key(cache, ev->bytes_alloc)))
		return true;
	slot.spare = (int32_t)(ev->bytes_alloc - ev->bytes_req);
	object_was_live(l, space, ev->ptr, ev->bytes_alloc, &slot);
	if (cache != NO_CACHE && ev->bytes_alloc - 1 < l->page_size << LIVE_MAX_ORDER &&
	    ev->bytes_alloc - 1 <= UINT64_MAX - ev->ptr)
		mark_slab(l, ev->ptr, ev->bytes_alloc);
	return true;
}

/* Set @keep_freed of all objects. */
static void keep_freed(struct ledger *l, bool keep)
{
	int i, space;

	for (i = 0; i < NR_SHARDS; i++)
		for (space = 0; space < NR_SPACES; space++)
			l->shards[i].objects[space].keep_freed = keep;
}

/*
 * A snapshot follows the first clock. It has objects in KASAN's quarantine as live: the
 * frees of these must not be forgotten.
 */
void snapshot_follows(struct ledger *l)
{
	if (!l->stats.baseline.complete)
		keep_freed(l, true);
}

/* Return whether the snapshot has no memory of a type of @space. */
static bool is_without(const struct kmemtrace_snapshot_end *end, enum space space)
{
	unsigned int type;

	for (type = KMEMTRACE_TYPE_KMALLOC; type <= KMEMTRACE_TYPE_VMALLOC; type++)
		if (live_space(type) == space && end->without >> type & 1)
			return true;
	return false;
}

/* Complete the snapshot: unknown memory that was freed so far was older. */
static bool take_snapshot_end(struct ledger *l, const struct record *rec,
			      unsigned int cpu)
{
	const struct kmemtrace_snapshot_end *end = (const void *)rec->ev;
	struct baseline *b = &l->stats.baseline;
	int i;

	(void)cpu;
	if (b->complete)
		return true;
	if (l->is_behind && (int64_t)end->begin_ns < l->since) {
		b->is_cut = true;
		return true;
	}
	b->complete = true;
	b->end = rec->time;
	b->unsure = end->unsure;
	b->unlisted = end->unlisted;
	if ((int64_t)end->begin_ns > 0 && (int64_t)end->begin_ns < rec->time)
		b->took_ns = rec->time - end->begin_ns;
	b->stop_ns = end->stop_ns;
	l->unsure_frames = MAX_FRAMES;
	if (b->unsure < MAX_FRAMES && b->unlisted < MAX_FRAMES)
		l->unsure_frames = (b->unsure + b->unlisted) * MAX_SLAB_FRAMES;
	for (i = 0; i < NR_SPACES; i++) {
		b->without[i] = is_without(end, i);
		if (b->without[i])
			continue;
		b->at_end[i] = total_older(l, i);
		b->freed_during[i] += stats_explain(&l->stats, FINDING_FREE_UNKNOWN, i);
	}
	keep_freed(l, false);
	timeline_raise(l);
	return true;
}

/* Keep a task of the books. */
static bool take_books_task(struct ledger *l, const struct record *rec, unsigned int cpu)
{
	const struct books_task *from = (const void *)rec->ev;
	struct task task = { .tgid = from->tgid, .start = from->start, .pid = from->pid };

	(void)cpu;
	if (rec->tail_size < sizeof(task.comm) || from->pid < 0 || from->tgid > INT32_MAX ||
	    from->task < BOOKS_FIRST_TASK)
		return false;
	memcpy(task.comm, rec->tail, strnlen((const char *)rec->tail, sizeof(task.comm) - 1));
	table_row_of(&l->books_tasks, from->task)->live = who_task(&l->who, &task);
	return true;
}

static bool (* const takers[])(struct ledger *l, const struct record *rec,
			      unsigned int cpu) = {
	[BOOKS_TYPE_OBJECT] = take_snapshot_object,
	[KMEMTRACE_TYPE_CACHE] = take_slab,
	[KMEMTRACE_TYPE_PAGES] = take_snapshot_pages,
	[KMEMTRACE_TYPE_PERCPU] = take_snapshot_object,
	[KMEMTRACE_TYPE_VMALLOC] = take_snapshot_object,
	[BOOKS_TYPE_TASK] = take_books_task,
	[KMEMTRACE_TYPE_END] = take_snapshot_end,
};

/* Return whether this program knows the type of a record of the snapshot, or of the books. */
bool snapshot_is_known(const struct ledger *l, const struct record *rec)
{
	static_assert(KMEMTRACE_TYPE_END == UINT8_MAX, "a row for each type");

	return takers[rec->ev->type_id] &&
	       (l->takes_books || (rec->ev->type_id != BOOKS_TYPE_OBJECT &&
				   rec->ev->type_id != BOOKS_TYPE_TASK));
}

/**
 * snapshot_record - take one record of the snapshot
 * @l: the ledger
 * @rec: KMEMTRACE_EVENT_SNAPSHOT, see snapshot_is_known()
 * @cpu: CPU of its stream
 *
 * Return: false if the record is impossible.
 */
bool snapshot_record(struct ledger *l, const struct record *rec,
		     unsigned int cpu)
{
	l->stats.baseline.begun = true;
	return takers[rec->ev->type_id](l, rec, cpu);
}
