// SPDX-License-Identifier: GPL-2.0
/*
 * The ledger's intake: of records, those that say what happened to memory become
 * changes, by the batch. Others concern all of the ledger, and are taken alone.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "books/books.h"
#include "books/live.h"
#include "books/snapshot.h"

/* Is it one of those that say something of an object or of pages? */
static bool is_change(const struct kmemtrace_event *ev)
{
	return (ev->event_id == KMEMTRACE_EVENT_ALLOC ||
		ev->event_id == KMEMTRACE_EVENT_FREE) &&
	       ev->type_id < EVENT_NR_TYPES;
}

/* Does it end behind the last of all addresses? */
static bool wraps(const struct kmemtrace_event *ev)
{
	return ev->bytes_alloc > -ev->ptr;
}

/* Pages come as a power of two of them. */
static bool pages_possible(const struct ledger *l,
			   const struct kmemtrace_event *ev, bool is_free)
{
	uint64_t pages = ev->bytes_alloc >> l->page_shift;

	return ev->ptr && ev->ptr % l->page_size == 0 &&
	       ev->bytes_alloc % l->page_size == 0 &&
	       pages && !(pages & (pages - 1)) && !wraps(ev) &&
	       ev->bytes_alloc <= live_max_bytes(SPACE_PAGES, l->page_size) &&
	       (is_free || (ev->bytes_req && ev->bytes_req <= ev->bytes_alloc));
}

/* Could a kernel have written this? What could not is kept out of the sums. */
static bool possible(const struct ledger *l, const struct kmemtrace_event *ev,
		     enum space space, bool is_free)
{
	if (space == SPACE_PAGES)
		return pages_possible(l, ev, is_free);
	return (is_free & !!ev->ptr) |
	       live_object_possible(space, ev->ptr, ev->bytes_req,
				    ev->bytes_alloc);
}

static bool hides(struct ledger *l, const struct kmemtrace_event *ev,
		  uint32_t cache, unsigned int cpu, int64_t time)
{
	return selection_hides(l->selection, &(struct candidate) {
		.site = ev->call_site,
		.req = ev->bytes_req,
		.time = time,
		.cache = cache,
		.cpu = cpu,
		.type = ev->type_id,
	});
}

static uint32_t kind_of(struct ledger *l, const struct kmemtrace_event *ev,
			const struct memo *m, unsigned int cpu, int64_t time)
{
	uint32_t cache = caches_index(&l->caches,
				      m->space == SPACE_SLAB ? m->cache : 0);
	struct kind kind = { .site = m->site, .rest = KIND_FREE | m->space };

	if (!m->is_free) {
		kind.class = class_key(cache, m->alloc);
		kind.rest = kind_rest(m->space, ev->bytes_req, ev->node, m->gfp);
	}
	if (l->selection && hides(l, ev, cache, cpu, time))
		kind.rest |= KIND_HIDDEN;
	return kinds_index(&l->kinds, &kind);
}

/* ---- records that are alike ---- */

/* Where the memo of a record like this one is, if there is one. */
static inline struct memo *memo_at(const struct ledger *l, const struct memo *m)
{
	uint64_t key = m->site ^ m->head << 40 ^ m->alloc << 20 ^
		       (uint64_t)m->step << 52;

	return &l->memos[hash_u64(key) >> (64 - MEMOS_SHIFT)];
}

/* What a record has in common with others. Of a slab object, the tail begins with the cache. */
static inline struct memo memo_of(const struct ledger *l, const struct record *rec)
{
	const struct kmemtrace_event *ev = rec->ev;
	struct memo m = {
		.site = ev->call_site,
		.alloc = ev->bytes_alloc,
		.gfp = ev->gfp_flags,
		.cache = record_word(rec, 0),
		.step = request_step(ev->bytes_req),
		.ended = l->caches.ended,
	};

	memcpy(&m.head, ev, sizeof(m.head));
	return m;
}

