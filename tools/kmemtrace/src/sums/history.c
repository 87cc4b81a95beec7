// SPDX-License-Identifier: GPL-2.0
/*
 * How what lives grew and shrank, from what each change did, in the order of time.
 *
 * Who owned what lived at the peak is known only then. A batch with a new peak has the
 * sums of all kinds at its end, less what the changes after the peak did.
 */
#include "config.h"

#include <string.h>

#include "books/books.h"
#include "common/memory.h"
#include "sums/history.h"

/* Nanoseconds of a step, at first. */
#define MIN_WIDTH	1000

/* ---- steps ---- */

/* Two steps become one. */
static void join(struct history_step *to, const struct history_step *a, const struct history_step *b)
{
	struct history_step sum = *b;
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		sum.allocs[i] += a->allocs[i];
		sum.bytes[i] += a->bytes[i];
		if (a->most[i] > sum.most[i])
			sum.most[i] = a->most[i];
	}
	*to = sum;
}

static void widen(struct history *h)
{
	unsigned int i;

	for (i = 0; i < h->nr_steps / 2; i++)
		join(&h->steps[i], &h->steps[2 * i], &h->steps[2 * i + 1]);
	if (h->nr_steps % 2)
		h->steps[i] = h->steps[h->nr_steps - 1];
	h->nr_steps = (h->nr_steps + 1) / 2;
	h->width *= 2;
}

/* In a new step, there is at first what there was. */
static void begin_step(struct history *h)
{
	struct history_step *step = &h->steps[h->nr_steps++];

	memset(step, 0, sizeof(*step));
	memcpy(step->most, h->live, sizeof(step->most));
	memcpy(step->live, h->live, sizeof(step->live));
}

static void keep_larger(int64_t *most, const int64_t *other)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		if (other[i] > most[i])
			most[i] = other[i];
}

/*
 * The current step ends, or its phase does: what lived at most in it since its phase
 * began is known. So nothing has to be done for a phase with each event.
 */
static void end_step(struct history *h)
{
	struct history_step *step = &h->steps[h->nr_steps - 1];

	if (!h->nr_phases)
		return;
	keep_larger(h->phases[h->nr_phases - 1].most, step->most);
	keep_larger(step->most, h->before_phase);
	memset(h->before_phase, 0, sizeof(h->before_phase));
}

/* Go on to the step of a time, which isn't before any other, but may have any value. */
static void go_on(struct history *h, int64_t time)
{
	uint64_t since = (uint64_t)time - (uint64_t)h->begin;

	if (!h->nr_steps) {
		h->begin = time;
		h->width = MIN_WIDTH;
		begin_step(h);
	} else {
		/* The time is behind the last step: there is always a new one. */
		end_step(h);
		while (since / h->width >= HISTORY_STEPS)
			widen(h);
		while (h->nr_steps <= since / h->width)
			begin_step(h);
	}
	h->end = h->nr_steps * h->width;
}

static inline struct history_step *step_at(struct history *h, int64_t time)
{
	if ((uint64_t)time - (uint64_t)h->begin >= h->end)
		go_on(h, time);
	return &h->steps[h->nr_steps - 1];
}

/* The same for a batch, which knows no more than where the steps began. */
static void find_end(struct steps *s, int64_t time)
{
	uint64_t since = (uint64_t)time - (uint64_t)s->begin;

	while (since / s->width >= HISTORY_STEPS)
		s->width *= 2;
	s->end = (since / s->width + 1) * s->width;
}

/**
 * history_begin_stretch - a batch comes to a time that is in none of its steps
 * @h: the history; other threads may do ledger_shard()
 * @b: the batch
 * @time: not before any other
 *
 * While the history hasn't begun, a batch has one stretch.
 *
 * Return: false if the batch is full.
 */
bool history_begin_stretch(const struct history *h, struct batch *b, int64_t time)
{
	struct stretch *stretch = &b->stretches[b->nr_stretches];

	if (b->nr_stretches == BATCH_MAX_STRETCHES)
		return false;
	if (!b->nr_stretches)
		b->steps = (struct steps) {
			.begin = h->begin,
			.width = h->width,
			.end = UINT64_MAX,
		};
	if (b->steps.width)
		find_end(&b->steps, time);
	stretch->time = time;
	memcpy(stretch->before, b->sums, sizeof(b->sums));
	b->nr_stretches++;
	return true;
}

/* ---- peaks ---- */

