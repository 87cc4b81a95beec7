// SPDX-License-Identifier: GPL-2.0
/*
 * timeline.c - add the effects of changes to the history, in the order of events
 *
 * The owners at a peak are counted at the end of its batch. Then the effects of the changes
 * after the peak are subtracted.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ledger/total.h"
#include "ledger/sample.h"
#include "ledger/timeline.h"
#include "common/bits.h"

/* ---- steps ---- */

/**
 * timeline_begin_stretch - begin another step of the history in a batch
 * @l: the ledger; other threads may work on shards
 * @b: the batch
 * @time: of the next change, after the current step
 *
 * While the history is empty, a batch has one stretch.
 *
 * Return: false if the batch is full.
 */
bool timeline_begin_stretch(const struct ledger *l, struct batch *b, int64_t time)
{
	struct stretch *stretch = &b->stretches[b->nr_stretches];

	if (b->nr_stretches == BATCH_MAX_STRETCHES)
		return false;
	if (!b->nr_stretches)
		b->steps = (struct steps) {
			.begin = l->history.begin,
			.width = l->history.width,
			.end = UINT64_MAX,
		};
	if (b->steps.width)
		b->steps.end = history_step_end(b->steps.begin, &b->steps.width, time);
	stretch->time = time;
	memcpy(stretch->before, b->sums, sizeof(b->sums));
	b->nr_stretches++;
	return true;
}

/* ---- filters ---- */

static bool is_hidden(const struct ledger *l, uint32_t kind)
{
	return kind != NO_KIND && kind_is_hidden(kinds_get(&l->kinds, kind));
}

/*
 * Clear an effect that a filter excludes. Without a branch: which ones it excludes can't be
 * predicted.
 */
static inline void hide_effect(const struct ledger *l, struct effect *effect)
{
	const uint64_t mask = mask_of(!is_hidden(l, effect->kind));

	effect->nr &= mask;
	effect->bytes &= mask;
}

/* Clear the effects of a batch that a filter excludes. */
static void hide_effects(const struct ledger *l, struct batch *b)
{
	struct effect *effect, *end;
	int space;

	for (space = 0; space < NR_SPACES; space++) {
		effect = &b->effects[batch_effects(space)];
		end = effect + batch_changes(b, space);
		for (; effect < end; effect++)
			hide_effect(l, effect);
	}
}

static void hide_changes(const struct ledger *l, struct segment *seg)
{
	uint32_t i;

	for (i = 0; i < seg->nr; i++) {
		struct change *c = &seg->changes[i];

		/* From here on, it must not be counted as an allocation. */
		c->is_free |= c->is_hidden;
		if (l->selection && c->time < l->selection->begin)
			c->time = l->selection->begin;
	}
}

/* ---- samples ---- */

/* Multiply the effect on sampled objects. */
static void weigh_effect(const struct ledger *l, struct effect *effect)
{
	unsigned int weight;

	if (l->one_of == 1 || effect->kind == NO_KIND)
		return;
	weight = sample_weight(l, kinds_get(&l->kinds, effect->kind));
	effect->nr *= (int32_t)weight;
	effect->bytes *= weight;
}

static void weigh_changes(const struct ledger *l, struct batch *b, const struct segment *seg)
{
	uint32_t i;

	for (i = 0; i < seg->nr; i++)
		weigh_effect(l, &b->effects[seg->changes[i].place]);
}

/* Count the allocations for which sampled ones stand, after take_changes() counted these. */
static void weigh_steps(struct ledger *l, const struct segment *seg)
{
	struct history *h = &l->history;
	uint32_t i;

	for (i = 0; i < seg->nr; i++) {
		const struct change *c = &seg->changes[i];
		unsigned int others = sample_weight(l, kinds_get(&l->kinds, c->kind)) - 1;
		struct history_step *step = history_step_at(h, c->time);

		if (c->is_free || !others)
			continue;
		step->allocs[c->space] += others;
		step->bytes[c->space] += others * c->alloc;
	}
}

