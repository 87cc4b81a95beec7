// SPDX-License-Identifier: GPL-2.0
/*
 * The ledger: what is live. Allocations and frees of one object, or of one page
 * frame, must alternate.
 *
 * Slab objects are matched by pointer, whatever API was called. Pages are
 * matched frame by frame, since blocks are split and merged between allocation
 * and free without an event.
 *
 * An event that breaks the alternation is a finding. The merge tries to avoid
 * that: it asks ledger_fits() and has an event wait that does not, since clocks
 * may be a little off.
 *
 * One case stays open even so. A free of something unknown, then an allocation
 * on another CPU, are either that free's own allocation come late, or a second
 * life of something allocated before the trace began. The merge takes the first
 * to be true, and the slot is marked as settled; a free that follows proves the
 * second.
 */
#include "config.h"

#include <string.h>

#include "ledger.h"

/* 16 GB pages of 64 kB frames are the largest blocks there are. */
#define MAX_ORDER	18

/* An empty ledger of a machine with pages of @page_size bytes. */
void ledger_init(struct ledger *l, uint64_t page_size)
{
	memset(l, 0, sizeof(*l));
	l->page_size = page_size;
	l->page_shift = __builtin_ctzll(page_size);
}

static void add_finding(struct ledger *l, const struct change *c,
			enum finding_class class, uint32_t before)
{
	stats_finding(&l->stats, &(struct finding) {
		.class = class,
		.space = c->space,
		.site = before,
		.site2 = c->site,
		.ptr = c->ptr,
		.time = c->time,
		.cpu = c->cpu,
	});
}

static uint64_t nr_frames(const struct ledger *l, const struct change *c)
{
	return c->alloc >> l->page_shift;
}

/* An event is looked at several times: remember the last object. */
static struct object *object_of(struct ledger *l, const struct change *c)
{
	if (!l->last || l->last->ptr != c->ptr)
		l->last = objects_get(&l->objects, c->ptr, c->time);
	return l->last;
}

/* The @i-th slot that @c touches; a slab object has one. */
static inline struct slot *slot_of(struct ledger *l, const struct change *c,
				   uint64_t i)
{
	if (c->space == SPACE_SLAB)
		return &object_of(l, c)->slot;
	return frames_get(&l->frames, (c->ptr >> l->page_shift) + i);
}

static uint64_t nr_slots(const struct ledger *l, const struct change *c)
{
	return c->space == SPACE_SLAB ? 1 : nr_frames(l, c);
}

/* Does @c contradict the state of a slot? A settled one explains a free. */
static bool contradicts(const struct slot *slot, const struct change *c)
{
	if (c->is_free)
		return slot->state != SLOT_LIVE && !slot->settled;
	return slot->state == SLOT_LIVE;
}

static void set_slot(struct slot *slot, const struct change *c, uint8_t kind)
{
	*slot = (struct slot) {
		.time = c->time,
		.site = c->site,
		.cpu = c->cpu,
		.kind = kind,
		.state = c->is_free ? SLOT_FREED : SLOT_LIVE,
		.first = slot->state == SLOT_UNKNOWN,
	};
}

/* Count a free of @bytes whose allocation, of @size, is in @slot. */
static void match(struct ledger *l, const struct change *c,
		  const struct slot *slot, uint64_t bytes, uint64_t size)
{
	struct stats *s = &l->stats;
	struct row *pair;

	s->totals[c->space].matched++;
	if (slot->cpu == c->cpu)
		return;
	s->totals[c->space].remote++;
	s->sites[c->space].rows[slot->site].remote++;
	table_row(&s->sizes[c->space], size)->remote++;
	pair = table_row(&s->cpus[c->space], (uint64_t)slot->cpu << 16 | c->cpu);
	pair->remote++;
	pair->alloc += bytes;
}

/* Take @n live slots of @req and @alloc bytes into or out of two rows. */
static void add_live(struct row *site, struct row *size, uint64_t n,
		     uint64_t req, uint64_t alloc)
{
	site->live += n;
	site->live_req += req;
	site->live_alloc += alloc;
	size->live += n;
	size->live_req += req;
	size->live_alloc += alloc;
}

static void object_live(struct ledger *l, const struct object *obj, int sign)
{
	struct stats *s = &l->stats;

	l->objects.live += sign;
	add_live(&s->sites[SPACE_SLAB].rows[obj->slot.site],
		 table_row(&s->sizes[SPACE_SLAB], obj->alloc),
		 sign, sign * (uint64_t)obj->req, sign * (uint64_t)obj->alloc);
}

static void frame_live(struct ledger *l, const struct slot *slot, int sign)
{
	struct stats *s = &l->stats;
	uint64_t bytes = sign * l->page_size;

	add_live(&s->sites[SPACE_PAGES].rows[slot->site],
		 table_row(&s->sizes[SPACE_PAGES], l->page_size << slot->kind),
		 sign, bytes, bytes);
}

static void apply_to_object(struct ledger *l, const struct change *c,
			    struct object *obj)
{
	if (obj->slot.state == SLOT_LIVE) {
		object_live(l, obj, -1);
		if (c->is_free) {
			match(l, c, &obj->slot, obj->alloc, obj->alloc);
			if (obj->slot.kind != c->type)
				add_finding(l, c, FINDING_MIXED_API,
					    obj->slot.site);
		}
	}
	set_slot(&obj->slot, c, c->type);
	if (c->is_free)
		return;
	obj->req = c->req;
	obj->alloc = c->alloc;
	object_live(l, obj, 1);
}