/* What lives now, after a batch. */
static void set_owners(struct peak *peak, const struct ledger *l,
		       enum space space)
{
	uint32_t i;

	peak->nr = must_realloc(peak->nr, l->kinds.nr, sizeof(*peak->nr));
	peak->nr_kinds = l->kinds.nr;
	for (i = 0; i < l->kinds.nr; i++) {
		const struct kind *kind = kinds_get(&l->kinds, i);
		bool counts = kind_space(kind) == space && !kind_is_hidden(kind);

		peak->nr[i] = counts ? books_live(l, i).live : 0;
	}
}

static void take_back(struct peak *peak, const struct effect *effect)
{
	if (effect->kind != NO_KIND)
		peak->nr[effect->kind] -= effect->nr;
}

/* ---- effects ---- */

static enum space space_of(const struct ledger *l, const struct effect *effect)
{
	return kind_space(kinds_get(&l->kinds, effect->kind));
}

/* Returns whether there never was as much. */
static inline bool take_effect(struct history *h, struct history_step *step,
			       enum space space, const struct effect *effect,
			       int64_t time)
{
	int64_t live = h->live[space] += effect->bytes;

	step->live[space] = live;
	if (live <= step->most[space])
		return false;
	step->most[space] = live;
	if (live <= h->peaks[space].bytes)
		return false;
	h->peaks[space].bytes = live;
	h->peaks[space].time = time;
	return true;
}

static bool is_hidden(const struct ledger *l, uint32_t kind)
{
	return kind != NO_KIND && kind_is_hidden(kinds_get(&l->kinds, kind));
}

/* What doesn't count did nothing. */
static void hide_effect(const struct ledger *l, struct effect *effect)
{
	if (!l->selection || !is_hidden(l, effect->kind))
		return;
	effect->nr = 0;
	effect->bytes = 0;
}

static void hide_changes(const struct ledger *l, struct segment *seg)
{
	uint32_t i;

	for (i = 0; i < seg->nr; i++) {
		struct change *c = &seg->changes[i];

		hide_effect(l, &seg->effects[i]);
		/* For all that is asked of it from here on, it isn't an allocation. */
		c->is_free |= is_hidden(l, c->kind);
		if (c->time < l->selection->begin)
			c->time = l->selection->begin;
	}
}

static int64_t last_time(const struct batch *b)
{
	const struct segment *seg = &b->segments[b->shards[b->nr - 1]];

	return seg->changes[seg->nr - 1].time;
}

/* Is it before all that counts? The history may begin with that, whatever comes first. */
static bool is_early(struct history *h, const struct ledger *l, int64_t time)
{
	if (!l->selection || l->selection->begin == INT64_MIN)
		return false;
	if (time < l->selection->begin)
		return true;
	if (!h->nr_steps)
		step_at(h, l->selection->begin);
	return false;
}

/* Those of one event are all from one shard, and in its order, or of parts of a block. */
static int by_event(const void *a, const void *b)
{
	const struct extra *x = a, *y = b;
	int order = compare_events(x->at, y->at);

	return order ? order : (x->nr > y->nr) - (x->nr < y->nr);
}

/* The extra effects of all shards, by event; returns how many. */
static size_t collect_extras(struct history *h, struct ledger *l)
{
	size_t nr = 0, i, j;

	for (i = 0; i < NR_SHARDS; i++)
		nr += l->shards[i].nr_extras;
	if (nr > h->room_extras) {
		h->extras = must_realloc(h->extras, nr, sizeof(*h->extras));
		h->room_extras = nr;
	}
	for (i = 0, nr = 0; i < NR_SHARDS; i++)
		for (j = 0; j < l->shards[i].nr_extras; j++, nr++) {
			h->extras[nr] = l->shards[i].extras[j];
			h->extras[nr].nr = nr;
			hide_effect(l, &h->extras[nr].effect);
		}
	if (nr)
		qsort(h->extras, nr, sizeof(*h->extras), by_event);
	return nr;
}

/* ---- batches ---- */

/**
 * struct walk - through a batch by time
 * @next: of each shard, the next change
 * @change: of all, the next one
 * @extra: the next of the extra effects
 * @nr_extras: of those
 */
struct walk {
	uint32_t next[NR_SHARDS];
	uint32_t change;
	size_t extra, nr_extras;
};

