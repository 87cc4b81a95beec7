// SPDX-License-Identifier: GPL-2.0
/*
 * The ledger: what is live. Allocations and frees of one object, or of one page
 * frame, must alternate.
 *
 * Objects are matched by pointer, whatever API was called. Pages are matched
 * frame by frame, since blocks are split and merged between allocation and free
 * without an event. Slab objects lie in pages: a frame counts those that live in
 * it, and where the one is free the other must not be in use.
 *
 * An event that breaks a rule is a finding. But clocks may be a little off: between
 * CPUs, the order of time is that of events only as far as it makes sense. An event
 * that makes none where it stands waits, and with it all of its CPU that are about
 * the same frames, while others go on for a while, the window: the one it needs may
 * be among them. If that doesn't come, it is taken as it is.
 *
 * One case stays open even so. A free of something unknown, then an allocation
 * on another CPU, are either that free's own allocation come late, or a second
 * life of something allocated before the trace began. The first is taken to be
 * true, and the slot is marked as settled; a free that follows proves the second.
 *
 * Where both lives of an object have begun before that shows, the first one's free
 * is still to come: see owe().
 *
 * What the snapshot says is in snapshot.c. An object that lives by nothing else
 * may be allocated: that was under way when the snapshot was taken. But first it
 * waits like any other for the free that may have come before.
 *
 * Each shard of memory is one thread's at a time, and knows no other shard. What
 * can't be decided there is left to books.c.
 */
#include "config.h"

#include <string.h>

#include "books/job.h"
#include "books/live.h"

/* Slab objects begin at multiples of this: a word of the smallest machine. */
#define MIN_ALIGN	4

/* @c contradicts what @slot remembers. */
static void add_finding(struct job *j, const struct change *c,
			enum finding_class class, const struct slot *slot)
{
	struct note *note = job_note(j, c, class);
	const struct kind *kind = job_kind(j, slot->kind);

	note->finding.site = kind->site;
	note->finding.is_hidden &= kind_is_hidden(kind);
	note->finding.time_before = slot->time;
	note->finding.cpu_before = slot->cpu;
}

/* Is it to be counted, as far as it itself tells? */
static bool counts(const struct job *j, const struct change *c)
{
	return !c->is_rest && !kind_is_hidden(job_kind(j, c->kind));
}

static uint64_t nr_frames(const struct job *j, const struct change *c)
{
	return c->alloc >> j->l->page_shift;
}

static struct object *object_of(struct job *j, const struct change *c)
{
	return objects_get(&j->s->objects[c->space], c->ptr, c->time);
}

/* What stands for all frames of @c, which are a whole chunk; NULL: they may differ. */
static struct slot *whole_of(struct job *j, const struct change *c)
{
	if (nr_frames(j, c) != FRAMES_PER_CHUNK)
		return NULL;
	return frames_whole(&j->s->frames, c->ptr >> j->l->page_shift);
}

/* How many slots @c touches; an object has one. */
static uint64_t nr_slots(struct job *j, const struct change *c)
{
	return c->space != SPACE_PAGES || whole_of(j, c) ? 1 : nr_frames(j, c);
}

/* The @i-th of them. */
static inline struct slot *slot_of(struct job *j, const struct change *c,
				   uint64_t i)
{
	struct slot *whole;

	if (c->space != SPACE_PAGES)
		return &object_of(j, c)->slot;
	whole = whole_of(j, c);
	if (whole)
		return whole;
	return frames_get(&j->s->frames, (c->ptr >> j->l->page_shift) + i);
}

/* ---- contradictions ---- */

/* Could @c have been under way when the snapshot had its result already? */
static bool was_in_transit(const struct slot *slot, const struct change *c)
{
	return !c->is_free && slot->snapshot && !slot->reserved;
}

/* Does @c contradict the state of a slot? A settled one explains a free. */
static bool contradicts(const struct slot *slot, const struct change *c)
{
	if (c->is_free)
		return slot->state != SLOT_LIVE && !slot->settled;
	return slot->state == SLOT_LIVE;
}

/* The first slot that @c contradicts, or NULL. */
static struct slot *find_contradiction(struct job *j, const struct change *c)
{
	struct slot *slot = slot_of(j, c, 0);
	uint64_t i, n = nr_slots(j, c);

