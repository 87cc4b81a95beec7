// SPDX-License-Identifier: GPL-2.0
/*
 * The ledger's books: what all shards and threads found is put together, in the order
 * of events, so that it doesn't depend on who found it.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "books/books.h"
#include "common/memory.h"

static_assert(sizeof(struct memo) == 64, "a line of the processor's cache");

/* ---- sums ---- */

static void fit(struct sums *s, const struct kinds *kinds)
{
	if (kinds->nr > s->room) {
		s->room = 2 * kinds->nr;
		s->kinds = must_realloc(s->kinds, s->room, sizeof(*s->kinds));
	}
	for (; s->nr_kinds < kinds->nr; s->nr_kinds++)
		s->kinds[s->nr_kinds] = (struct sum) {
			.size = class_size(kinds_get(kinds, s->nr_kinds)->class),
			.freed_by = NO_KIND,
		};
}

/* Have a place for each kind in what the threads count. */
void books_fit(struct ledger *l)
{
	unsigned int i;

	for (i = 0; i < l->nr_sums; i++)
		fit(&l->sums[i], &l->kinds);
}

/* What all threads counted of one kind. */
struct sum books_live(const struct ledger *l, uint32_t kind)
{
	struct sum sum = { 0 };
	unsigned int i;

	for (i = 0; i < l->nr_sums; i++) {
		const struct sum *s;

		if (kind >= l->sums[i].nr_kinds)
			continue;
		s = &l->sums[i].kinds[kind];
		sum.allocs += s->allocs;
		sum.req += s->req;
		sum.frees += s->frees;
		sum.remote += s->remote;
		sum.live += s->live;
		sum.live_req += s->live_req;
	}
	return sum;
}

/* Bytes of what lives; frames are single ones. */
static uint64_t live_bytes(const struct ledger *l, const struct kind *kind,
			   const struct sum *sum)
{
	return sum->live * (kind_space(kind) == SPACE_PAGES ? l->page_size :
			    class_size(kind->class));
}

/* What lives of one namespace that no event allocated. */
struct amount books_older(const struct ledger *l, enum space space)
{
	struct amount amount = { 0 };
	uint32_t i;

	for (i = 0; i < l->kinds.nr; i++) {
		const struct kind *kind = kinds_get(&l->kinds, i);
		struct sum sum;

		if (!kind_is_older(kind) || !kind_is_counted(kind) ||
		    kind_space(kind) != space)
			continue;
		sum = books_live(l, i);
		amount.nr += sum.live;
		amount.req += sum.live_req;
		amount.alloc += live_bytes(l, kind, &sum);
	}
	return amount;
}

/* A job on a shard, outside of a batch. */
struct job books_job(struct ledger *l, unsigned int shard)
{
	return (struct job) {
		.l = l,
		.s = &l->shards[shard],
		.sums = &l->sums[0],
		.effect = &l->alone,
	};
}

/* ---- notes ---- */

/*
 * kfree() finds the cache itself on kernels that allow it; kmem_cache_free() is told
 * one, which can't be one of kmalloc()'s own.
 */
static bool mix_is_legal(const struct ledger *l, const struct note *note)
{
	uint32_t cache = class_cache(note->class);

	if (note->type == KMEMTRACE_TYPE_KMALLOC)
		return l->kfree_takes_caches;
	return cache != NO_CACHE && l->caches.list[cache].name &&
	       !cache_is_kmalloc(&l->caches.list[cache]);
}

/* Is the frame a part of one of those slabs that could not be looked at? */
static bool is_unsure(struct ledger *l, uint64_t frame)
{
	if (!frame)
		return false;
	/* There can't be more of them. */
	if (l->unsure.nr == l->unsure_frames)
		return table_has(&l->unsure, frame);
	table_index(&l->unsure, frame);
	return true;
}

static void take_note(struct ledger *l, struct note *note)
{
	struct finding *f = &note->finding;

	if (f->class == FINDING_MIXED_API && mix_is_legal(l, note))
		f->class = FINDING_MIXED_LEGAL;
	if (f->class == FINDING_FREE_UNEXPLAINED && is_unsure(l, note->frame))
		l->stats.baseline.unsure_freed += !f->is_hidden;
	else
		stats_finding(&l->stats, f, note->once);
}

/* Those of one event are all from one shard, and in its order, or parts of a block. */
static int by_event(const void *a, const void *b)
{
	const struct note *x = a, *y = b;
	int order = compare_events(x->at, y->at);

	if (order)
		return order;
	if (x->once && y->once && x->finding.ptr != y->finding.ptr)
		return x->finding.ptr < y->finding.ptr ? -1 : 1;
	return (x->nr > y->nr) - (x->nr < y->nr);
}

