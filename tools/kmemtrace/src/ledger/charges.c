// SPDX-License-Identifier: GPL-2.0
/*
 * charges.c - memory that is charged to memory cgroups
 *
 * A charge changes the kind of memory: its allocation and all that is counted of it from then
 * on belong to the cgroup. The kernel charges most objects shortly before it records their
 * allocation, and most pages after that. A charge of memory that seems to be free is pending
 * until its allocation. If there comes none before its free or the end of the trace, the memory
 * was live.
 */
#include "config.h"

#include <stdlib.h>

#include "ledger/charges.h"
#include "ledger/live.h"
#include "ledger/rules.h"

#define MIN_BITS	8
/* The last event of so many addresses is known. */
#define RECENT_SHIFT	12

/* ---- pending charges ---- */

static uint32_t home_of(const struct charges *c, uint64_t ptr)
{
	return hash_key(ptr, c->seed) >> (64 - c->bits);
}

/* Return where the charge of an address is, or would be. */
static struct charge *charge_at(const struct charges *c, enum space space, uint64_t ptr)
{
	uint32_t mask = (UINT32_C(1) << c->bits) - 1, at = home_of(c, ptr);

	while (c->list[at].cgroup && (c->list[at].ptr != ptr || c->list[at].space != space))
		at = (at + 1) & mask;
	return &c->list[at];
}

/* Double the list, half of which stays empty. Return false without memory. */
static bool grow_charges(struct charges *c, struct context *ctx)
{
	struct charges new = *c;
	size_t i, old = c->bits ? (size_t)1 << c->bits : 0;

	new.bits = c->bits ? c->bits + 1 : MIN_BITS;
	new.list = context_calloc(ctx, (size_t)1 << new.bits, sizeof(*new.list));
	if (!new.list)
		return false;
	if (!c->bits)
		new.seed = hash_seed();
	for (i = 0; i < old; i++)
		if (c->list[i].cgroup)
			*charge_at(&new, c->list[i].space, c->list[i].ptr) = c->list[i];
	free(c->list);
	*c = new;
	return true;
}

static void add_charge(struct ledger *l, const struct charge *new)
{
	struct charges *c = &l->charges;
	struct charge *charge;

	if ((!c->bits || c->nr == UINT32_C(1) << (c->bits - 1)) && !grow_charges(c, l->ctx))
		return;
	charge = charge_at(c, new->space, new->ptr);
	c->nr += !charge->cgroup;
	*charge = *new;
}

/* Remove a charge, and move those behind it that would not be found any more. */
static void remove_charge(struct charges *c, struct charge *charge)
{
	uint32_t mask = (UINT32_C(1) << c->bits) - 1, hole = charge - c->list, at = hole;

	for (;;) {
		at = (at + 1) & mask;
		if (!c->list[at].cgroup)
			break;
		if (((at - home_of(c, c->list[at].ptr)) & mask) < ((at - hole) & mask))
			continue;
		c->list[hole] = c->list[at];
		hole = at;
	}
	c->list[hole].cgroup = NO_CGROUP;
	c->nr--;
}

/* Return the cgroup to which the memory of an event is charged, or NO_CGROUP. */
uint32_t charges_pending(const struct ledger *l, const struct kmemtrace_event *ev)
{
	if (!l->charges.nr || ev->type_id >= EVENT_NR_TYPES)
		return NO_CGROUP;
	return charge_at(&l->charges, live_space(ev->type_id), ev->ptr)->cgroup;
}

/* ---- recent events ---- */

static struct recent *recent_of(const struct charges *c, uint64_t ptr)
{
	return &c->recent[hash_u64(ptr) >> (64 - RECENT_SHIFT)];
}

/**
 * charges_note - note an allocation or a free that was taken
 * @l: the ledger, whose trace has charges
 * @ev: the event
 *
 * A pending charge of the memory is settled then.
 */
