// SPDX-License-Identifier: GPL-2.0
/*
 * The ledger: what is live. Allocations and frees of one object, or of one page
 * frame, must alternate.
 *
 * Slab objects are matched by pointer, whatever API was called. Pages are
 * matched frame by frame, since blocks are split and merged between allocation
 * and free without an event.
 *
 * An event that breaks the alternation may have come from a CPU whose clock is
 * a little off. It is held for LEDGER_WINDOW_NS: if an event of another CPU
 * follows that makes sense before it, the two change places. Otherwise it is a
 * finding.
 *
 * One case stays open even so. A free of something unknown, then an allocation
 * on another CPU, are either that free's own allocation come late, or a second
 * life of something allocated before the trace began. The first is taken, and
 * the slot marked as settled; a free that follows proves the second.
 */
#include "config.h"

#include <string.h>

#include "ledger.h"

/* 16 GB pages of 64 kB frames are the largest blocks there are. */
#define MAX_ORDER	18

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

static struct object *object_of(struct ledger *l, const struct change *c)
{
	return objects_get(&l->objects, c->ptr, c->time);
}

/* The @i-th slot that @c touches; a slab object has one. */
static struct slot *slot_of(struct ledger *l, const struct change *c,
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

/* The free that @slot remembers came before a trace of its allocation. */
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

/* Change the state, whatever it was. Findings are the caller's business. */
static void apply(struct ledger *l, const struct change *c)
{
	struct slot *slot = slot_of(l, c, 0);

	if (slot->settled && c->is_free)
		unsettle(l, c, slot);
	if (c->space == SPACE_SLAB)
		apply_to_object(l, c, object_of(l, c));
	else
		apply_to_frames(l, c);
}

/* The first slot that @c contradicts, or NULL. */
static struct slot *find_contradiction(struct ledger *l, const struct change *c)
{
	uint64_t i, n = nr_slots(l, c);

	for (i = 0; i < n; i++) {
		struct slot *slot = slot_of(l, c, i);

		if (contradicts(slot, c))
			return slot;
	}
	return NULL;
}

static void mark_held(struct ledger *l, const struct change *c, bool held)
{
	uint64_t i, n = nr_slots(l, c);

	for (i = 0; i < n; i++)
		slot_of(l, c, i)->held = held;
}

static bool is_held(struct ledger *l, const struct change *c)
{
	uint64_t i, n = nr_slots(l, c);

	for (i = 0; i < n; i++)
		if (slot_of(l, c, i)->held)
			return true;
	return false;
}

/* Nothing came that explains @c: it is a finding. */
static void confirm(struct ledger *l, struct change *c)
{
	const struct slot *slot = find_contradiction(l, c);

	if (slot && !c->is_free)
		add_finding(l, c, FINDING_ALLOC_TWICE, slot->site);
	else if (slot && slot->state == SLOT_FREED)
		add_finding(l, c, FINDING_FREE_TWICE, slot->site);
	else if (slot)
		add_finding(l, c, FINDING_FREE_UNKNOWN, NO_SITE);
	mark_held(l, c, false);
	apply(l, c);
	c->ptr = 0;
}

static struct change *held_at(struct ledger *l, unsigned int i)
{
	return &l->held[(l->first_held + i) % LEDGER_MAX_HELD];
}

static void confirm_first(struct ledger *l)
{
	struct change *c = held_at(l, 0);

	if (c->ptr)
		confirm(l, c);
	l->first_held = (l->first_held + 1) % LEDGER_MAX_HELD;
	l->nr_held--;
}

static void hold(struct ledger *l, const struct change *c)
{
	if (l->nr_held == LEDGER_MAX_HELD)
		confirm_first(l);
	*held_at(l, l->nr_held++) = *c;
	mark_held(l, c, true);
}

static bool overlap(const struct change *a, const struct change *b)
{
	if (!a->ptr || a->space != b->space)
		return false;
	if (a->space == SPACE_SLAB)
		return a->ptr == b->ptr;
	return a->ptr < b->ptr + b->alloc && b->ptr < a->ptr + a->alloc;
}

/* Would @late, on another CPU, make sense before @early? */
static bool may_swap(const struct change *early, const struct change *late)
{
	if (early->cpu == late->cpu || early->is_free == late->is_free)
		return false;
	return early->ptr == late->ptr && (early->space == SPACE_SLAB ||
					   early->alloc == late->alloc);
}

/* Put @late before @early, which is held. */
static void swap(struct ledger *l, struct change *early,
		 const struct change *late)
{
	bool unknown = slot_of(l, early, 0)->state == SLOT_UNKNOWN;
	uint64_t i, n = nr_slots(l, early);

	mark_held(l, early, false);
	apply(l, late);
	apply(l, early);
	for (i = 0; i < n; i++)
		slot_of(l, early, i)->settled = early->is_free && unknown;
	l->stats.settled++;
	early->ptr = 0;
}

/* Decide about what is held on the slots of @c. True when that took @c in. */
static bool settle(struct ledger *l, const struct change *c)
{
	unsigned int i;

	for (i = 0; i < l->nr_held; i++) {
		struct change *early = held_at(l, i);

		if (!overlap(early, c))
			continue;
		if (may_swap(early, c)) {
			swap(l, early, c);
			return true;
		}
		confirm(l, early);
	}
	return false;
}

static void expire(struct ledger *l, int64_t time)
{
	while (l->nr_held && (uint64_t)time - (uint64_t)held_at(l, 0)->time >
			     LEDGER_WINDOW_NS)
		confirm_first(l);
}

/* Nearly every event: one lookup in the largest table is enough. */
static bool take_plain(struct ledger *l, const struct change *c)
{
	struct object *obj;

	if (c->space != SPACE_SLAB)
		return false;
	obj = object_of(l, c);
	if (obj->slot.held || obj->slot.settled || contradicts(&obj->slot, c))
		return false;
	apply_to_object(l, c, obj);
	return true;
}

static void take(struct ledger *l, const struct change *c)
{
	if (take_plain(l, c))
		return;
	if (is_held(l, c) && settle(l, c))
		return;
	if (find_contradiction(l, c))
		hold(l, c);
	else
		apply(l, c);
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
		       pages <= 1 << MAX_ORDER;
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

/**
 * ledger_event - take in the next event
 * @l: the ledger
 * @ev: the event
 * @cpu: whose stream it is from
 * @time: its place in the merged order; never goes back
 */
void ledger_event(struct ledger *l, const struct kmemtrace_event *ev,
		  unsigned int cpu, int64_t time)
{
	struct change c = {
		.ptr = ev->ptr,
		.req = ev->bytes_req,
		.alloc = ev->bytes_alloc,
		.time = time,
		.cpu = cpu,
		.type = ev->type_id,
		.space = ev->type_id == KMEMTRACE_TYPE_PAGES ? SPACE_PAGES :
							       SPACE_SLAB,
		.is_free = ev->event_id == KMEMTRACE_EVENT_FREE,
	};

	expire(l, time);
	if ((!c.is_free && ev->event_id != KMEMTRACE_EVENT_ALLOC) ||
	    ev->type_id >= EVENT_NR_TYPES) {
		l->stats.unknown_ids++;
		return;
	}
	c.site = table_index(&l->stats.sites[c.space], ev->call_site);
	if (!possible(l, &c)) {
		add_finding(l, &c, FINDING_IMPOSSIBLE, NO_SITE);
		return;
	}
	count(l, &c);
	take(l, &c);
}

/* An event on slab object @ptr comes soon: have its entry in the cache. */
void ledger_prefetch(const struct ledger *l, uint64_t ptr)
{
	objects_prefetch(&l->objects, ptr);
}

/* The trace is over: nothing that is held can be explained any more. */
void ledger_finish(struct ledger *l)
{
	while (l->nr_held)
		confirm_first(l);
}

/* Give back all memory. */
void ledger_free(struct ledger *l)
{
	objects_free(&l->objects);
	frames_free(&l->frames);
	stats_free(&l->stats);
}