static void take_notes(struct ledger *l)
{
	size_t nr = 0, i, j;

	for (i = 0; i < NR_SHARDS; i++)
		nr += l->shards[i].nr_notes;
	if (!nr)
		return;
	if (nr > l->room_notes) {
		l->notes = must_realloc(l->notes, nr, sizeof(*l->notes));
		l->room_notes = nr;
	}
	for (i = 0, nr = 0; i < NR_SHARDS; i++) {
		for (j = 0; j < l->shards[i].nr_notes; j++, nr++) {
			l->notes[nr] = l->shards[i].notes[j];
			l->notes[nr].nr = nr;
		}
		l->shards[i].nr_notes = 0;
	}
	qsort(l->notes, nr, sizeof(*l->notes), by_event);
	for (i = 0; i < nr; i++)
		take_note(l, &l->notes[i]);
}

/* ---- batches ---- */

/**
 * ledger_open - make a batch ready for ledger_shard()
 * @l: the ledger; no other thread uses it
 * @b: the batch
 */
void ledger_open(struct ledger *l, const struct batch *b)
{
	l->window = b->window;
	books_fit(l);
}

/**
 * ledger_close - a batch is in the ledger
 * @l: the ledger; no other thread uses it
 * @b: the batch, of which ledger_shard() was done for each shard; NULL: what was
 *	done outside of one
 * @time: when that was
 */
void ledger_close(struct ledger *l, struct batch *b, int64_t time)
{
	size_t i;

	for (i = 0; b && i < NR_SPACES; i++)
		l->stats.totals[i].frees += b->sums[i].events[1];
	if (b)
		history_batch(&l->history, l, b);
	else
		history_alone(&l->history, l, time);
	take_notes(l);
	for (i = 0; i < NR_SHARDS; i++)
		l->shards[i].nr_extras = 0;
	l->alone.kind = NO_KIND;
}

/* ---- the end ---- */

/* Bytes of one kind that lived when most did of its namespace. */
static uint64_t at_peak(const struct ledger *l, uint32_t kind)
{
	const struct kind *k = kinds_get(&l->kinds, kind);
	const struct peak *peak = &l->history.peaks[kind_space(k)];
	struct sum sum = { 0 };

	if (kind < peak->nr_kinds)
		sum.live = peak->nr[kind];
	return live_bytes(l, k, &sum);
}

/* The counters of one kind, after ledger_end(); the key is the caller's. */
struct row books_row(const struct ledger *l, uint32_t kind)
{
	const struct kind *k = kinds_get(&l->kinds, kind);
	const struct sum sum = books_live(l, kind);

	return (struct row) {
		.allocs = sum.allocs,
		.req = sum.req,
		.alloc = sum.allocs * class_size(k->class),
		.frees = sum.frees,
		.remote = sum.remote,
		.live = sum.live,
		.live_req = sum.live_req,
		.live_alloc = live_bytes(l, k, &sum),
		.peak = at_peak(l, kind),
	};
}

/**
 * books_add_up - add up the kinds that have something in common
 * @l: the ledger, after ledger_end()
 * @space: of this namespace
 * @key: what that is
 * @sum: result, by @key; to be table_free()d
 */
void books_add_up(const struct ledger *l, enum space space,
		  uint64_t (*key)(const struct kind *kind), struct table *sum)
{
	uint32_t i;

	*sum = (struct table) { 0 };
	for (i = 0; i < l->kinds.nr; i++) {
		const struct kind *kind = kinds_get(&l->kinds, i);
		struct row row;

		if (kind_space(kind) != space || !kind_is_counted(kind))
			continue;
		row = books_row(l, i);
		table_add(sum, key(kind), &row);
	}
}

static void add_kind(struct ledger *l, uint32_t i)
{
	const struct kind *kind = kinds_get(&l->kinds, i);
	struct totals *totals = &l->stats.totals[kind_space(kind)];
	const struct row row = books_row(l, i);

	if (kind_is_hidden(kind))
		return;
	table_add(&l->stats.sites[kind_space(kind)], kind->site, &row);
	if (kind_is_free(kind))
		return;
	table_add(&l->stats.classes[kind_space(kind)], kind->class, &row);
	totals->allocs += row.allocs;
	totals->req += row.req;
	totals->alloc += row.alloc;
	totals->matched += row.frees;
	totals->remote += row.remote;
	if (!kind_is_older(kind))
		return;
	totals->older.nr += row.live;
	totals->older.req += row.live_req;
	totals->older.alloc += row.live_alloc;
}