	for (i = 1; i < n && !contradicts(slot, c); i++)
		slot = slot_of(j, c, i);
	return contradicts(slot, c) ? slot : NULL;
}

/* The same, where the snapshot is no explanation. */
static struct slot *find_finding(struct job *j, const struct change *c)
{
	struct slot *slot;
	uint64_t i, n = nr_slots(j, c);

	for (i = 0; i < n; i++) {
		slot = slot_of(j, c, i);
		if (contradicts(slot, c) && !was_in_transit(slot, c))
			return slot;
	}
	return NULL;
}

/* Slab objects in pages: is one free where the other is in use? */
static bool overlaps(struct job *j, const struct change *c)
{
	uint64_t i, n = nr_slots(j, c);

	if (c->space == SPACE_SLAB && !c->is_free)
		return live_frame_of(j, c->ptr)->state == SLOT_FREED;
	if (c->space != SPACE_PAGES || !c->is_free)
		return false;
	for (i = 0; i < n; i++)
		if (slot_of(j, c, i)->objects)
			return true;
	return false;
}

static bool fits(struct job *j, const struct change *c)
{
	return !find_contradiction(j, c) && !overlaps(j, c);
}

/* ---- what explains a free of something unknown ---- */

static bool was_large_kmalloc(struct job *j, const struct change *c)
{
	const struct slot *frame = live_frame_of(j, c->ptr);

	return c->type == KMEMTRACE_TYPE_KMALLOC &&
	       c->ptr % j->l->page_size == 0 && frame->state == SLOT_LIVE &&
	       frame->snapshot && !frame->slab;
}

/* May it be in one of those slabs that the snapshot lacks? */
static bool was_unsure(struct job *j, const struct change *c)
{
	const struct slot *frame = live_frame_of(j, c->ptr);

	return frame->state == SLOT_LIVE && frame->snapshot && !frame->slab;
}

static void add_unknown(struct job *j, const struct change *c)
{
	const struct baseline *b = &j->l->stats.baseline;
	struct baseline *sums = &j->s->baseline;
	struct note *note;

	if (!b->complete) {
		job_note(j, c, FINDING_FREE_UNKNOWN);
	} else if (c->time <= b->end) {
		sums->freed_during[c->space] += counts(j, c);
	} else if (c->space == SPACE_SLAB && was_large_kmalloc(j, c)) {
		sums->large_kmalloc += counts(j, c);
	} else {
		note = job_note(j, c, FINDING_FREE_UNEXPLAINED);
		if (c->space == SPACE_SLAB && was_unsure(j, c))
			note->frame = c->ptr & -j->l->page_size;
	}
}

static void add_contradiction(struct job *j, const struct change *c,
			      const struct slot *slot)
{
	if (!c->is_free)
		add_finding(j, c, FINDING_ALLOC_TWICE, slot);
	else if (slot->state == SLOT_FREED)
		add_finding(j, c, FINDING_FREE_TWICE, slot);
	else
		add_unknown(j, c);
}

/* The free that @slot remembers was of something older than its allocation. */
static void unsettle(struct job *j, const struct change *c,
		     const struct slot *slot)
{
	struct change early = *c;

	j->s->settled -= !c->is_rest;
	early.kind = slot->kind;
	early.time = slot->time;
	early.cpu = slot->cpu;
	add_unknown(j, &early);
}

/* ---- pages that are freed with objects in them ---- */

/* @obj can't live on: its page was freed, by @c. */
static void bury(struct job *j, const struct change *c, struct object *obj)
{
	struct change of_object = *c;

	of_object.ptr = obj->ptr;
	of_object.is_part = false;
	add_finding(j, &of_object, FINDING_FREE_IN_USE, &obj->slot);
	live_object(j, SPACE_SLAB, obj, -1);
	obj->slot = (struct slot) {
		.time = c->time,
		.kind = c->kind,
		.cpu = c->cpu,
		.type = obj->slot.type,
		.state = SLOT_FREED,
	};
}