static inline bool are_alike(const struct memo *a, const struct memo *b)
{
	return !((a->head ^ b->head) | (a->site ^ b->site) |
		 (a->alloc ^ b->alloc) | (a->gfp ^ b->gfp) |
		 (a->cache ^ b->cache) | (a->step ^ b->step) |
		 (a->ended ^ b->ended));
}

/* Has it an address that suits the memo, and not more bytes asked for than given? */
static inline bool suits(const struct memo *m, const struct kmemtrace_event *ev)
{
	return !!ev->ptr & !(ev->ptr & m->unaligned) &
	       (m->is_free | (ev->bytes_req <= ev->bytes_alloc));
}

/* Any sizes in one step of the histogram are as possible as these. */
static bool is_common(const struct kmemtrace_event *ev)
{
	return ev->bytes_req <= INT32_MAX / 2 && ev->bytes_alloc <= INT32_MAX / 2;
}

/* Others like it may be of kmemtrace's own buffers, or it is. */
static bool may_be_own(const struct ledger *l, const struct memo *m)
{
	return l->own.nr && m->space == SPACE_PAGES && !m->is_free &&
	       m->alloc == l->page_size;
}

/* Others like it may be chosen where it isn't. */
static bool is_chosen_alone(const struct ledger *l)
{
	return l->selection && l->selection->by_event;
}

/*
 * A memo of the first record of many, or of one that isn't as all others. NULL: it isn't
 * one of those that say something of an object or of pages, as they can be.
 */
static __attribute__((noinline)) const struct memo *learn(struct ledger *l,
							  const struct record *rec,
							  unsigned int cpu,
							  int64_t time)
{
	const struct kmemtrace_event *ev = rec->ev;
	struct memo m = memo_of(l, rec), *known;

	if (!is_change(ev))
		return NULL;
	m.type = ev->type_id;
	m.space = live_space(ev->type_id);
	m.is_free = ev->event_id == KMEMTRACE_EVENT_FREE;
	if (!possible(l, ev, m.space, m.is_free))
		return NULL;
	m.unaligned = m.space == SPACE_PAGES ? l->page_size - 1 : 0;
	m.kind = kind_of(l, ev, &m, cpu, time);
	if (may_be_own(l, &m) && own_has(&l->own, ev))
		m.type = SLOT_OWN_TYPE;
	known = is_common(ev) && !is_chosen_alone(l) && !may_be_own(l, &m) ?
		memo_at(l, &m) : &l->memos[NR_MEMOS - 1];
	*known = m;
	return known;
}

/* ---- into the batch ---- */

/* A place for a change of one shard. */
static inline struct change *place(struct batch *b, unsigned int shard, enum space space)
{
	struct segment *seg = &b->segments[shard];
	struct change *c = &seg->changes[seg->nr++];

	b->shards[b->nr++] = shard;
	c->place = batch_deltas(space) + b->sums[space].changes++;
	return c;
}

static inline void set_change(struct change *c, struct ledger *l,
			      const struct kmemtrace_event *ev, const struct memo *m,
			      unsigned int cpu, int64_t time)
{
	c->ptr = ev->ptr;
	c->req = ev->bytes_req;
	c->alloc = ev->bytes_alloc;
	c->time = time;
	c->kind = m->kind;
	c->event = l->events++;
	c->cpu = cpu;
	c->what = m->what;
}

static inline void count(struct batch *b, const struct memo *m, uint64_t bytes)
{
	struct batch_sum *sum = &b->sums[m->space];
	bool is_free = m->is_free;

	sum->events[is_free]++;
	sum->bytes[is_free] += bytes;
}

/* ---- blocks of pages in several chunks of frames ---- */

/* Blocks have their own alignment, so that all but the largest are in one chunk. */
static uint64_t nr_parts(const struct ledger *l, uint64_t ptr, uint64_t bytes)
{
	unsigned int shift = l->page_shift + FRAMES_CHUNK_SHIFT;

	return ((ptr + bytes - 1) >> shift) - (ptr >> shift) + 1;
}