static void add_shard(struct stats *stats, const struct shard *s)
{
	struct baseline *sum = &stats->baseline;
	int i;

	for (i = 0; i < NR_SPACES; i++)
		sum->freed_during[i] += s->baseline.freed_during[i];
	sum->in_transit += s->baseline.in_transit;
	sum->large_kmalloc += s->baseline.large_kmalloc;
	sum->reserved += s->baseline.reserved;
	sum->reserved_freed += s->baseline.reserved_freed;
	stats->own += s->own;
	stats->settled += s->settled;
}

/* What can't be told of all that happened, but only of what lived, or nothing at all. */
static void leave_out(struct stats *stats)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		stats->totals[i].frees = stats->totals[i].matched;
	stats->own = 0;
}

static void add_tables(struct table *sums, const struct table *tables)
{
	uint32_t i;
	int space;

	for (space = 0; space < NR_SPACES; space++)
		for (i = 0; i < tables[space].nr; i++)
			table_add(&sums[space], tables[space].rows[i].key,
				  &tables[space].rows[i]);
}

/* What was freed of one kind is known from what ended its lives. */
static void add_lifetimes(struct ledger *l, struct sums *s)
{
	uint32_t i;

	for (i = 1; i < s->lifetimes.nr; i++) {
		struct lifetime *life = &s->lifetimes.list[i];
		const struct kind *kind = kinds_get(&l->kinds, life->kind);
		uint64_t nr = lifetime_ended(life, LIFETIME_STEPS);

		s->kinds[life->kind].frees += nr;
		s->kinds[life->kind].remote += life->remote;
		/* A free of pages may be of a part of a block, or of several. */
		if (kind_space(kind) != SPACE_PAGES)
			life->bytes = nr * class_size(kind->class);
	}
	lifetimes_add(&l->stats.lifetimes, &s->lifetimes);
	lifetimes_free(&s->lifetimes);
}

/**
 * ledger_end - no event comes any more
 * @l: the ledger; all batches are closed
 * @time: of the last one
 *
 * All of @l->stats is valid from here on.
 */
void ledger_end(struct ledger *l, int64_t time)
{
	unsigned int i;

	books_fit(l);
	for (i = 0; i < NR_SHARDS; i++) {
		struct job j = books_job(l, i);

		ledger_give_up(&j);
		ledger_close(l, NULL, time);
		add_shard(&l->stats, j.s);
	}
	history_end(&l->history);
	for (i = 0; i < l->nr_sums; i++) {
		add_tables(l->stats.cpus, l->sums[i].cpus);
		add_tables(l->stats.nodes, l->sums[i].nodes);
		add_lifetimes(l, &l->sums[i]);
	}
	for (i = 0; i < l->kinds.nr; i++)
		add_kind(l, i);
	if (l->selection)
		leave_out(&l->stats);
}

/* None of them is of any record. */
static struct memo *new_memos(void)
{
	const size_t bytes = NR_MEMOS * sizeof(struct memo);
	struct memo *memos = aligned_alloc(sizeof(*memos), bytes);

	if (!memos)
		out_of_memory();
	return memset(memos, 0, bytes);
}

/**
 * ledger_init - an empty ledger
 * @l: result
 * @page_size: of the traced machine
 * @threads: how many may do ledger_shard() at the same time
 */
void ledger_init(struct ledger *l, uint64_t page_size, unsigned int threads)
{
	unsigned int i;

	memset(l, 0, sizeof(*l));
	l->page_size = page_size;
	l->page_shift = __builtin_ctzll(page_size);
	l->shards = must_calloc(NR_SHARDS, sizeof(*l->shards));
	l->sums = must_calloc(threads, sizeof(*l->sums));
	l->nr_sums = threads;
	l->memos = new_memos();
	for (i = 0; i < threads; i++)
		lifetimes_init(&l->sums[i].lifetimes);
	lifetimes_init(&l->stats.lifetimes);
	l->alone.kind = NO_KIND;
}

static void free_shard(struct shard *s)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		objects_free(&s->objects[i]);
	frames_free(&s->frames);
	free(s->extras);
	free(s->notes);
}

static void free_sums(struct sums *s)
{
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		table_free(&s->cpus[i]);
		table_free(&s->nodes[i]);
	}
	lifetimes_free(&s->lifetimes);
	free(s->kinds);
}

/* Give back all memory. */
void ledger_free(struct ledger *l)
{
	unsigned int i;

	for (i = 0; l->shards && i < NR_SHARDS; i++)
		free_shard(&l->shards[i]);
	for (i = 0; i < l->nr_sums; i++)
		free_sums(&l->sums[i]);
	free(l->shards);
	free(l->sums);
	free(l->notes);
	free(l->memos);
	history_free(&l->history);
	nodes_free(&l->nodes);
	own_free(&l->own);
	table_free(&l->unsure);
	kinds_free(&l->kinds);
	caches_free(&l->caches);
	stats_free(&l->stats);
}