void charges_note(struct ledger *l, const struct kmemtrace_event *ev)
{
	struct charges *c = &l->charges;
	struct charge *charge;

	if (!c->recent)
		return;
	*recent_of(c, ev->ptr) = (struct recent) {
		ev->ptr, ev->event_id == KMEMTRACE_EVENT_ALLOC ? RECENT_LIVE : RECENT_FREED
	};
	if (!c->nr)
		return;
	charge = charge_at(c, live_space(ev->type_id), ev->ptr);
	if (charge->cgroup)
		remove_charge(c, charge);
}

/*
 * Return whether a charge must be taken while no other thread works: its memory is live, as far
 * as recent events tell. Of pages that no recent event has, their state tells.
 */
bool charges_are_alone(const struct ledger *l, const struct kmemtrace_event *ev)
{
	const struct recent *recent;

	if (!l->charges.recent)
		return ev->type_id == KMEMTRACE_TYPE_PAGES;
	recent = recent_of(&l->charges, ev->ptr);
	if (recent->ptr != ev->ptr)
		return ev->type_id == KMEMTRACE_TYPE_PAGES;
	return recent->state == RECENT_LIVE;
}

/* ---- the kind of charged memory ---- */

/* Return whether the filter hides memory once it is charged. */
static bool hides_once_charged(struct ledger *l, const struct slot *slot, const struct kind *kind,
			       uint64_t bytes)
{
	const bool is_older = kind_is_older(kind);

	return selection_hides(l->selection, &(struct candidate) {
		.site = kind->site,
		.req = is_older ? 0 : bytes,
		.time = is_older ? INT64_MIN : slot->time,
		.cache = class_cache(kind->class),
		.cpu = is_older ? UNKNOWN_CPU : slot->cpu,
		.type = slot->type,
		.who = kind->who,
	});
}

/* Return the kind of memory once it is charged; NO_KIND without memory for it. */
static uint32_t charged_kind(struct ledger *l, const struct slot *slot, uint32_t cgroup,
			     uint64_t bytes)
{
	struct kind kind = *kinds_get(&l->kinds, slot->kind);
	const uint32_t task = l->who.parties[who_key_party(kind.who)].task;
	uint32_t i;

	kind.who = who_key(who_key_path(kind.who), who_party(&l->who, task, cgroup));
	ledger_hide_kind(l, &kind, l->selection && hides_once_charged(l, slot, &kind, bytes));
	i = kinds_index(&l->kinds, &kind);
	return work_fit(l) ? NO_KIND : i;
}

/* Count an allocation as one of another kind. */
static void move_alloc(struct shard_work *j, uint32_t from, uint32_t to, uint64_t req, int64_t time)
{
	work_count_allocs(j, from, -1, -req);
	work_count_allocs(j, to, 1, req);
	if (!j->s->has_cells)
		return;
	work_count_cell(j, from, time, CELLS_LIVE, &(struct cell) { .calls = -1 });
	work_count_cell(j, to, time, CELLS_LIVE, &(struct cell) { .calls = 1 });
}

/* Let an allocation that waits be of another kind. Return whether there is one. */
static bool charge_waiting(struct ledger *l, enum space space, uint64_t ptr, uint32_t cgroup)
{
	const unsigned int shard = ledger_shard_of(l, ptr);
	struct waiter *w = l->shards[shard].waiting;
	const struct waiter *end = w + l->shards[shard].nr_waiting;
	struct shard_work j;
	uint32_t kind;

	for (; w < end; w++)
		if (w->c.space == space && w->c.ptr == ptr && !w->c.is_free && !w->c.is_part)
			break;
	if (w == end)
		return false;
	kind = charged_kind(l, &(struct slot) {
		.time = w->c.time, .kind = w->c.kind, .cpu = w->c.cpu, .type = w->c.type,
	}, cgroup, w->c.req);
	if (kind == NO_KIND)
		return true;
	work_begin_alone(&j, l, shard);
	move_alloc(&j, w->c.kind, kind, w->c.req, w->c.time);
	w->c.kind = kind;
	return true;
}

/* ---- objects ---- */