static void bury_objects(struct job *j, const struct change *c, uint64_t i)
{
	uint64_t ptr = c->ptr + i * j->l->page_size;
	uint64_t end = ptr + j->l->page_size;
	const struct slot *frame = slot_of(j, c, i);
	struct object *obj;

	for (; frame->objects && ptr < end; ptr += MIN_ALIGN) {
		obj = objects_find(&j->s->objects[SPACE_SLAB], ptr);
		if (obj && obj->slot.state == SLOT_LIVE)
			bury(j, c, obj);
	}
}

static void add_overlap(struct job *j, const struct change *c)
{
	uint64_t i, n = nr_slots(j, c);

	if (c->space == SPACE_SLAB) {
		add_finding(j, c, FINDING_IN_FREE_PAGES,
			    live_frame_of(j, c->ptr));
		return;
	}
	for (i = 0; i < n; i++)
		bury_objects(j, c, i);
}

/* ---- what an event does ---- */

/*
 * Field by field: a structure that is written in small parts and then copied in
 * large ones has the processor wait. The objects in a frame stay.
 */
static void set_slot(struct slot *slot, const struct change *c)
{
	slot->time = c->time;
	slot->kind = c->kind;
	slot->cpu = c->cpu;
	slot->type = c->type;
	slot->first = slot->state == SLOT_UNKNOWN;
	slot->state = SLOT_LIVE + c->is_free;
	slot->settled = 0;
	slot->snapshot = 0;
	slot->reserved = 0;
	slot->slab = 0;
}

/* How long something has lived, or been free; less than nothing by clocks that are off. */
static int64_t ns_of(const struct change *c, const struct slot *slot)
{
	return (uint64_t)c->time - (uint64_t)slot->time;
}

/* The last free of something of @kind is another one than before. */
static __attribute__((noinline)) void freed_by(struct sums *s, uint32_t kind,
					       uint32_t by)
{
	struct sum *sum = &s->kinds[kind];

	sum->lifetime = lifetimes_index(&s->lifetimes, kind, by);
	sum->freed_by = by;
}

/* Most of a kind are freed by one kind, so that there is nothing to look for. */
static inline struct lifetime *lifetime_of(struct sums *s, uint32_t kind, uint32_t by)
{
	struct sum *sum = &s->kinds[kind];

	if (sum->freed_by != by)
		freed_by(s, kind, by);
	return &s->lifetimes.list[sum->lifetime];
}

/* A function of its own, for a loop without anything else in it. */
static __attribute__((noinline)) void end_lives(struct sums *s,
						const struct ending *from,
						const struct ending *to)
{
	for (; from < to; from++)
		lifetime_count(lifetime_of(s, from->kind, from->freed_by), from->ns);
}

/* Count a free of @bytes on another CPU than the allocation in @slot. */
static void count_remote(struct job *j, const struct change *c,
			 const struct slot *slot, uint64_t bytes)
{
	struct row *pair;

	if (j->l->selection && kind_is_hidden(job_kind(j, slot->kind)))
		return;
	pair = table_row(&j->sums->cpus[c->space],
			 (uint64_t)slot->cpu << 16 | c->cpu);
	lifetime_of(j->sums, slot->kind, c->kind)->remote += !c->is_rest;
	pair->remote += !c->is_rest;
	pair->alloc += bytes;
}

/* Count a free of @bytes whose allocation is in @slot. */
static void match(struct job *j, const struct change *c,
		  const struct slot *slot, uint64_t bytes)
{
	struct lifetime *life;

	/* When and on which CPU something older was allocated, nobody knows. */
	if (slot->snapshot) {
		job_sum(j, slot->kind)->frees += !c->is_rest;
		return;
	}
	life = lifetime_of(j->sums, slot->kind, c->kind);
	life->bytes += bytes;
	if (!c->is_rest)
		lifetime_count(life, ns_of(c, slot));
	if (slot->cpu != c->cpu)
		count_remote(j, c, slot, bytes);
}

/* Allocated by one API, freed by the other: books.c knows whether that is allowed. */
static void check_api(struct job *j, const struct change *c,
		      const struct slot *slot)
{
	struct note *note;

	if (slot->type == c->type || slot->type == SLOT_ANY_TYPE)
		return;
	add_finding(j, c, FINDING_MIXED_API, slot);
	note = &j->s->notes[j->s->nr_notes - 1];
	note->type = c->type;
	note->class = job_kind(j, slot->kind)->class;
}