/*
 * Neighbouring chunks are spread evenly over all shards, by the nature of the hash: of
 * as many as a block can have, no shard gets eight more than others do on average.
 */
#define UNEVEN	8

static_assert((1 << (LIVE_MAX_ORDER - FRAMES_CHUNK_SHIFT)) / NR_SHARDS + UNEVEN <=
	      SEGMENT_MAX, "an empty batch has room for any block");

static bool have_room(const struct batch *b, uint64_t parts)
{
	unsigned int i;

	for (i = 0; i < NR_SHARDS; i++)
		if (SEGMENT_MAX - b->segments[i].nr < parts / NR_SHARDS + UNEVEN)
			return false;
	return true;
}

/* A change for each chunk of frames, which may belong to different shards. */
static void put_parts(struct ledger *l, struct batch *b, struct change c)
{
	uint64_t chunk = l->page_size << FRAMES_CHUNK_SHIFT;
	uint64_t left = c.alloc;

	c.is_part = true;
	while (left) {
		uint64_t room = chunk - c.ptr % chunk;
		struct change *part = place(b, ledger_shard_of(l, c.ptr), c.space);

		c.alloc = room < left ? room : left;
		c.place = part->place;
		*part = c;
		left -= c.alloc;
		c.ptr += c.alloc;
		c.is_rest = true;
	}
}

/* ---- all other records ---- */

/* Is it about what doesn't count? What a record has that is impossible can't be told. */
static bool hides_finding(const struct ledger *l, uint32_t kind)
{
	return kind == NO_KIND ? !!l->selection :
				 kind_is_hidden(kinds_get(&l->kinds, kind));
}

static void add_finding(struct ledger *l, const struct record *rec,
			enum finding_class class, unsigned int cpu, uint32_t kind,
			const struct object *obj)
{
	const struct kmemtrace_event *ev = rec->ev;
	struct finding f = {
		.class = class,
		.space = SPACE_SLAB,
		.site = NO_SITE,
		.ptr = ev->ptr,
		.time = rec->time,
		.cpu = cpu,
		.is_hidden = hides_finding(l, kind),
	};

	if (obj) {
		f.ptr = obj->ptr;
		f.site = kinds_get(&l->kinds, obj->slot.kind)->site;
		f.time_before = obj->slot.time;
		f.cpu_before = obj->slot.cpu;
	} else if (ev->type_id < EVENT_NR_TYPES) {
		f.space = live_space(ev->type_id);
	}
	if (ev->event_id != KMEMTRACE_EVENT_SNAPSHOT)
		f.site2 = ev->call_site;
	stats_finding(&l->stats, &f, false);
}

static bool take_impossible(struct ledger *l, const struct record *rec,
			    unsigned int cpu)
{
	if (!is_change(rec->ev))
		return false;
	add_finding(l, rec, FINDING_IMPOSSIBLE, cpu, NO_KIND, NULL);
	return true;
}

static bool take_failed(struct ledger *l, const struct record *rec,
			unsigned int cpu)
{
	const struct kmemtrace_event *ev = rec->ev;

	if (ev->type_id >= EVENT_NR_TYPES)
		return false;
	if (l->selection && hides(l, ev, NO_CACHE, cpu, rec->time))
		return true;
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
			  unsigned int cpu)
{
	if (!snapshot_is_known(rec))
		return false;
	if (!snapshot_record(l, rec, cpu))
		add_finding(l, rec, FINDING_IMPOSSIBLE, cpu, NO_KIND, NULL);
	return true;
}

static bool is_older(const struct object *a, const struct object *b)
{
	return a->slot.time < b->slot.time ||
	       (a->slot.time == b->slot.time && a->ptr < b->ptr);
}