/* Charge an object if it is live. Return whether it is. */
static bool charge_object(struct ledger *l, enum space space, uint64_t ptr, uint32_t cgroup)
{
	const unsigned int shard = ledger_shard_of(l, ptr);
	struct object *obj = objects_find(&l->shards[shard].objects[space], ptr);
	uint64_t req;
	uint32_t kind;
	struct shard_work j;

	if (charge_waiting(l, space, ptr, cgroup))
		return true;
	if (!obj || obj->slot.state != SLOT_LIVE)
		return false;
	req = class_size(kinds_get(&l->kinds, obj->slot.kind)->class) - obj->slot.spare;
	kind = charged_kind(l, &obj->slot, cgroup, req);
	if (kind == NO_KIND || kind == obj->slot.kind)
		return true;
	work_begin_alone(&j, l, shard);
	/* As if it had been charged from its allocation on. */
	j.now = CELLS_LIVE;
	rules_add_object(&j, space, ptr, &obj->slot, -1);
	if (!obj->slot.snapshot)
		move_alloc(&j, obj->slot.kind, kind, req, obj->slot.time);
	obj->slot.kind = kind;
	rules_add_object(&j, space, ptr, &obj->slot, 1);
	return true;
}

/* ---- pages ---- */

/**
 * struct charged_range - pages that are being charged
 * @cgroup: the cgroup
 * @bytes: of all of them
 * @first: the state of the first one before
 * @is_block: all of them are of one block, as far as they were charged
 * @has_live: any of them is live
 */
struct charged_range {
	uint32_t cgroup;
	uint64_t bytes;
	struct slot first;
	bool is_block, has_live;
};

/* Charge frames that share a slot. */
static void charge_frames(struct shard_work *j, struct charged_range *r, struct slot *slot,
			  uint64_t nr)
{
	uint32_t kind;

	if (!slot_is_allocated(slot)) {
		r->is_block = false;
		return;
	}
	if (!r->has_live)
		r->first = *slot;
	r->has_live = true;
	r->is_block &= slot->kind == r->first.kind && slot->time == r->first.time;
	kind = charged_kind(j->l, slot, r->cgroup, r->bytes);
	if (kind == NO_KIND || kind == slot->kind)
		return;
	work_begin_alone(j, j->l, j->s - j->l->shards);
	j->now = CELLS_LIVE;
	rules_add_frames(j, slot, -(int64_t)nr, NULL, false);
	slot->kind = kind;
	rules_add_frames(j, slot, nr, NULL, false);
}

static void charge_part(struct ledger *l, const struct block_part *part, struct charged_range *r)
{
	uint64_t local = frame_local(part->pfn), end = local + part->nr;
	struct frames_stretch stretch;
	struct shard_work j;

	work_begin_alone(&j, l, shard_of(part->pfn));
	for (; local < end; local += stretch.nr) {
		stretch = frames_stretch(&j.s->frames, local, end - local);
		charge_frames(&j, r, stretch.slot, stretch.nr);
	}
	frames_join(&j.s->frames, frame_local(part->pfn), part->nr);
}

/* If a whole block was charged, its allocation is one of the cgroup, too. */
static void charge_block(struct ledger *l, uint64_t ptr, const struct charged_range *r)
{
	const struct kind *kind = kinds_get(&l->kinds, r->first.kind);
	uint32_t charged;
	struct shard_work j;

	if (!r->is_block || r->first.snapshot || class_size(kind->class) != r->bytes)
		return;
	charged = charged_kind(l, &r->first, r->cgroup, r->bytes);
	if (charged == NO_KIND || charged == r->first.kind)
		return;
	work_begin_alone(&j, l, ledger_shard_of(l, ptr));
	move_alloc(&j, r->first.kind, charged, r->bytes, r->first.time);
}

/* Charge the pages that are live. Return whether any is. */
static bool charge_pages(struct ledger *l, uint64_t ptr, uint64_t bytes, uint32_t cgroup)
{
	struct charged_range r = { .cgroup = cgroup, .bytes = bytes, .is_block = true };
	struct block_part part;
	unsigned int i;

	if (charge_waiting(l, SPACE_PAGES, ptr, cgroup))
		return true;
	for (i = 0; i < NR_SHARDS; i++) {
		part = block_part(ptr >> l->page_shift, bytes >> l->page_shift, i);
		if (!part.nr)
			break;
		charge_part(l, &part, &r);
	}
	if (r.has_live)
		charge_block(l, ptr, &r);
	return r.has_live;
}