static void apply_to_object(struct job *j, const struct change *c,
			    struct object *obj)
{
	if (obj->slot.state == SLOT_LIVE) {
		live_object(j, c->space, obj, -1);
		if (c->is_free) {
			match(j, c, &obj->slot,
			      live_object_size(j, &obj->slot));
			check_api(j, c, &obj->slot);
		} else if (obj->slot.snapshot) {
			j->s->baseline.in_transit += counts(j, c);
		}
	}
	set_slot(&obj->slot, c);
	if (c->is_free)
		return;
	obj->slot.spare = (int32_t)(c->alloc - c->req);
	live_object(j, c->space, obj, 1);
}

/*
 * @nr frames cease to live. Returns whether @slot is one of those that tell what the
 * event is about.
 */
static bool end_frames(struct job *j, const struct change *c,
		       const struct slot *slot, uint64_t nr, bool told)
{
	struct baseline *b = &j->s->baseline;

	live_frames(j, slot, -(int64_t)nr);
	if (slot->reserved) {
		if (c->is_free && !kind_is_hidden(job_kind(j, c->kind)))
			b->reserved_freed += nr;
		return false;
	}
	if (c->is_free && !told)
		match(j, c, slot, c->alloc);
	else if (slot->snapshot && !told)
		b->in_transit += counts(j, c);
	return true;
}

static void apply_to_frames(struct job *j, const struct change *c)
{
	uint64_t i, n = nr_slots(j, c), nr = nr_frames(j, c) / n;
	bool told = false;

	for (i = 0; i < n; i++) {
		struct slot *slot = slot_of(j, c, i);

		if (slot->state == SLOT_LIVE)
			told |= end_frames(j, c, slot, nr, told);
		set_slot(slot, c);
		if (!c->is_free)
			live_frames(j, slot, nr);
	}
	if (n == FRAMES_PER_CHUNK)
		frames_join(&j->s->frames, c->ptr >> j->l->page_shift);
}

static void apply(struct job *j, const struct change *c)
{
	if (c->space == SPACE_PAGES)
		apply_to_frames(j, c);
	else
		apply_to_object(j, c, object_of(j, c));
}

static void mark_settled(struct job *j, const struct change *c)
{
	uint64_t i, n = nr_slots(j, c);

	for (i = 0; i < n; i++)
		slot_of(j, c, i)->settled = 1;
}

/* ---- two lives whose order was mistaken ---- */

/*
 * An allocation that contradicts another of a CPU whose clock may be ahead: it came
 * before, and its free is still to come; the object lives on by the other one. Or a
 * free that contradicts another: the other one was of a later allocation, that is
 * still to come. Where it comes, nothing was wrong.
 */
static bool owe(struct job *j, const struct change *c)
{
	uint64_t i, n = nr_slots(j, c);
	struct shard *s = j->s;

	if (s->nr_owed == SHARD_MAX_OWED || overlaps(j, c))
		return false;
	for (i = 0; i < n; i++) {
		const struct slot *slot = slot_of(j, c, i);

		if (!contradicts(slot, c) || slot->snapshot ||
		    slot->state == SLOT_UNKNOWN || slot->cpu == c->cpu ||
		    (uint64_t)c->time - (uint64_t)slot->time > j->l->window)
			return false;
	}
	s->owed[s->nr_owed++] = (struct owed) {
		.c = *c,
		.before = *slot_of(j, c, 0),
	};
	return true;
}

/* Both ends of a life that is over: @alloc and @free. */
static void match_owed(struct job *j, const struct change *alloc,
		       const struct change *free)
{
	const struct slot slot = {
		.time = alloc->time,
		.kind = alloc->kind,
		.cpu = alloc->cpu,
		.type = alloc->type,
	};

	match(j, free, &slot, alloc->alloc);
	check_api(j, free, &slot);
	j->s->settled += !free->is_rest;
}

/* Is @c what one of them waits for? */
static bool was_owed(struct job *j, const struct change *c)
{
	struct shard *s = j->s;
	unsigned int i;

	for (i = 0; i < s->nr_owed; i++) {
		const struct change *owed = &s->owed[i].c;

		if (owed->ptr != c->ptr || owed->space != c->space ||
		    owed->is_free == c->is_free ||
		    (c->space == SPACE_PAGES && owed->alloc != c->alloc))
			continue;
		match_owed(j, owed->is_free ? c : owed, owed->is_free ? owed : c);
		s->owed[i] = s->owed[--s->nr_owed];
		return true;
	}
	return false;
}