/* ---- the beginning of what counts ---- */

/* Return whether a time is too early to count. If not, the history begins. */
static bool is_before_begin(struct ledger *l, int64_t time)
{
	if (!l->selection || l->selection->begin == INT64_MIN)
		return false;
	if (time < l->selection->begin)
		return true;
	if (!l->history.nr_steps)
		history_step(&l->history, l->selection->begin);
	return false;
}

/* ---- extra effects ---- */

/* By event; those of one event are all of one shard, in its order, or of parts of a block. */
static int by_extra_event(const void *a, const void *b)
{
	const struct extra *x = a, *y = b;
	int order = compare_events(x->at, y->at);

	return order ? order : (x->nr > y->nr) - (x->nr < y->nr);
}

/* Make room for @nr extra effects. Returns false without memory. */
static bool make_room_for_extras(struct ledger *l, size_t nr)
{
	struct extra *extras;

	if (nr <= l->room_extras)
		return true;
	extras = context_realloc(l->ctx, l->extras, 2 * nr, sizeof(*extras));
	if (!extras)
		return false;
	l->extras = extras;
	l->room_extras = 2 * nr;
	return true;
}

/* Collect the extra effects of all shards, by event. Returns how many there are. */
static size_t collect_extras(struct ledger *l)
{
	size_t nr = 0, i, j;

	for (i = 0; i < NR_SHARDS; i++)
		nr += l->shards[i].nr_extras;
	if (!nr || !make_room_for_extras(l, nr))
		return 0;
	for (i = 0, nr = 0; i < NR_SHARDS; i++)
		for (j = 0; j < l->shards[i].nr_extras; j++, nr++) {
			l->extras[nr] = l->shards[i].extras[j];
			l->extras[nr].nr = nr;
			if (l->hides)
				hide_effect(l, &l->extras[nr].effect);
			weigh_effect(l, &l->extras[nr].effect);
		}
	qsort(l->extras, nr, sizeof(*l->extras), by_extra_event);
	return nr;
}

/* ---- owners at a peak ---- */

static enum space space_of(const struct ledger *l, uint32_t kind)
{
	return kind_space(kinds_get(&l->kinds, kind));
}

/* Count the live memory of each kind as it is after the batch. */
static void count_owners(struct ledger *l, enum space space)
{
	int64_t *nr = owners_count(&l->owners[space], l->kinds.nr);
	uint32_t i;

	for (i = 0; nr && i < l->kinds.nr; i++) {
		const struct kind *kind = kinds_get(&l->kinds, i);
		bool counts = kind_space(kind) == space && !kind_is_hidden(kind) &&
			      !(l->older[space] && kind_is_older(kind));

		nr[i] = counts ? total_live(l, i).live : 0;
	}
}

/* ---- a batch whose changes have one effect each: each allocator apart ---- */

/* Log the effects at the places from @from to @to, without the last. */
static void log_places(struct owners *o, const struct batch *b, uint32_t from, uint32_t to)
{
	for (; from < to; from++)
		owners_log(o, b->effects[from].kind, b->effects[from].nr);
}

/* Undo the effects at the places from @from to @to, without the last. */
static void undo_places(struct owners *o, const struct batch *b, uint32_t from, uint32_t to)
{
	for (; from < to; from++)
		owners_undo(o, b->effects[from].kind, b->effects[from].nr);
}

static int64_t time_at(const struct batch *b, enum space space, uint32_t place)
{
	unsigned int shard;
	uint32_t i;

	for (shard = 0; shard < NR_SHARDS; shard++) {
		const struct segment *seg = &b->segments[shard];

		for (i = 0; i < seg->nr; i++)
			if (seg->changes[i].space == space && seg->changes[i].place == place)
				return seg->changes[i].time;
	}
	return 0;
}