static void apply_to_frames(struct ledger *l, const struct change *c)
{
	uint64_t i, n = nr_frames(l, c);
	uint8_t order = __builtin_ctzll(n);
	bool matched = false;

	for (i = 0; i < n; i++) {
		struct slot *slot = slot_of(l, c, i);

		if (slot->state == SLOT_LIVE) {
			frame_live(l, slot, -1);
			if (c->is_free && !matched)
				match(l, c, slot, c->alloc,
				      l->page_size << slot->kind);
			matched = true;
		}
		set_slot(slot, c, order);
		if (!c->is_free)
			frame_live(l, slot, 1);
	}
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
	add_finding(l, &early, FINDING_FREE_UNKNOWN, NO_SITE);
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

static void add_contradiction(struct ledger *l, const struct change *c,
			      const struct slot *slot)
{
	if (!c->is_free)
		add_finding(l, c, FINDING_ALLOC_TWICE, slot->site);
	else if (slot->state == SLOT_FREED)
		add_finding(l, c, FINDING_FREE_TWICE, slot->site);
	else
		add_finding(l, c, FINDING_FREE_UNKNOWN, NO_SITE);
}

static void mark_settled(struct ledger *l, const struct change *c)
{
	uint64_t i, n = nr_slots(l, c);

	for (i = 0; i < n; i++)
		slot_of(l, c, i)->settled = 1;
}

static void take(struct ledger *l, const struct change *c, bool waited)
{
	struct slot *contradiction = find_contradiction(l, c);
	struct slot *slot = slot_of(l, c, 0);
	bool first = slot->first;

	if (contradiction)
		add_contradiction(l, c, contradiction);
	else if (slot->settled && c->is_free)
		unsettle(l, c, slot);
	if (c->space == SPACE_SLAB)
		apply_to_object(l, c, object_of(l, c));
	else
		apply_to_frames(l, c);

	if (waited)
		l->stats.settled++;
	if (waited && c->is_free && first)
		mark_settled(l, c);
}

/* Could a kernel have written this? What could not is kept out of the sums. */
static bool possible(const struct ledger *l, const struct change *c)
{
	uint64_t pages = nr_frames(l, c);

	if (!c->ptr)
		return false;
	if (c->space == SPACE_PAGES)
		return c->ptr % l->page_size == 0 &&
		       c->alloc % l->page_size == 0 &&
		       pages && !(pages & (pages - 1)) &&
		       pages <= 1 << MAX_ORDER &&
		       (c->is_free || (c->req && c->req <= c->alloc));
	return c->is_free || (c->req && c->req <= UINT32_MAX &&
			      c->alloc <= UINT32_MAX);
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
	rows[1] = table_row(&l->stats.sizes[c->space], c->alloc);
	for (i = 0; i < 2; i++) {
		rows[i]->allocs++;
		rows[i]->req += c->req;
		rows[i]->alloc += c->alloc;
	}
	if (c->alloc < c->req)
		add_finding(l, c, FINDING_SHORT, NO_SITE);
}

/* Does an event change what the ledger knows? */
static bool is_change(const struct kmemtrace_event *ev)
{
	return (ev->event_id == KMEMTRACE_EVENT_ALLOC ||
		ev->event_id == KMEMTRACE_EVENT_FREE) &&
	       ev->type_id <= KMEMTRACE_TYPE_PAGES;
}

static bool is_known(const struct kmemtrace_event *ev)
{
	switch (ev->event_id) {
	case KMEMTRACE_EVENT_ALLOC:
	case KMEMTRACE_EVENT_FREE:
	case KMEMTRACE_EVENT_FAILED:
		return ev->type_id < EVENT_NR_TYPES;
	case KMEMTRACE_EVENT_LOST:
	case KMEMTRACE_EVENT_CLOCK:
	case KMEMTRACE_EVENT_CACHE:
	case KMEMTRACE_EVENT_SNAPSHOT:
		return true;
	default:
		return false;
	}
}

static struct change change_of(const struct kmemtrace_event *ev)
{
	return (struct change) {
		.ptr = ev->ptr,
		.req = ev->bytes_req,
		.alloc = ev->bytes_alloc,
		.time = ev->timestamp,
		.type = ev->type_id,
		.space = ev->type_id == KMEMTRACE_TYPE_PAGES ? SPACE_PAGES :
							       SPACE_SLAB,
		.is_free = ev->event_id == KMEMTRACE_EVENT_FREE,
	};
}

/**
 * ledger_fits - does an event make sense as the next one?
 * @l: the ledger
 * @rec: the event
 *
 * Return: false when ledger_event() would find a contradiction. What is wrong
 * with the event itself is none: no other order would help.
 */
bool ledger_fits(struct ledger *l, const struct record *rec)
{
	struct change c = change_of(rec->ev);

	return !is_change(rec->ev) || !possible(l, &c) || !find_contradiction(l, &c);
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
	const struct kmemtrace_event *ev = rec->ev;
	struct change c = change_of(ev);

	if (!is_change(ev)) {
		l->stats.unknown_ids += !is_known(ev);
		return;
	}
	c.cpu = cpu;
	c.site = table_index(&l->stats.sites[c.space], ev->call_site);
	if (!possible(l, &c)) {
		add_finding(l, &c, FINDING_IMPOSSIBLE, NO_SITE);
		return;
	}
	count(l, &c);
	take(l, &c, waited);
}

/* An event on slab object @ptr comes soon: have its entry in the cache. */
void ledger_prefetch(const struct ledger *l, uint64_t ptr)
{
	objects_prefetch(&l->objects, ptr);
}

/* Give back all memory. */
void ledger_free(struct ledger *l)
{
	objects_free(&l->objects);
	frames_free(&l->frames);
	stats_free(&l->stats);
}