/* ---- an event ---- */

static void add_findings(struct job *j, const struct change *c)
{
	const struct slot *slot = find_finding(j, c);

	if (slot)
		add_contradiction(j, c, slot);
	if (overlaps(j, c))
		add_overlap(j, c);
}

static void take(struct job *j, const struct change *c, bool fits)
{
	const struct slot *slot = slot_of(j, c, 0);
	bool first = slot->first && !slot->snapshot;
	bool waited = fits && c->waited;

	if ((j->s->nr_owed && was_owed(j, c)) || (!fits && owe(j, c)))
		return;
	if (!fits)
		add_findings(j, c);
	if (slot->settled && c->is_free && (fits || !find_contradiction(j, c)))
		unsettle(j, c, slot);
	apply(j, c);

	if (!waited)
		return;
	j->s->settled += !c->is_rest;
	if (c->is_free && first)
		mark_settled(j, c);
}

/* ---- events that wait for others ---- */

/* How many bytes from its address on are its own; what lies in pages is a point. */
static uint64_t extent(const struct change *c)
{
	return c->space == SPACE_PAGES ? c->alloc : 1;
}

/*
 * Are they about the same frames, the same object, or an object and its frames? All else
 * can't be what one of them waits for, and must not be held up by it.
 */
static bool are_related(const struct change *a, const struct change *b)
{
	return a->ptr - b->ptr < extent(b) || b->ptr - a->ptr < extent(a);
}

/* Is there one among the first @nr that wait behind which @c has to stay? */
static bool stays_behind(const struct job *j, const struct change *c,
			 unsigned int nr)
{
	const struct change *w;

	for (w = j->s->waiting; w < j->s->waiting + nr; w++)
		if (w->cpu == c->cpu && are_related(w, c))
			return true;
	return false;
}

static struct change stop_waiting(struct shard *s, unsigned int i)
{
	struct change c = s->waiting[i];

	s->nr_waiting--;
	memmove(&s->waiting[i], &s->waiting[i + 1],
		(s->nr_waiting - i) * sizeof(c));
	return c;
}

/* Now that @c was taken, which of those that wait make sense? */
static void retry(struct job *j, const struct change *c)
{
	struct shard *s = j->s;
	unsigned int i = 0;

	while (i < s->nr_waiting) {
		struct change *w = &s->waiting[i];

		if (are_related(w, c) && !stays_behind(j, w, i)) {
			if (fits(j, w)) {
				struct change ready = stop_waiting(s, i);

				take(j, &ready, true);
				i = 0;
				continue;
			}
			w->waited = true;
		}
		i++;
	}
}

/* The one that waits longest has waited long enough. */
static void give_up(struct job *j)
{
	struct change c = stop_waiting(j->s, 0);

	take(j, &c, fits(j, &c));
	retry(j, &c);
}

static void wait_for_others(struct job *j, const struct change *c)
{
	struct shard *s = j->s;

	if (s->nr_waiting == SHARD_MAX_WAITING)
		give_up(j);
	s->waiting[s->nr_waiting++] = *c;
}

/**
 * ledger_pass - time goes on
 * @j: a job on any shard
 * @time: now; what waits for longer than the window is taken as it is
 */
void ledger_pass(struct job *j, int64_t time)
{
	const struct shard *s = j->s;

	while (s->nr_waiting && time > s->waiting[0].time &&
	       (uint64_t)time - (uint64_t)s->waiting[0].time > j->l->window)
		give_up(j);
}

/* While some wait: does @c have to wait as well? */
static bool must_wait(struct job *j, const struct change *c)
{
	ledger_pass(j, c->time);
	return stays_behind(j, c, j->s->nr_waiting);
}

/*
 * Nearly all events: an object is allocated that was free, or freed that was live, and
 * nothing waits. All of it has been seen above, but one by one; here it is done without
 * asking what can't be foretold, which would take the processor as long as all the rest.
 *
 * Returns false where it isn't as simple. Nothing was done then.
 */