/* The object of a cache that has lived longest, or NULL. */
static const struct object *oldest_of(const struct ledger *l, uint32_t cache)
{
	const struct object *obj, *oldest = NULL;
	size_t i, n;

	for (i = 0; i < NR_SHARDS; i++) {
		obj = l->shards[i].objects[SPACE_SLAB].entries;
		n = l->shards[i].objects[SPACE_SLAB].nr_entries;
		for (; n--; obj++)
			if (obj->ptr && obj->slot.state == SLOT_LIVE &&
			    class_cache(kinds_get(&l->kinds,
						  obj->slot.kind)->class) == cache &&
			    (!oldest || is_older(obj, oldest)))
				oldest = obj;
	}
	return oldest;
}

static bool has_live(const struct ledger *l, uint32_t cache)
{
	uint32_t i;

	for (i = 0; i < l->kinds.nr; i++) {
		const struct kind *kind = kinds_get(&l->kinds, i);

		if (!kind_is_free(kind) && class_cache(kind->class) == cache &&
		    books_live(l, i).live)
			return true;
	}
	return false;
}

static void add_destroyed(struct ledger *l, const struct record *rec,
			  unsigned int cpu, const struct object *oldest)
{
	add_finding(l, rec, FINDING_CACHE_IN_USE, cpu,
		    oldest ? oldest->slot.kind : NO_KIND, oldest);
}

static bool take_cache(struct ledger *l, const struct record *rec,
		       unsigned int cpu)
{
	uint32_t cache = caches_record(&l->caches, rec);

	if (rec->ev->type_id == KMEMTRACE_CACHE_DESTROYED &&
	    cache != NO_CACHE && has_live(l, cache))
		add_destroyed(l, rec, cpu, oldest_of(l, cache));
	return true;
}

static bool take_clock(struct ledger *l, const struct record *rec,
		       unsigned int cpu)
{
	const struct kmemtrace_clock *clock = (const void *)rec->ev;

	(void)cpu;
	if (!clock->sequence)
		snapshot_follows(l);
	return true;
}

static bool take_phase(struct ledger *l, const struct record *rec,
		       unsigned int cpu)
{
	const struct kmemtrace_phase *phase = (const void *)rec->ev;

	if (phase->phase > HISTORY_PHASES)
		return false;
	if (!history_phase(&l->history, l, phase->phase, l->now))
		add_finding(l, rec, FINDING_IMPOSSIBLE, cpu, NO_KIND, NULL);
	/* Nobody looked further ahead. */
	if (phase->phase >= KMEMTRACE_PHASE_SMP)
		own_free(&l->own);
	return true;
}

/* What is said of the stream itself is not the ledger's business. */
static bool take_nothing(struct ledger *l, const struct record *rec,
			 unsigned int cpu)
{
	(void)l;
	(void)rec;
	(void)cpu;
	return true;
}

static bool (* const kinds[])(struct ledger *l, const struct record *rec,
			      unsigned int cpu) = {
	[KMEMTRACE_EVENT_ALLOC] = take_impossible,
	[KMEMTRACE_EVENT_FREE] = take_impossible,
	[KMEMTRACE_EVENT_LOST] = take_nothing,
	[KMEMTRACE_EVENT_CLOCK] = take_clock,
	[KMEMTRACE_EVENT_CACHE] = take_cache,
	[KMEMTRACE_EVENT_SNAPSHOT] = take_snapshot,
	[KMEMTRACE_EVENT_FAILED] = take_failed,
	[KMEMTRACE_EVENT_PHASE] = take_phase,
};

static void take(struct ledger *l, const struct record *rec, unsigned int cpu)
{
	uint8_t id = rec->ev->event_id;

	if (id >= sizeof(kinds) / sizeof(*kinds) || !kinds[id] ||
	    !kinds[id](l, rec, cpu))
		l->stats.unknown_ids++;
}

/**
 * ledger_event - take in a record for which ledger_add() said LEDGER_ALONE
 * @l: the ledger; all batches are closed
 * @rec: the record
 * @cpu: whose stream it is from
 * @time: when
 */
void ledger_event(struct ledger *l, const struct record *rec, unsigned int cpu,
		  int64_t time)
{
	unsigned int i;

	books_fit(l);
	for (i = 0; i < NR_SHARDS; i++) {
		struct job j = books_job(l, i);

		ledger_pass(&j, time);
	}
	ledger_close(l, NULL, time);
	l->now = time;
	take(l, rec, cpu);
	ledger_close(l, NULL, time);
}