/* ---- records ---- */

/* Charge memory if it is live. Return whether it is. */
static bool charge_if_live(struct ledger *l, const struct charge *charge)
{
	return charge->space == SPACE_PAGES ?
	       charge_pages(l, charge->ptr, charge->bytes, charge->cgroup) :
	       charge_object(l, charge->space, charge->ptr, charge->cgroup);
}

/* Return whether pages could be where a charge says. */
static bool bytes_possible(const struct ledger *l, const struct charge *charge)
{
	const uint64_t mask = l->page_size - 1;

	if (charge->space != SPACE_PAGES)
		return true;
	return charge->bytes && !((charge->ptr | charge->bytes) & mask) &&
	       charge->bytes <= -charge->ptr &&
	       charge->bytes <= live_max_bytes(SPACE_PAGES, l->page_size);
}

/* Return whether a kernel could have written it. */
static bool is_possible_charge(const struct ledger *l, const struct kmemtrace_charge *charge)
{
	if (charge->type_id >= EVENT_NR_TYPES || !charge->ptr || !charge->cgroup)
		return false;
	return bytes_possible(l, &(struct charge) {
		.ptr = charge->ptr,
		.bytes = charge->bytes,
		.space = live_space(charge->type_id),
	});
}

/* From now on, recent events are noted. Return false without memory. */
static bool begin_noting(struct ledger *l)
{
	struct charges *c = &l->charges;

	if (!c->recent)
		c->recent = context_calloc(l->ctx, (size_t)1 << RECENT_SHIFT,
					   sizeof(*c->recent));
	l->usual_tail = 0;
	l->quick_tail = 0;
	return c->recent;
}

/**
 * charges_take - take a charge
 * @l: the ledger; no other thread uses it if charges_are_alone()
 * @rec: the record
 *
 * Return: false if no kernel could have written it.
 */
bool charges_take(struct ledger *l, const struct record *rec)
{
	const struct kmemtrace_charge *charge = (const void *)rec->ev;
	const bool is_alone = charges_are_alone(l, rec->ev);
	struct charge new;

	if (!is_possible_charge(l, charge))
		return false;
	new = (struct charge) {
		.ptr = charge->ptr,
		.bytes = charge->bytes,
		.cgroup = who_cgroup(&l->who, charge->cgroup),
		.space = live_space(charge->type_id),
	};
	if (!begin_noting(l) || new.cgroup == NO_CGROUP)
		return true;
	if (!is_alone || !charge_if_live(l, &new))
		add_charge(l, &new);
	return true;
}

/**
 * charges_settle - settle the pending charge of memory that is freed
 * @l: the ledger; no other thread uses it
 * @ev: the free
 */
void charges_settle(struct ledger *l, const struct kmemtrace_event *ev)
{
	struct charge *charge = charge_at(&l->charges, live_space(ev->type_id), ev->ptr);
	const struct charge copy = *charge;

	if (!copy.cgroup)
		return;
	remove_charge(&l->charges, charge);
	charge_if_live(l, &copy);
}

static int by_charge_address(const void *a, const void *b)
{
	const struct charge *x = a, *y = b;

	if (x->ptr != y->ptr)
		return x->ptr < y->ptr ? -1 : 1;
	return (int)x->space - (int)y->space;
}

/* After the last event, settle the charges that are still pending. */
void charges_end(struct ledger *l)
{
	struct charges *c = &l->charges;
	struct charge *list;
	size_t i, nr = 0;

	if (!c->nr)
		return;
	list = context_calloc(l->ctx, c->nr, sizeof(*list));
	for (i = 0; list && i >> c->bits == 0; i++)
		if (c->list[i].cgroup)
			list[nr++] = c->list[i];
	/* No result may depend on the order of the hash. */
	if (nr)
		qsort(list, nr, sizeof(*list), by_charge_address);
	for (i = 0; i < nr; i++)
		charge_if_live(l, &list[i]);
	free(list);
}

/* Free all memory. */
void charges_free(struct charges *c)
{
	free(c->list);
	free(c->recent);
}