static inline bool take_simple(struct job *j, const struct change *c,
			       struct effect *effect)
{
	const uint8_t live = SLOT_BITS(.state = SLOT_LIVE);
	const uint8_t freed = SLOT_BITS(.state = SLOT_FREED);
	const uint8_t odd = SLOT_BITS(.settled = 1, .snapshot = 1);
	const uint8_t first = SLOT_BITS(.first = 1);
	struct objects *objects = &j->s->objects[c->space];
	struct slot *slot = &objects_get(objects, c->ptr, c->time)->slot, *frame;
	uint64_t mask = mask_of(c->is_free);
	int64_t sign = 1 | (int64_t)mask;
	uint32_t kind = choose(mask, slot->kind, c->kind);
	int32_t spare = choose(mask, slot->spare, c->alloc - c->req);
	struct sum *sum = job_sum(j, kind);
	uint8_t bits = slot->bits;
	bool overlap;

	if (((bits & (live | odd)) ^ (mask & live)) |
	    (mask & (slot->type ^ c->type)))
		return false;
	if (c->space == SPACE_SLAB) {
		frame = live_frame_of(j, c->ptr);
		overlap = frame->state == SLOT_FREED;
		if (~mask & overlap)
			return false;
		frame->objects += sign;
	}
	objects->live += sign;
	sum->allocs += ~mask & 1;
	sum->req += c->req & ~mask;
	sum->live += sign;
	sum->live_req += sign * ((int64_t)sum->size - spare);
	*effect = (struct effect) { kind, sign, sign * (int64_t)sum->size };
	if (mask & (slot->cpu ^ c->cpu))
		count_remote(j, c, slot, sum->size);
	*j->ending = (struct ending) { kind, c->kind, ns_of(c, slot) };
	j->ending += mask & 1;
	slot->time = c->time;
	slot->kind = c->kind;
	slot->spare = spare;
	slot->cpu = c->cpu;
	slot->type = c->type;
	slot->bits = choose(mask, freed, live) |
		     (bits & (live | freed) ? 0 : first);
	return true;
}

/* The same of pages, fewer than a chunk; what is freed was allocated by one kind of event. */
static inline bool take_pages(struct job *j, const struct change *c,
			      struct effect *effect)
{
	const uint8_t live = SLOT_BITS(.state = SLOT_LIVE);
	const uint8_t odd = SLOT_BITS(.settled = 1, .snapshot = 1, .reserved = 1);
	uint64_t mask = mask_of(c->is_free), i, n = nr_frames(j, c);
	int64_t bytes = choose(mask, -c->alloc, c->alloc);
	int64_t frames = choose(mask, -n, n);
	uint64_t wrong = c->type ^ KMEMTRACE_TYPE_PAGES;
	struct slot *slots;
	struct sum *sum;
	uint32_t kind;

	if (n == FRAMES_PER_CHUNK)
		return false;
	slots = frames_get(&j->s->frames, c->ptr >> j->l->page_shift);
	kind = choose(mask, slots->kind, c->kind);
	sum = job_sum(j, kind);
	for (i = 0; i < n; i++)
		wrong |= ((slots[i].bits & (live | odd)) ^ (mask & live)) |
			 (mask & (slots[i].objects | (slots[i].kind ^ kind) |
				  (slots[i].type ^ c->type)));
	if (wrong)
		return false;
	if (c->is_free) {
		match(j, c, slots, c->alloc);
	} else if (!c->is_rest) {
		sum->allocs++;
		sum->req += c->req;
	}
	sum->live += frames;
	sum->live_req += bytes;
	*effect = (struct effect) { kind, frames, bytes };
	for (i = 0; i < n; i++)
		set_slot(&slots[i], c);
	return true;
}

/* All others. */
static __attribute__((noinline)) void take_other(struct job *j, struct change *c,
						 struct effect *effect)
{
	struct sum *sum = job_sum(j, c->kind);
	bool is_alloc = !c->is_free & !c->is_rest;

	*effect = (struct effect) { .kind = NO_KIND };
	j->at = c->event;
	j->effect = effect;
	j->space = c->space;
	sum->allocs += is_alloc;
	sum->req += c->req & mask_of(is_alloc);
	if (j->s->nr_waiting && must_wait(j, c)) {
		wait_for_others(j, c);
	} else if (fits(j, c)) {
		take(j, c, true);
		if (j->s->nr_waiting)
			retry(j, c);
	} else if (j->l->patient) {
		c->waited = true;
		wait_for_others(j, c);
	} else {
		take(j, c, false);
	}
}