/* Does it need to know what is live, or change it, in more than one shard? */
static bool is_alone(const struct ledger *l, const struct kmemtrace_event *ev)
{
	const struct kmemtrace_clock *clock = (const void *)ev;

	if (ev->event_id == KMEMTRACE_EVENT_CLOCK)
		return !clock->sequence && !l->stats.baseline.complete;
	if (ev->event_id == KMEMTRACE_EVENT_CACHE)
		return ev->type_id == KMEMTRACE_CACHE_DESTROYED;
	return ev->event_id == KMEMTRACE_EVENT_SNAPSHOT ||
	       ev->event_id == KMEMTRACE_EVENT_PHASE;
}

static enum ledger_answer take_other(struct ledger *l, const struct record *rec,
				     unsigned int cpu)
{
	if (is_alone(l, rec->ev))
		return LEDGER_ALONE;
	take(l, rec, cpu);
	return LEDGER_TAKEN;
}

/* Any record; @m is the memo that it suits, or NULL. */
static __attribute__((noinline)) enum ledger_answer add_any(struct ledger *l,
							    struct batch *b,
							    const struct record *rec,
							    unsigned int cpu,
							    int64_t time,
							    const struct memo *m)
{
	const struct kmemtrace_event *ev = rec->ev;
	unsigned int shard = ledger_shard_of(l, ev->ptr);
	struct change large;
	uint64_t parts;
	bool fits, is_short;

	/* Others like it may be possible where they are. */
	if (!m || wraps(ev))
		m = learn(l, rec, cpu, time);
	if (!m)
		return take_other(l, rec, cpu);
	parts = m->space == SPACE_PAGES ? nr_parts(l, ev->ptr, ev->bytes_alloc) : 1;
	fits = parts > 1 ? have_room(b, parts) : b->segments[shard].nr < SEGMENT_MAX;
	if (!fits || (steps_end(&b->steps, time) &&
		      !history_begin_stretch(&l->history, b, time)))
		return LEDGER_BATCH_FULL;

	count(b, m, ev->bytes_alloc);
	is_short = ev->bytes_alloc < ev->bytes_req;
	if (!m->is_free & is_short)
		add_finding(l, rec, FINDING_SHORT, cpu, m->kind, NULL);
	if (parts == 1) {
		set_change(place(b, shard, m->space), l, ev, m, cpu, time);
	} else {
		set_change(&large, l, ev, m, cpu, time);
		put_parts(l, b, large);
	}
	return LEDGER_TAKEN;
}

/**
 * ledger_add - put what a record says into a batch, if it is a change
 * @l: the ledger; other threads may do ledger_shard() on another batch
 * @b: the batch
 * @rec: the record
 * @cpu: whose stream it is from
 * @time: when, not before that of the record before
 *
 * Nearly all records are like others, have room, and are one change.
 *
 * Return: whether it was; if not, the batch has to be closed first.
 */
enum ledger_answer ledger_add(struct ledger *l, struct batch *b,
			      const struct record *rec, unsigned int cpu,
			      int64_t time)
{
	const struct kmemtrace_event *ev = rec->ev;
	const struct memo key = memo_of(l, rec), *m = memo_at(l, &key);
	unsigned int shard = ledger_shard_of(l, ev->ptr);

	if (!are_alike(m, &key) || !suits(m, ev))
		return add_any(l, b, rec, cpu, time, NULL);
	if (b->segments[shard].nr == SEGMENT_MAX || steps_end(&b->steps, time) ||
	    nr_parts(l, ev->ptr, ev->bytes_alloc) > 1)
		return add_any(l, b, rec, cpu, time, m);
	count(b, m, ev->bytes_alloc);
	set_change(place(b, shard, m->space), l, ev, m, cpu, time);
	return LEDGER_TAKEN;
}
