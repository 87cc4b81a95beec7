// SPDX-License-Identifier: GPL-2.0
/*
 * findings.c - classify a change that contradicts the state of its slot
 */
#include "config.h"

#include "ledger/findings.h"
#include "ledger/rules.h"
#include "ledger/slots.h"

/* Slab objects begin at multiples of this: a word of the smallest machine. */
#define MIN_ALIGN	4

/* Lookups in a shard that searches of frames may make: some, and more with each event. */
#define FREE_LOOKUPS		(UINT64_C(1) << 18)
#define LOOKUPS_PER_EVENT	64

/* Add a finding: @c contradicts the event in @slot. */
static struct note *add_finding(struct shard_work *j, const struct change *c,
				enum finding_class class, const struct slot *slot)
{
	struct note *note = work_note(j, c, class);
	const struct kind *kind = work_kind(j, slot->kind);

	note->finding.site = kind->site;
	note->finding.is_hidden &= kind_is_hidden(kind);
	note->finding.time_before = slot->time;
	note->finding.cpu_before = slot->cpu;
	return note;
}

/* ---- frees of unknown memory ---- */

/* Return whether the frame of @c is live by the snapshot, and not known as a slab's. */
bool findings_in_older_page(struct shard_work *j, const struct change *c)
{
	const struct slot *frame = work_frame(j, c->ptr);

	if (c->older_page)
		return true;
	return frame->state == SLOT_LIVE && frame->snapshot && !frame->slab;
}

static bool was_large_kmalloc(struct shard_work *j, const struct change *c)
{
	return c->type == KMEMTRACE_TYPE_KMALLOC &&
	       c->ptr % j->l->page_size == 0 && findings_in_older_page(j, c);
}

/* Add a free of unknown memory, unless the snapshot explains it. */
void findings_add_unknown(struct shard_work *j, const struct change *c)
{
	const struct baseline *b = &j->l->stats.baseline;
	struct baseline *sums = &j->s->baseline;
	struct note *note;

	if (!b->complete || b->without[c->space]) {
		work_note(j, c, FINDING_FREE_UNKNOWN);
	} else if (c->time <= b->end) {
		sums->freed_during[c->space] += rules_counts(j, c);
	} else if (c->space == SPACE_SLAB && was_large_kmalloc(j, c)) {
		sums->large_kmalloc += rules_counts(j, c);
	} else {
		note = work_note(j, c, FINDING_FREE_UNEXPLAINED);
		/* The object may be in one of the slabs that the snapshot lacks. */
		if (c->space == SPACE_SLAB && findings_in_older_page(j, c))
			note->frame = c->ptr & -j->l->page_size;
	}
}

/* Add a change that contradicts the state of a slot. */
void findings_add_contradiction(struct shard_work *j, const struct change *c,
				const struct slot *slot)
{
	if (!c->is_free)
		add_finding(j, c, FINDING_ALLOC_TWICE, slot);
	else if (slot->state == SLOT_FREED)
		add_finding(j, c, FINDING_FREE_TWICE, slot);
	else
		findings_add_unknown(j, c);
}

/* Add a free by another interface than the allocation; the ledger knows if that is legal. */
void findings_check_api(struct shard_work *j, const struct change *c,
			const struct slot *slot)
{
	struct note *note;

	if (slot->type == c->type || slot->type == SLOT_ANY_TYPE)
		return;
	note = add_finding(j, c, FINDING_MIXED_API, slot);
	note->type = c->type;
	note->class = work_kind(j, slot->kind)->class;
}

/* ---- pages that are freed while objects in them are live ---- */

/* End the life of an object whose page @c frees. */
static void end_object(struct shard_work *j, const struct change *c, struct object *obj)
{
	struct change of_object = *c;

	of_object.ptr = obj->ptr;
	of_object.is_part = false;
	add_finding(j, &of_object, FINDING_FREE_IN_USE, &obj->slot);
	of_object.space = SPACE_SLAB;
	of_object.is_free = false;
	lives_end(j, &of_object, &obj->slot, obj->ptr, work_sum(j, obj->slot.kind)->size);
	rules_add_object(j, SPACE_SLAB, obj->ptr, &obj->slot, -1);
	obj->slot = (struct slot) {
		.time = c->time,
		.kind = c->kind,
		.cpu = c->cpu,
		.type = obj->slot.type,
		.state = SLOT_FREED,
	};
}

/*
 * Return whether the limit allows to search a frame. The metadata says how large a page is,
 * so that without a limit a few events could take any time.
 */
static bool may_search(const struct shard_work *j)
{
	return j->s->lookups < FREE_LOOKUPS + LOOKUPS_PER_EVENT * (uint64_t)j->at;
}

/* End the lives of all objects in a frame, as far as the limit allows. */
static void end_objects(struct shard_work *j, const struct change *c, uint64_t pfn)
{
	uint64_t ptr = pfn << j->l->page_shift;
	uint64_t end = ptr + j->l->page_size;
	const struct slot *frame = frames_get(&j->s->frames, pfn);
	struct object *obj;

	if (!may_search(j))
		return;
	for (; frame->objects && ptr < end; ptr += MIN_ALIGN) {
		obj = objects_find(&j->s->objects[SPACE_SLAB], ptr);
		if (obj && obj->slot.state == SLOT_LIVE)
			end_object(j, c, obj);
		j->s->lookups++;
	}
}

static void add_overlap(struct shard_work *j, const struct change *c)
{
	unsigned int shard = shard_of(c->ptr >> j->l->page_shift);
	struct slots s = slots_of(j, c);

	if (c->space == SPACE_SLAB) {
		add_finding(j, c, FINDING_IN_FREE_PAGES, work_frame(j, c->ptr));
		return;
	}
	while (slots_next(&s))
		if (s.slot->objects && s.nr == 1)
			end_objects(j, c, frame_global(shard, s.local));
}

/* Return whether @c may have been in progress when the snapshot already had its result. */
static bool was_in_transit(const struct slot *slot, const struct change *c)
{
	return !c->is_free && slot->snapshot && !slot->reserved;
}

/* Add the findings of a change that doesn't fit. */
void findings_add(struct shard_work *j, const struct change *c)
{
	struct slots s = slots_of(j, c);
	struct slot slot;

	while (slots_next(&s)) {
		if (!rules_contradict(s.slot, c) || was_in_transit(s.slot, c))
			continue;
		slot = *s.slot;
		findings_add_contradiction(j, c, &slot);
		break;
	}
	if (slots_overlap(j, c))
		add_overlap(j, c);
}