/* Return the first place after which @most bytes are live, from @live on. */
static uint32_t find_most(const struct batch *b, enum space space, int64_t live,
			  int64_t most)
{
	uint32_t i = batch_effects(space);

	while ((live += b->effects[i].bytes) != most)
		i++;
	return i;
}

/* There is a new peak of @most bytes; @before are live before the batch. */
static void take_peak(struct ledger *l, const struct batch *b, enum space space,
		      int64_t before, int64_t most)
{
	uint32_t place = find_most(b, space, before, most), end = b->sums[space].next;
	struct peak *peak = &l->history.peaks[space];
	struct owners *o = &l->owners[space];

	peak->bytes = most;
	peak->time = time_at(b, space, place);
	if (owners_follow(o, batch_changes(b, space))) {
		log_places(o, b, batch_effects(space), place + 1);
		owners_peak(o);
		log_places(o, b, place + 1, end);
	} else {
		count_owners(l, space);
		undo_places(o, b, place + 1, end);
	}
}

/* Add the changes of one allocator in one step. Returns how much was live at most. */
static int64_t take_stretch(struct history *h, struct history_step *step,
			    const struct batch *b, enum space space,
			    const struct batch_sum *from, const struct batch_sum *to)
{
	step->allocs[space] += to->events[0] - from->events[0];
	step->bytes[space] += to->bytes[0] - from->bytes[0];
	return history_effects(h, step, space, &b->effects[from->next],
			       to->next - from->next);
}

static void take_stretches(struct ledger *l, struct batch *b)
{
	int64_t before[NR_SPACES], most[NR_SPACES] = { 0 };
	struct history *h = &l->history;
	unsigned int i;
	int space;

	memcpy(before, h->live, sizeof(before));
	for (i = 0; i < b->nr_stretches; i++) {
		const struct stretch *stretch = &b->stretches[i];
		struct history_step *step = history_step(h, stretch->time);
		const struct batch_sum *end = i + 1 < b->nr_stretches ?
					      stretch[1].before : b->sums;

		for (space = 0; space < NR_SPACES; space++) {
			int64_t n = take_stretch(h, step, b, space,
						 &stretch->before[space], &end[space]);

			most[space] = n > most[space] ? n : most[space];
		}
	}
	for (space = 0; space < NR_SPACES; space++) {
		if (most[space] > h->peaks[space].bytes)
			take_peak(l, b, space, before[space], most[space]);
		else if (owners_follow(&l->owners[space], batch_changes(b, space)))
			log_places(&l->owners[space], b, batch_effects(space),
				   b->sums[space].next);
	}
}

/* ---- any batch: change by change ---- */

/**
 * struct timeline_walk - a position in a batch, by time
 * @next: by shard, the next change
 * @change: the next change of all
 * @extra: the next extra effect
 * @nr_extras: how many there are
 */
struct timeline_walk {
	uint32_t next[NR_SHARDS];
	uint32_t change;
	size_t extra, nr_extras;
};

/* Return the next change and its effect; NULL at the end. */
static inline const struct change *next_change(struct timeline_walk *w,
					       const struct batch *b,
					       const struct effect **effect)
{
	const struct change *c;
	unsigned int shard;

	if (w->change == b->nr)
		return NULL;
	shard = b->shards[w->change++];
	c = &b->segments[shard].changes[w->next[shard]++];
	*effect = &b->effects[c->place];
	return c;
}

/* Return the next extra effect of an event; NULL at the end. */
static inline const struct effect *next_extra(struct timeline_walk *w, const struct ledger *l,
					      uint32_t event)
{
	if (w->extra == w->nr_extras || l->extras[w->extra].at != event)
		return NULL;
	return &l->extras[w->extra++].effect;
}

