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
 * An event that breaks a rule is a finding. The merge tries to avoid that: it
 * asks ledger_fits() and has an event wait that does not, since clocks may be a
 * little off.
 *
 * One case stays open even so. A free of something unknown, then an allocation
 * on another CPU, are either that free's own allocation come late, or a second
 * life of something allocated before the trace began. The merge takes the first
 * to be true, and the slot is marked as settled; a free that follows proves the
 * second.
 *
 * Where both lives of an object have begun before that shows, the first one's free
 * is still to come: see owe().
 *
 * What the snapshot says is in snapshot.c. An object that lives by nothing else
 * may be allocated: that was under way when the snapshot was taken. But first it
 * waits like any other for the free that may have come before.
 */
#include "config.h"

#include <string.h>

#include "ledger.h"
#include "live.h"
#include "snapshot.h"

/* Slab objects begin at multiples of this: a word of the smallest machine. */
#define MIN_ALIGN	4

/* An empty ledger of a machine with pages of @page_size bytes. */
void ledger_init(struct ledger *l, uint64_t page_size)
{
	memset(l, 0, sizeof(*l));
	l->page_size = page_size;
	l->page_shift = __builtin_ctzll(page_size);
}

/* @c contradicts what @slot, in @before, remembers; NULL: itself. */
static void add_finding(struct ledger *l, const struct change *c,
			enum finding_class class, enum space before,
			const struct slot *slot)
{
	struct finding f = {
		.class = class,
		.space = c->space,
		.before = before,
		.site = NO_SITE,
		.site2 = c->site,
		.ptr = c->ptr,
		.time = c->time,
		.cpu = c->cpu,
	};

	if (slot) {
		f.site = slot->site;
		f.time_before = slot->time;
		f.cpu_before = slot->cpu;
	}
	stats_finding(&l->stats, &f);
}

static uint64_t nr_frames(const struct ledger *l, const struct change *c)
{
	return c->alloc >> l->page_shift;
}

static struct object *object_of(struct ledger *l, const struct change *c)
{
	return objects_get(&l->objects[c->space], c->ptr, c->time);
}

/* The @i-th slot that @c touches; an object has one. */
static inline struct slot *slot_of(struct ledger *l, const struct change *c,
				   uint64_t i)
{
	if (c->space != SPACE_PAGES)
		return &object_of(l, c)->slot;
	return frames_get(&l->frames, (c->ptr >> l->page_shift) + i);
}

static uint64_t nr_slots(const struct ledger *l, const struct change *c)
{
	return c->space != SPACE_PAGES ? 1 : nr_frames(l, c);
}