/* The next change, and what it did; NULL at the end. */
static inline const struct change *next_change(struct walk *w,
					       const struct batch *b,
					       const struct effect **effect)
{
	const struct segment *seg;
	uint32_t i;

	if (w->change == b->nr)
		return NULL;
	seg = &b->segments[b->shards[w->change]];
	i = w->next[b->shards[w->change++]]++;
	*effect = &seg->effects[i];
	return &seg->changes[i];
}

/* What else the event did, one by one; NULL at the end. */
static inline const struct effect *next_extra(struct walk *w,
					      const struct history *h,
					      uint32_t event)
{
	if (w->extra == w->nr_extras || h->extras[w->extra].at != event)
		return NULL;
	return &h->extras[w->extra++].effect;
}

/* What was done after the peak, which the sums have, is taken back. */
static void find_owners(struct history *h, const struct ledger *l,
			const struct batch *b, enum space space,
			const struct walk *peak)
{
	struct peak *p = &h->peaks[space];
	struct walk w = *peak;
	const struct effect *effect;
	const struct change *c;

	set_owners(p, l, space);
	for (; w.extra < w.nr_extras; w.extra++)
		take_back(p, &h->extras[w.extra].effect);
	while ((c = next_change(&w, b, &effect)))
		take_back(p, effect);
}

/* The same where nothing has other effects: the peak was at @place. */
static void find_owners_at(struct history *h, const struct ledger *l,
			   const struct batch *b, enum space space, uint32_t place)
{
	struct peak *p = &h->peaks[space];
	unsigned int shard;
	uint32_t i;

	set_owners(p, l, space);
	for (shard = 0; shard < NR_SHARDS; shard++) {
		const struct segment *seg = &b->segments[shard];

		for (i = 0; i < seg->nr; i++) {
			const struct change *c = &seg->changes[i];

			if (c->space != space)
				continue;
			if (c->place == place)
				p->time = c->time;
			if (c->place > place)
				take_back(p, &seg->effects[i]);
		}
	}
}

/* ---- the changes of a batch, by namespace ---- */

/* All those in one step; returns how much lived at most. */
static int64_t take_stretch(struct history *h, struct history_step *step,
			    const struct batch *b, enum space space,
			    const struct batch_sum *from, const struct batch_sum *to)
{
	const int64_t *deltas = &b->deltas[batch_deltas(space)];
	int64_t live = h->live[space], most = step->most[space];
	uint64_t i;

	for (i = from->changes; i < to->changes; i++) {
		live += deltas[i];
		most = live > most ? live : most;
	}
	h->live[space] = live;
	step->live[space] = live;
	step->most[space] = most;
	step->allocs[space] += to->events[0] - from->events[0];
	step->bytes[space] += to->bytes[0] - from->bytes[0];
	return most;
}

/* The first place after which as much as @most lived, of @live at first. */
static uint32_t find_most(const struct batch *b, enum space space, int64_t live,
			  int64_t most)
{
	uint32_t i = batch_deltas(space);

	while ((live += b->deltas[i]) != most)
		i++;
	return i;
}

static void take_space(struct history *h, const struct ledger *l,
		       const struct batch *b, enum space space, int64_t before,
		       int64_t most)
{
	if (most <= h->peaks[space].bytes)
		return;
	h->peaks[space].bytes = most;
	find_owners_at(h, l, b, space, find_most(b, space, before, most));
}

/* Nothing has other effects: what matters is known of each namespace apart. */
static void take_stretches(struct history *h, const struct ledger *l, const struct batch *b)
{
	int64_t before[NR_SPACES], most[NR_SPACES] = { 0 };
	unsigned int i;
	int space;

	memcpy(before, h->live, sizeof(before));
	for (i = 0; i < b->nr_stretches; i++) {
		const struct stretch *stretch = &b->stretches[i];
		struct history_step *step = step_at(h, stretch->time);
		const struct batch_sum *end = i + 1 < b->nr_stretches ?
					      stretch[1].before : b->sums;

		for (space = 0; space < NR_SPACES; space++) {
			int64_t n = take_stretch(h, step, b, space,
						 &stretch->before[space],
						 &end[space]);

			most[space] = n > most[space] ? n : most[space];
		}
	}
	for (space = 0; space < NR_SPACES; space++)
		take_space(h, l, b, space, before[space], most[space]);
}