/* Pass the effects of one allocator from @w on, up to @end or to the last one. */
static void each_effect(struct ledger *l, const struct batch *b, enum space space,
			struct timeline_walk w, const struct timeline_walk *end,
			void (*each)(struct owners *o, uint32_t kind, int32_t nr))
{
	uint32_t changes = end ? end->change : b->nr;
	size_t extras = end ? end->extra : w.nr_extras;
	const struct effect *effect;

	while (w.change < changes && next_change(&w, b, &effect))
		if (effect->kind != NO_KIND && space_of(l, effect->kind) == space)
			each(&l->owners[space], effect->kind, effect->nr);
	for (; w.extra < extras; w.extra++) {
		effect = &l->extras[w.extra].effect;
		if (effect->kind != NO_KIND && space_of(l, effect->kind) == space)
			each(&l->owners[space], effect->kind, effect->nr);
	}
}

static void find_owners(struct ledger *l, const struct batch *b, enum space space,
			const struct timeline_walk *peak, size_t nr_extras)
{
	const struct timeline_walk begin = { .nr_extras = nr_extras };
	struct owners *o = &l->owners[space];
	bool is_logged = owners_follow(o, b->nr + nr_extras);

	if (!peak) {
		if (is_logged)
			each_effect(l, b, space, begin, NULL, owners_log);
	} else if (is_logged) {
		each_effect(l, b, space, begin, peak, owners_log);
		owners_peak(o);
		each_effect(l, b, space, *peak, NULL, owners_log);
	} else {
		count_owners(l, space);
		each_effect(l, b, space, *peak, NULL, owners_undo);
	}
}

static void take_changes(struct ledger *l, const struct batch *b, size_t nr_extras)
{
	struct timeline_walk peaks[NR_SPACES], w = { .nr_extras = nr_extras };
	struct history *h = &l->history;
	bool found[NR_SPACES] = { false };
	const struct effect *effect;
	const struct change *c;
	int i;

	while ((c = next_change(&w, b, &effect))) {
		struct history_step *step = history_step(h, c->time);
		enum space space = c->space;

		step->allocs[space] += !c->is_free & !c->is_rest;
		step->bytes[space] += c->alloc & ~mask_of(c->is_free);
		if (history_add(h, step, space, effect->bytes, c->time)) {
			found[space] = true;
			peaks[space] = w;
		}
		while ((effect = next_extra(&w, l, c->event))) {
			space = space_of(l, effect->kind);
			if (!history_add(h, step, space, effect->bytes, c->time))
				continue;
			found[space] = true;
			peaks[space] = w;
		}
	}
	for (i = 0; i < NR_SPACES; i++)
		find_owners(l, b, i, found[i] ? &peaks[i] : NULL, nr_extras);
}

/* ---- public interface ---- */

static int64_t last_time(const struct batch *b)
{
	const struct segment *seg = &b->segments[b->shards[b->nr - 1]];

	return seg->changes[seg->nr - 1].time;
}

/* Return whether the first change of a batch is too early to count. */
static bool begins_within(const struct ledger *l, const struct batch *b)
{
	return l->selection && b->stretches[0].time < l->selection->begin;
}

/**
 * timeline_batch - add the effects of a batch
 * @l: the ledger
 * @b: the batch, after all of its shards; only batch_clear() may follow
 */
void timeline_batch(struct ledger *l, struct batch *b)
{
	size_t nr_extras = collect_extras(l), i;

	if (!b->nr || is_before_begin(l, last_time(b)))
		return;
	if (l->hides)
		hide_effects(l, b);
	if (!nr_extras && b->steps.width && l->one_of == 1 && !begins_within(l, b)) {
		take_stretches(l, b);
		return;
	}
	for (i = 0; l->hides && i < NR_SHARDS; i++)
		hide_changes(l, &b->segments[i]);
	for (i = 0; l->one_of > 1 && i < NR_SHARDS; i++)
		weigh_changes(l, b, &b->segments[i]);
	take_changes(l, b, nr_extras);
	for (i = 0; l->one_of > 1 && i < NR_SHARDS; i++)
		weigh_steps(l, &b->segments[i]);
}