/* Could a kernel have written this? What could not is kept out of the sums. */
static bool possible(const struct ledger *l, const struct change *c)
{
	uint64_t pages = nr_frames(l, c);

	if (c->space == SPACE_PAGES)
		return c->ptr && c->ptr % l->page_size == 0 &&
		       c->alloc % l->page_size == 0 &&
		       pages && !(pages & (pages - 1)) &&
		       pages <= 1 << LIVE_MAX_ORDER &&
		       (c->is_free || (c->req && c->req <= c->alloc));
	if (c->is_free)
		return c->ptr;
	return live_object_possible(c->space, c->ptr, c->req, c->alloc);
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
static struct slot *find_contradiction(struct ledger *l, const struct change *c)
{
	struct slot *slot = slot_of(l, c, 0);
	uint64_t i, n = nr_slots(l, c);

	for (i = 1; i < n && !contradicts(slot, c); i++)
		slot = slot_of(l, c, i);
	return contradicts(slot, c) ? slot : NULL;
}

/* The same, where the snapshot is no explanation. */
static struct slot *find_finding(struct ledger *l, const struct change *c)
{
	struct slot *slot;
	uint64_t i, n = nr_slots(l, c);

	for (i = 0; i < n; i++) {
		slot = slot_of(l, c, i);
		if (contradicts(slot, c) && !was_in_transit(slot, c))
			return slot;
	}
	return NULL;
}

/* Slab objects in pages: is one free where the other is in use? */
static bool overlaps(struct ledger *l, const struct change *c)
{
	uint64_t i, n = nr_frames(l, c);

	if (c->space == SPACE_SLAB && !c->is_free)
		return live_frame_of(l, c->ptr)->state == SLOT_FREED;
	if (c->space != SPACE_PAGES || !c->is_free)
		return false;
	for (i = 0; i < n; i++)
		if (slot_of(l, c, i)->objects)
			return true;
	return false;
}

/* ---- what explains a free of something unknown ---- */

static bool was_large_kmalloc(struct ledger *l, const struct change *c)
{
	const struct slot *frame = live_frame_of(l, c->ptr);

	return c->type == KMEMTRACE_TYPE_KMALLOC &&
	       c->ptr % l->page_size == 0 && frame->state == SLOT_LIVE &&
	       frame->snapshot && !frame->slab;
}

/* May it be in one of those slabs that the snapshot lacks? */
static bool was_unsure(struct ledger *l, const struct change *c)
{
	struct slot *frame = live_frame_of(l, c->ptr);

	if (frame->state != SLOT_LIVE || !frame->snapshot || frame->slab)
		return false;
	if (!frame->unsure && l->unsure_frames) {
		l->unsure_frames--;
		frame->unsure = 1;
	}
	return frame->unsure;
}

static void add_unknown(struct ledger *l, const struct change *c)
{
	struct baseline *b = &l->stats.baseline;

	if (!b->complete)
		add_finding(l, c, FINDING_FREE_UNKNOWN, c->space, NULL);
	else if (c->time <= b->end)
		b->freed_during[c->space]++;
	else if (c->space == SPACE_SLAB && was_large_kmalloc(l, c))
		b->large_kmalloc++;
	else if (c->space == SPACE_SLAB && was_unsure(l, c))
		b->unsure_freed++;
	else
		add_finding(l, c, FINDING_FREE_UNEXPLAINED, c->space, NULL);
}

static void add_contradiction(struct ledger *l, const struct change *c,
			      const struct slot *slot)
{
	if (!c->is_free)
		add_finding(l, c, FINDING_ALLOC_TWICE, c->space, slot);
	else if (slot->state == SLOT_FREED)
		add_finding(l, c, FINDING_FREE_TWICE, c->space, slot);
	else
		add_unknown(l, c);
}

/* The free that @slot remembers was of something older than its allocation. */
static void unsettle(struct ledger *l, const struct change *c,
		     const struct slot *slot)
{
	struct change early = *c;

	l->stats.settled--;
	early.site = slot->site;
	early.time = slot->time;
	early.cpu = slot->cpu;
	add_unknown(l, &early);
}

/* ---- pages that are freed with objects in them ---- */

/* @obj can't live on: its page was freed, by @c. */
static void bury(struct ledger *l, const struct change *c, struct object *obj)
{
	const struct row *site = &l->stats.sites[SPACE_PAGES].rows[c->site];
	struct change of_object = *c;

	of_object.ptr = obj->ptr;
	add_finding(l, &of_object, FINDING_FREE_IN_USE, SPACE_SLAB,
		    &obj->slot);
	live_object(l, SPACE_SLAB, obj, -1);
	obj->slot = (struct slot) {
		.time = c->time,
		.site = table_index(&l->stats.sites[SPACE_SLAB], site->key),
		.class = obj->slot.class,
		.cpu = c->cpu,
		.type = obj->slot.type,
		.state = SLOT_FREED,
	};
}

static void bury_objects(struct ledger *l, const struct change *c, uint64_t i)
{
	uint64_t ptr = c->ptr + i * l->page_size, end = ptr + l->page_size;
	const struct slot *frame = slot_of(l, c, i);
	struct object *obj;

	for (; frame->objects && ptr < end; ptr += MIN_ALIGN) {
		obj = objects_find(&l->objects[SPACE_SLAB], ptr);
		if (obj && obj->slot.state == SLOT_LIVE)
			bury(l, c, obj);
	}
}

static void add_overlap(struct ledger *l, const struct change *c)
{
	uint64_t i, n = nr_frames(l, c);

	if (c->space == SPACE_SLAB) {
		add_finding(l, c, FINDING_IN_FREE_PAGES, SPACE_PAGES,
			    live_frame_of(l, c->ptr));
		return;
	}
	for (i = 0; i < n; i++)
		bury_objects(l, c, i);
}

/* ---- what an event does ---- */

/* Field by field, as set_change(). The objects in a frame stay. */
static void set_slot(struct slot *slot, const struct change *c)
{
	slot->time = c->time;
	slot->site = c->site;
	if (!c->is_free)
		slot->class = c->class;
	slot->cpu = c->cpu;
	slot->type = c->type;
	slot->first = slot->state == SLOT_UNKNOWN;
	slot->state = c->is_free ? SLOT_FREED : SLOT_LIVE;
	slot->settled = 0;
	slot->snapshot = 0;
	slot->reserved = 0;
	slot->slab = 0;
	slot->unsure = 0;
}

/* Count a free of @bytes whose allocation is in @slot. */
static void match(struct ledger *l, const struct change *c,
		  const struct slot *slot, uint64_t bytes)
{
	struct stats *s = &l->stats;
	struct row *site = &s->sites[c->space].rows[slot->site];
	struct row *class = &s->classes[c->space].rows[slot->class];
	struct row *pair;

	s->totals[c->space].matched++;
	site->frees++;
	class->frees++;
	/* On which CPU something older was allocated, nobody knows. */
	if (slot->cpu == c->cpu || slot->snapshot)
		return;
	s->totals[c->space].remote++;
	site->remote++;
	class->remote++;
	pair = table_row(&s->cpus[c->space], (uint64_t)slot->cpu << 16 | c->cpu);
	pair->remote++;
	pair->alloc += bytes;
}

/*
 * Allocated by one API, freed by the other. kfree() finds the cache itself on
 * kernels that allow it; kmem_cache_free() is told one, which can't be one of
 * kmalloc()'s own.
 */
static bool mix_is_legal(const struct ledger *l, const struct change *c,
			 const struct slot *slot)
{
	const struct table *classes = &l->stats.classes[SPACE_SLAB];
	uint32_t cache = class_cache(classes->rows[slot->class].key);

	if (c->type == KMEMTRACE_TYPE_KMALLOC)
		return l->kfree_takes_caches;
	return cache != NO_CACHE && l->caches.list[cache].name &&
	       !cache_is_kmalloc(&l->caches.list[cache]);
}

static void check_api(struct ledger *l, const struct change *c,
		      const struct slot *slot)
{
	if (slot->type == c->type || slot->type == SLOT_ANY_TYPE)
		return;
	add_finding(l, c, mix_is_legal(l, c, slot) ? FINDING_MIXED_LEGAL :
						     FINDING_MIXED_API,
		    c->space, slot);
}

static void apply_to_object(struct ledger *l, const struct change *c,
			    struct object *obj)
{
	if (obj->slot.state == SLOT_LIVE) {
		live_object(l, c->space, obj, -1);
		if (c->is_free) {
			match(l, c, &obj->slot,
			      live_object_size(l, c->space, &obj->slot));
			check_api(l, c, &obj->slot);
		} else if (obj->slot.snapshot) {
			l->stats.baseline.in_transit++;
		}
	}
	set_slot(&obj->slot, c);
	if (c->is_free)
		return;
	obj->slot.spare = (int32_t)(c->alloc - c->req);
	live_object(l, c->space, obj, 1);
}

/* Returns whether @slot is one of those that tell what the event is about. */
static bool end_frame(struct ledger *l, const struct change *c,
		      const struct slot *slot, bool told)
{
	struct baseline *b = &l->stats.baseline;

	live_frames(l, slot, -1);
	if (slot->reserved) {
		b->reserved_freed += c->is_free;
		return false;
	}
	if (c->is_free && !told)
		match(l, c, slot, c->alloc);
	else if (slot->snapshot && !told)
		b->in_transit++;
	return true;
}

static void apply_to_frames(struct ledger *l, const struct change *c)
{
	uint64_t i, n = nr_frames(l, c);
	bool told = false;

	for (i = 0; i < n; i++) {
		struct slot *slot = slot_of(l, c, i);

		if (slot->state == SLOT_LIVE)
			told |= end_frame(l, c, slot, told);
		set_slot(slot, c);
		if (!c->is_free)
			live_frames(l, slot, 1);
	}
}

static void apply(struct ledger *l, const struct change *c)
{
	if (c->space == SPACE_PAGES)
		apply_to_frames(l, c);
	else
		apply_to_object(l, c, object_of(l, c));
}

static void mark_settled(struct ledger *l, const struct change *c)
{
	uint64_t i, n = nr_slots(l, c);

	for (i = 0; i < n; i++)
		slot_of(l, c, i)->settled = 1;
}

/* ---- two lives whose order was mistaken ---- */

/*
 * An allocation that contradicts another of a CPU whose clock may be ahead: it came
 * before, and its free is still to come; the object lives on by the other one. Or a
 * free that contradicts another: the other one was of a later allocation, that is
 * still to come. Where it comes, nothing was wrong.
 */
static bool owe(struct ledger *l, const struct change *c)
{
	uint64_t i, n = nr_slots(l, c);

	if (l->nr_owed == LEDGER_MAX_OWED || overlaps(l, c))
		return false;
	for (i = 0; i < n; i++) {
		const struct slot *slot = slot_of(l, c, i);

		if (!contradicts(slot, c) || slot->snapshot ||
		    slot->state == SLOT_UNKNOWN || slot->cpu == c->cpu ||
		    (uint64_t)c->time - (uint64_t)slot->time > l->window)
			return false;
	}
	l->owed[l->nr_owed++] = (struct owed) {
		.c = *c,
		.before = *slot_of(l, c, 0),
	};
	return true;
}

/* Both ends of a life that is over: @alloc and @free. */
static void match_owed(struct ledger *l, const struct change *alloc,
		       const struct change *free)
{
	const struct slot slot = {
		.site = alloc->site,
		.class = alloc->class,
		.cpu = alloc->cpu,
		.type = alloc->type,
	};

	match(l, free, &slot, alloc->alloc);
	check_api(l, free, &slot);
	l->stats.settled++;
}

/* Is @c what one of them waits for? */
static bool was_owed(struct ledger *l, const struct change *c)
{
	unsigned int i;

	for (i = 0; i < l->nr_owed; i++) {
		const struct change *owed = &l->owed[i].c;

		if (owed->ptr != c->ptr || owed->space != c->space ||
		    owed->is_free == c->is_free ||
		    (c->space == SPACE_PAGES && owed->alloc != c->alloc))
			continue;
		match_owed(l, owed->is_free ? c : owed, owed->is_free ? owed : c);
		l->owed[i] = l->owed[--l->nr_owed];
		return true;
	}
	return false;
}

/* ---- an event ---- */

static void add_findings(struct ledger *l, const struct change *c)
{
	const struct slot *slot = find_finding(l, c);

	if (slot)
		add_contradiction(l, c, slot);
	if (overlaps(l, c))
		add_overlap(l, c);
}

static void take(struct ledger *l, const struct change *c, bool fits,
		 bool waited)
{
	const struct slot *slot = slot_of(l, c, 0);
	bool first = slot->first && !slot->snapshot;

	if ((l->nr_owed && was_owed(l, c)) || (!fits && owe(l, c)))
		return;
	if (!fits)
		add_findings(l, c);
	if (slot->settled && c->is_free && (fits || !find_contradiction(l, c)))
		unsettle(l, c, slot);
	apply(l, c);

	if (waited)
		l->stats.settled++;
	if (waited && c->is_free && first)
		mark_settled(l, c);
}

static void count(struct ledger *l, const struct change *c)
{
	struct totals *totals = &l->stats.totals[c->space];
	struct row *rows[2];
	int i;

	if (c->is_free) {
		totals->frees++;
		return;
	}
	totals->allocs++;
	totals->req += c->req;
	totals->alloc += c->alloc;
	rows[0] = &l->stats.sites[c->space].rows[c->site];
	rows[1] = &l->stats.classes[c->space].rows[c->class];
	for (i = 0; i < 2; i++) {
		rows[i]->allocs++;
		rows[i]->req += c->req;
		rows[i]->alloc += c->alloc;
	}
	if (c->alloc < c->req)
		add_finding(l, c, FINDING_SHORT, c->space, NULL);
}

/* ---- records ---- */

/* Is it one of those that say something of an object or of pages? */
static bool is_change(const struct record *rec)
{
	return (rec->ev->event_id == KMEMTRACE_EVENT_ALLOC ||
		rec->ev->event_id == KMEMTRACE_EVENT_FREE) &&
	       rec->ev->type_id < EVENT_NR_TYPES;
}

/*
 * Field by field: a structure that is written in small parts and then copied in
 * large ones has the processor wait.
 */
static void set_change(struct change *c, const struct record *rec)
{
	const struct kmemtrace_event *ev = rec->ev;

	c->ptr = ev->ptr;
	c->req = ev->bytes_req;
	c->alloc = ev->bytes_alloc;
	c->time = ev->timestamp;
	c->type = ev->type_id;
	c->space = ev->type_id < EVENT_NR_TYPES ? live_space(ev->type_id) :
						  SPACE_SLAB;
	c->is_free = ev->event_id == KMEMTRACE_EVENT_FREE;
}

static void add_impossible(struct ledger *l, const struct record *rec,
			   unsigned int cpu)
{
	struct change c = { .cpu = cpu };

	set_change(&c, rec);
	c.site = table_index(&l->stats.sites[c.space], SITE_SNAPSHOT);
	add_finding(l, &c, FINDING_IMPOSSIBLE, c.space, NULL);
}

/* The cache of a slab object is the first word behind the event. */
static uint32_t class_of(struct ledger *l, const struct change *c,
			 const struct record *rec)
{
	uint32_t cache = NO_CACHE;

	if (c->space == SPACE_SLAB)
		cache = caches_index(&l->caches, record_word(rec, 0));
	return table_index(&l->stats.classes[c->space],
			   class_key(cache, c->alloc));
}

static bool take_change(struct ledger *l, const struct record *rec,
			unsigned int cpu, bool waited)
{
	bool fits = l->fitting == rec;
	struct change *c = &l->change;

	if (!is_change(rec))
		return false;
	if (!fits)
		set_change(c, rec);
	c->cpu = cpu;
	c->site = table_index(&l->stats.sites[c->space], rec->ev->call_site);
	if (!fits && !possible(l, c)) {
		add_finding(l, c, FINDING_IMPOSSIBLE, c->space, NULL);
		return true;
	}
	if (!c->is_free)
		c->class = class_of(l, c, rec);
	count(l, c);
	take(l, c, fits, waited);
	return true;
}

static bool take_failed(struct ledger *l, const struct record *rec,
			unsigned int cpu, bool waited)
{
	const struct kmemtrace_event *ev = rec->ev;

	(void)cpu;
	(void)waited;
	if (ev->type_id >= EVENT_NR_TYPES)
		return false;
	l->stats.totals[live_space(ev->type_id)].failed++;
	stats_failure(&l->stats, &(struct failure) {
		.site = ev->call_site,
		.type = ev->type_id,
		.bytes = ev->bytes_req,
		.gfp = ev->gfp_flags,
	});
	return true;
}

static bool take_snapshot(struct ledger *l, const struct record *rec,
			  unsigned int cpu, bool waited)
{
	(void)waited;
	if (!snapshot_is_known(rec))
		return false;
	if (!snapshot_record(l, rec, cpu))
		add_impossible(l, rec, cpu);
	return true;
}

/* The object of a cache that has lived longest, or NULL. */
static const struct object *oldest_of(const struct ledger *l, uint32_t cache)
{
	const struct objects *o = &l->objects[SPACE_SLAB];
	const struct row *classes = l->stats.classes[SPACE_SLAB].rows;
	const struct object *obj, *oldest = NULL;

	for (obj = o->entries; obj < o->entries + o->nr_entries; obj++) {
		if (obj->slot.state != SLOT_LIVE || !obj->ptr ||
		    class_cache(classes[obj->slot.class].key) != cache)
			continue;
		if (!oldest || obj->slot.time < oldest->slot.time ||
		    (obj->slot.time == oldest->slot.time &&
		     obj->ptr < oldest->ptr))
			oldest = obj;
	}
	return oldest;
}

static bool has_live(const struct ledger *l, uint32_t cache)
{
	const struct table *classes = &l->stats.classes[SPACE_SLAB];
	uint32_t i;

	for (i = 0; i < classes->nr; i++)
		if (class_cache(classes->rows[i].key) == cache &&
		    classes->rows[i].live)
			return true;
	return false;
}

static bool take_cache(struct ledger *l, const struct record *rec,
		       unsigned int cpu, bool waited)
{
	uint32_t cache = caches_record(&l->caches, rec);
	struct change c = { .cpu = cpu };
	const struct object *obj;

	(void)waited;
	if (rec->ev->type_id != KMEMTRACE_CACHE_DESTROYED ||
	    cache == NO_CACHE || !has_live(l, cache))
		return true;
	obj = oldest_of(l, cache);
	set_change(&c, rec);
	c.space = SPACE_SLAB;
	c.ptr = obj->ptr;
	c.site = table_index(&l->stats.sites[SPACE_SLAB], rec->ev->call_site);
	add_finding(l, &c, FINDING_CACHE_IN_USE, SPACE_SLAB, &obj->slot);
	return true;
}

/*
 * A snapshot follows the first clock. It doesn't know that what waits in KASAN's
 * quarantine was freed; that must not be forgotten.
 */
static bool take_clock(struct ledger *l, const struct record *rec,
		       unsigned int cpu, bool waited)
{
	const struct kmemtrace_clock *clock = (const void *)rec->ev;
	int i;

	(void)cpu;
	(void)waited;
	if (!clock->sequence && !l->stats.baseline.complete)
		for (i = 0; i < NR_SPACES; i++)
			l->objects[i].keep_freed = true;
	return true;
}

/* What is said of the stream itself is not the ledger's business. */
static bool take_nothing(struct ledger *l, const struct record *rec,
			 unsigned int cpu, bool waited)
{
	(void)l;
	(void)rec;
	(void)cpu;
	(void)waited;
	return true;
}

static bool (* const kinds[])(struct ledger *l, const struct record *rec,
			      unsigned int cpu, bool waited) = {
	[KMEMTRACE_EVENT_ALLOC] = take_change,
	[KMEMTRACE_EVENT_FREE] = take_change,
	[KMEMTRACE_EVENT_LOST] = take_nothing,
	[KMEMTRACE_EVENT_CLOCK] = take_clock,
	[KMEMTRACE_EVENT_CACHE] = take_cache,
	[KMEMTRACE_EVENT_SNAPSHOT] = take_snapshot,
	[KMEMTRACE_EVENT_FAILED] = take_failed,
};

/**
 * ledger_fits - does an event make sense as the next one?
 * @l: the ledger
 * @rec: the event
 *
 * Return: false when ledger_event() would find a contradiction. What is wrong
 * with the event itself is none: no other order would help. If the next thing that
 * the ledger is told is this event, it isn't looked at a second time.
 */
bool ledger_fits(struct ledger *l, const struct record *rec)
{
	struct change *c = &l->change;
	bool fits;

	l->fitting = NULL;
	if (!is_change(rec))
		return true;
	set_change(c, rec);
	if (!possible(l, c))
		return true;
	fits = !find_contradiction(l, c) && !overlaps(l, c);
	l->fitting = fits ? rec : NULL;
	return fits;
}

/**
 * ledger_event - take in the next event
 * @l: the ledger
 * @rec: the event
 * @cpu: whose stream it is from
 * @waited: it did not fit at its time, and does now
 */
void ledger_event(struct ledger *l, const struct record *rec,
		  unsigned int cpu, bool waited)
{
	uint8_t id = rec->ev->event_id;

	if (id >= sizeof(kinds) / sizeof(*kinds) || !kinds[id] ||
	    !kinds[id](l, rec, cpu, waited))
		l->stats.unknown_ids++;
	l->fitting = NULL;
}

/**
 * ledger_end - no event comes any more
 * @l: the ledger
 *
 * What waits for one was a contradiction after all; the later event counts.
 */
void ledger_end(struct ledger *l)
{
	while (l->nr_owed) {
		const struct owed *owed = &l->owed[--l->nr_owed];

		add_contradiction(l, &owed->c, &owed->before);
		if (slot_of(l, &owed->c, 0)->time == owed->before.time)
			apply(l, &owed->c);
	}
}

/* An event on slab object @ptr comes soon: have what is known of it at hand. */
void ledger_prefetch(const struct ledger *l, uint64_t ptr)
{
	objects_prefetch(&l->objects[SPACE_SLAB], ptr);
	frames_prefetch(&l->frames, ptr >> l->page_shift);
}

/* Give back all memory. */
void ledger_free(struct ledger *l)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		objects_free(&l->objects[i]);
	frames_free(&l->frames);
	caches_free(&l->caches);
	stats_free(&l->stats);
}