/* Change by change, where that matters. */
static void take_changes(struct history *h, struct ledger *l, const struct batch *b,
			 size_t nr_extras)
{
	struct walk peaks[NR_SPACES], w = { .nr_extras = nr_extras };
	const struct effect *effect;
	const struct change *c;
	bool found[NR_SPACES] = { false };
	int i;

	while ((c = next_change(&w, b, &effect))) {
		struct history_step *step = step_at(h, c->time);
		enum space space = c->space;

		step->allocs[space] += !c->is_free & !c->is_rest;
		step->bytes[space] += c->alloc & ~mask_of(c->is_free);
		if (take_effect(h, step, space, effect, c->time)) {
			found[space] = true;
			peaks[space] = w;
		}
		while ((effect = next_extra(&w, h, c->event))) {
			space = space_of(l, effect);
			if (!take_effect(h, step, space, effect, c->time))
				continue;
			found[space] = true;
			peaks[space] = w;
		}
	}
	for (i = 0; i < NR_SPACES; i++)
		if (found[i])
			find_owners(h, l, b, i, &peaks[i]);
}

/**
 * history_batch - what the changes of a batch did
 * @h: the history; zeroed memory is an empty one
 * @l: the ledger
 * @b: the batch, of which ledger_shard() was done for each shard; it is of no other use
 *	afterwards
 */
void history_batch(struct history *h, struct ledger *l, struct batch *b)
{
	size_t nr_extras = collect_extras(h, l), i;

	if (!b->nr || is_early(h, l, last_time(b)))
		return;
	for (i = 0; l->selection && i < NR_SHARDS; i++)
		hide_changes(l, &b->segments[i]);
	if (nr_extras || !b->steps.width || l->selection)
		take_changes(h, l, b, nr_extras);
	else
		take_stretches(h, l, b);
}

/**
 * history_alone - what was done outside of a batch, all at once
 * @h: the history
 * @l: the ledger
 * @time: when
 */
void history_alone(struct history *h, struct ledger *l, int64_t time)
{
	size_t i, nr = collect_extras(h, l);
	struct effect sums[NR_SPACES] = { 0 };
	int space;

	if ((!nr && l->alone.kind == NO_KIND) || is_early(h, l, time))
		return;
	hide_effect(l, &l->alone);
	if (l->alone.kind != NO_KIND)
		sums[space_of(l, &l->alone)].bytes = l->alone.bytes;
	for (i = 0; i < nr; i++)
		sums[space_of(l, &h->extras[i].effect)].bytes +=
			h->extras[i].effect.bytes;
	for (space = 0; space < NR_SPACES; space++)
		if (take_effect(h, step_at(h, time), space, &sums[space], time))
			set_owners(&h->peaks[space], l, space);
}

/* ---- phases ---- */

static bool has_begun(const struct history *h, unsigned int id)
{
	unsigned int i;

	for (i = 0; i < h->nr_phases; i++)
		if (h->phases[i].id == id)
			return true;
	return false;
}

/**
 * history_phase - another phase of the boot begins
 * @h: the history
 * @l: the ledger
 * @id: what begins it, enum kmemtrace_phase_id
 * @time: when that was
 *
 * Return: false when no boot has it, or it has begun before.
 */
bool history_phase(struct history *h, const struct ledger *l, unsigned int id,
		   int64_t time)
{
	struct history_step *step;
	struct phase *phase;

	if (!id || id > HISTORY_PHASES || has_begun(h, id))
		return false;
	if (is_early(h, l, time)) {
		h->phases[h->nr_phases++] = (struct phase) {
			.id = id, .begin = time,
		};
		return true;
	}
	step = step_at(h, time);
	/* What lived in this step before is held back until it ends. */
	if (h->nr_phases) {
		memcpy(h->phases[h->nr_phases - 1].live, h->live,
		       sizeof(h->live));
		end_step(h);
	}
	memcpy(h->before_phase, step->most, sizeof(h->before_phase));
	memcpy(step->most, h->live, sizeof(step->most));
	phase = &h->phases[h->nr_phases++];
	phase->id = id;
	phase->begin = time;
	memcpy(phase->most, h->live, sizeof(phase->most));
	return true;
}

/**
 * history_end - nothing comes any more
 * @h: the history
 */
void history_end(struct history *h)
{
	if (!h->nr_phases || !h->nr_steps)
		return;
	end_step(h);
	memcpy(h->phases[h->nr_phases - 1].live, h->live, sizeof(h->live));
}

/* Give back all memory. */
void history_free(struct history *h)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		free(h->peaks[i].nr);
	free(h->extras);
}