static void log_effect(struct ledger *l, enum space space, const struct effect *effect)
{
	if (effect->kind != NO_KIND && space_of(l, effect->kind) == space)
		owners_log(&l->owners[space], effect->kind, effect->nr);
}

/* Changes outside of a batch have one time: only their sum may be a peak. */
static void take_change_alone(struct ledger *l, enum space space, int64_t bytes, int64_t time,
			      size_t nr_extras)
{
	struct history *h = &l->history;
	bool is_peak = history_add(h, history_step(h, time), space, bytes, time);
	size_t i;

	if (owners_follow(&l->owners[space], nr_extras + 1)) {
		log_effect(l, space, &l->alone);
		for (i = 0; i < nr_extras; i++)
			log_effect(l, space, &l->extras[i].effect);
		if (is_peak)
			owners_peak(&l->owners[space]);
	} else if (is_peak) {
		count_owners(l, space);
	}
}

/**
 * timeline_alone - add the effects of an event outside of a batch
 * @l: the ledger
 * @time: when
 */
void timeline_alone(struct ledger *l, int64_t time)
{
	size_t i, nr = collect_extras(l);
	int64_t bytes[NR_SPACES] = { 0 };
	int space;

	if ((!nr && l->alone.kind == NO_KIND) || is_before_begin(l, time))
		return;
	hide_effect(l, &l->alone);
	weigh_effect(l, &l->alone);
	if (l->alone.kind != NO_KIND)
		bytes[space_of(l, l->alone.kind)] = l->alone.bytes;
	for (i = 0; i < nr; i++)
		bytes[space_of(l, l->extras[i].effect.kind)] += l->extras[i].effect.bytes;
	for (space = 0; space < NR_SPACES; space++)
		take_change_alone(l, space, bytes[space], time, nr);
}

/**
 * timeline_older - keep the effects of a record of the snapshot for timeline_raise()
 * @l: the ledger, with @is_behind
 */
void timeline_older(struct ledger *l)
{
	size_t i, nr = collect_extras(l);

	hide_effect(l, &l->alone);
	weigh_effect(l, &l->alone);
	if (l->alone.kind != NO_KIND)
		l->older[space_of(l, l->alone.kind)] += l->alone.bytes;
	for (i = 0; i < nr; i++)
		l->older[space_of(l, l->extras[i].effect.kind)] += l->extras[i].effect.bytes;
}

/* Add the older memory to the owners of a peak. */
static void raise_owners(struct ledger *l, enum space space)
{
	int64_t *nr = owners_add(&l->owners[space], l->kinds.nr);
	uint32_t i;

	for (i = 0; nr && i < l->kinds.nr; i++) {
		const struct kind *kind = kinds_get(&l->kinds, i);

		if (kind_space(kind) == space && kind_is_older(kind) && !kind_is_hidden(kind))
			nr[i] += total_live(l, i).live;
	}
}

/**
 * timeline_raise - add memory that was live from before the first event to all of the history
 * @l: the ledger; with @is_behind, the snapshot is complete
 */
void timeline_raise(struct ledger *l)
{
	int space;

	for (space = 0; space < NR_SPACES; space++) {
		if (!l->older[space])
			continue;
		history_raise(&l->history, l->begin, space, l->older[space]);
		raise_owners(l, space);
		l->older[space] = 0;
	}
}

/* Begin another phase of the boot; see history_phase(). */
bool timeline_phase(struct ledger *l, unsigned int id, int64_t time)
{
	return history_phase(&l->history, id, time, is_before_begin(l, time));
}

/* End the history. */
void timeline_end(struct ledger *l)
{
	int space;

	/* The snapshot may lack its end. */
	timeline_raise(l);
	history_end(&l->history);
	for (space = 0; space < NR_SPACES; space++)
		owners_end(&l->owners[space]);
}