/* Of virtual addresses, nobody knows where their pages are. */
static bool is_linear(const struct change *c)
{
	return c->space == SPACE_SLAB || c->space == SPACE_PAGES;
}

/*
 * Only of machines with several nodes: for all others it would be the same question.
 * Most allocations are on the node, and counted in the row, of the one before.
 */
static __attribute__((noinline)) void count_nodes(const struct job *j,
						  const struct segment *seg)
{
	struct node_range range = nodes_find(&j->l->nodes, 0);
	const struct change *c, *end = &seg->changes[seg->nr];
	struct row *rows[NR_SPACES] = { NULL };

	for (c = seg->changes; c < end; c++) {
		const struct kind *kind = job_kind(j, c->kind);
		struct row **row = &rows[c->space];
		int node = NO_NODE;
		uint64_t key;

		if (c->is_free || kind_is_hidden(kind))
			continue;
		if (is_linear(c)) {
			if (c->ptr - range.first > range.last - range.first)
				range = nodes_find(&j->l->nodes, c->ptr);
			node = range.node;
		}
		key = node_key(kind_node(kind), c->cpu, node);
		if (!*row || (*row)->key != key)
			*row = table_row(&j->sums->nodes[c->space], key);
		(*row)->allocs += !c->is_rest;
		(*row)->alloc += c->alloc;
	}
}

static inline void take_change(struct job *j, struct change *c, struct effect *effect)
{
	if (j->s->nr_waiting | j->s->nr_owed ||
	    !(c->space == SPACE_PAGES ? take_pages(j, c, effect) :
					take_simple(j, c, effect)))
		take_other(j, c, effect);
}

static uint32_t min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/*
 * Of so many changes at a time, what is known is asked for before the first one needs it.
 * The processor looks for all of their pages at once; between two of them there must not
 * be more than it has in view.
 */
#define LOOK_AHEAD	16

/**
 * ledger_shard - take in all changes of one shard
 * @l: the ledger
 * @b: the batch, after ledger_open()
 * @shard: the shard
 * @thread: number of the thread, each of which may do another shard at a time
 */
void ledger_shard(struct ledger *l, struct batch *b, unsigned int shard,
		  unsigned int thread)
{
	struct segment *seg = &b->segments[shard];
	struct job j = {
		.l = l,
		.s = &l->shards[shard],
		.sums = &l->sums[thread],
	};
	struct ending endings[SEGMENT_MAX + 1];
	uint32_t i, end, seen = 0;

	j.ending = endings;
	for (i = 0; i < seg->nr;) {
		/* Not in a function: to the compiler, one that does no more does nothing. */
		for (end = min(i + 2 * LOOK_AHEAD, seg->nr); seen < end; seen++) {
			const struct change *c = &seg->changes[seen];

			__builtin_prefetch(objects_home(&j.s->objects[c->space],
							c->ptr), 1);
			__builtin_prefetch(frames_at(&j.s->frames,
						     c->ptr >> l->page_shift), 1);
			__builtin_prefetch(job_sum(&j, c->kind), 1);
		}
		for (end = min(i + LOOK_AHEAD, seg->nr); i < end; i++) {
			take_change(&j, &seg->changes[i], &seg->effects[i]);
			b->deltas[seg->changes[i].place] = seg->effects[i].bytes;
		}
	}
	end_lives(j.sums, endings, j.ending);
	if (l->nodes.are_many)
		count_nodes(&j, seg);
}

/**
 * ledger_give_up - no event comes any more
 * @j: a job on any shard
 *
 * What waits for one was a contradiction after all; the later event counts.
 */
void ledger_give_up(struct job *j)
{
	struct shard *s = j->s;

	while (s->nr_waiting)
		give_up(j);
	while (s->nr_owed) {
		const struct owed *owed = &s->owed[--s->nr_owed];

		add_contradiction(j, &owed->c, &owed->before);
		if (slot_of(j, &owed->c, 0)->time == owed->before.time)
			apply(j, &owed->c);
	}
}
