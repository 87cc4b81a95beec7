// SPDX-License-Identifier: GPL-2.0
/*
 * total.c - sums of the counters of all threads
 */
#include "config.h"

#include <stdlib.h>

#include "ledger/total.h"
#include "ledger/sample.h"

/* Multiply the counters of a kind of which the trace has a sample. */
static void weigh(struct kind_sum *sum, unsigned int weight)
{
	sum->allocs *= weight;
	sum->req *= weight;
	sum->frees *= weight;
	sum->remote *= weight;
	sum->live *= weight;
	sum->live_req *= weight;
}

/* Return the weighted sum of all threads' counters of one kind. */
struct kind_sum total_live(const struct ledger *l, uint32_t kind)
{
	struct kind_sum sum = { 0 };
	unsigned int i;

	for (i = 0; i < l->nr_sums; i++) {
		const struct sum *s;

		if (kind >= l->sums[i].nr_kinds)
			continue;
		s = &l->sums[i].kinds[kind];
		sum.allocs += s->nr[0];
		sum.req += s->req[0];
		sum.frees += s->frees;
		sum.remote += s->remote;
		sum.live += (int64_t)(s->nr[0] - s->nr[1]);
		sum.live_req += (int64_t)(s->req[0] - s->req[1]);
	}
	if (l->one_of > 1)
		weigh(&sum, sample_weight(l, kinds_get(&l->kinds, kind)));
	return sum;
}

/* Return the bytes of so many objects or frames of a kind. */
static uint64_t bytes_of(const struct ledger *l, const struct kind *kind, int64_t nr)
{
	return nr * (kind_space(kind) == SPACE_PAGES ? l->page_size :
		     class_size(kind->class));
}

/* Return the live memory of one allocator that no event allocated. */
struct amount total_older(const struct ledger *l, enum space space)
{
	struct amount amount = { 0 };
	uint32_t i;

	for (i = 0; i < l->kinds.nr; i++) {
		const struct kind *kind = kinds_get(&l->kinds, i);
		struct kind_sum sum;

		if (!kind_is_older(kind) || !kind_is_counted(kind) ||
		    kind_space(kind) != space)
			continue;
		sum = total_live(l, i);
		amount.nr += sum.live;
		amount.req += sum.live_req;
		amount.alloc += bytes_of(l, kind, sum.live);
	}
	return amount;
}

/* Return the counters of one kind, after total_update(); the caller sets the key. */
struct row total_row(const struct ledger *l, uint32_t kind)
{
	const struct kind *k = kinds_get(&l->kinds, kind);
	const struct owners *owners = &l->owners[kind_space(k)];
	const struct kind_sum sum = total_live(l, kind);

	return (struct row) {
		.allocs = sum.allocs,
		.req = sum.req,
		.alloc = sum.allocs * class_size(k->class),
		.frees = sum.frees,
		.remote = sum.remote,
		.live = sum.live,
		.live_req = sum.live_req,
		.live_alloc = bytes_of(l, k, sum.live),
		.peak = bytes_of(l, k, owners_of(owners, kind)),
	};
}

/* ---- sums of all kinds ---- */

static void sum_up_kind(struct ledger *l, uint32_t i)
{
	const struct kind *kind = kinds_get(&l->kinds, i);
	struct totals *totals = &l->stats.totals[kind_space(kind)];
	const struct row row = total_row(l, i);

	/* What kmemtrace itself allocated, and its frees, are among the others. */
	if (kind_is_own(kind) && kind_is_hidden(kind))
		totals->frees -= row.allocs + row.frees;
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

/* Move the counters of a shard to the sums; @s->own is the number of now. */
static void move_shard_counters(struct stats *stats, struct shard *s)
{
	struct baseline *sum = &stats->baseline;
	int i;

	for (i = 0; i < NR_SPACES; i++)
		sum->freed_during[i] += s->baseline.freed_during[i];
	sum->in_transit += s->baseline.in_transit;
	sum->large_kmalloc += s->baseline.large_kmalloc;
	sum->reserved += s->baseline.reserved;
	sum->reserved_freed += s->baseline.reserved_freed;
	stats->settled += s->settled;
	s->baseline = (struct baseline) { .begun = false };
	s->settled = 0;
	stats->own += s->own;
}

/* The frees of unknown memory can neither be filtered nor weighted. */
static void count_matched(struct stats *stats)
{
	int i;

	for (i = 0; i < NR_SPACES; i++)
		stats->totals[i].frees = stats->totals[i].matched;
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

/* A thread begins new lifetimes. */
static void forget_lifetimes(struct sums *s)
{
	uint32_t i;

	for (i = 0; i < s->nr_kinds; i++)
		s->kinds[i].freed_by = NO_KIND;
	lifetimes_clear(&s->lifetimes);
}

/* The frees of a kind are known from the lifetimes that they ended, which get their weight. */
static void take_lifetimes(struct ledger *l, struct sums *s)
{
	uint32_t i;

	for (i = 1; i < s->lifetimes.nr; i++) {
		struct lifetime *life = &s->lifetimes.list[i];
		const struct kind *kind = kinds_get(&l->kinds, life->kind);
		unsigned int weight = sample_weight(l, kind);
		uint64_t nr = lifetime_ended(life, LIFETIME_STEPS);

		s->kinds[life->kind].frees += nr;
		s->kinds[life->kind].remote += life->remote;
		/* One event may free a part of a block, or several blocks. */
		if (kind_space(kind) != SPACE_PAGES)
			life->bytes = nr * class_size(kind->class);
		if (weight > 1)
			lifetime_weigh(life, weight);
	}
	lifetimes_add(&l->stats.lifetimes, &s->lifetimes);
	forget_lifetimes(s);
}

/* Forget the sums of the last total_update(), but not what is counted event by event. */
static void forget_sums(struct stats *stats)
{
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		stats->totals[i] = (struct totals) {
			.frees = stats->others[i],
			.failed = stats->totals[i].failed,
		};
		table_clear(&stats->sites[i]);
		table_clear(&stats->classes[i]);
		table_clear(&stats->cpus[i]);
		table_clear(&stats->nodes[i]);
	}
	stats->own = 0;
}

/* Add up the counters of all shards and threads, between two batches. */
void total_update(struct ledger *l)
{
	unsigned int i;

	forget_sums(&l->stats);
	for (i = 0; i < NR_SHARDS; i++)
		move_shard_counters(&l->stats, &l->shards[i]);
	for (i = 0; i < l->nr_sums; i++) {
		add_tables(l->stats.cpus, l->sums[i].cpus);
		add_tables(l->stats.nodes, l->sums[i].nodes);
		take_lifetimes(l, &l->sums[i]);
	}
	for (i = 0; i < l->kinds.nr; i++)
		sum_up_kind(l, i);
	if (l->one_of > 1)
		count_matched(&l->stats);
}

/* Move a thread's counters of all kinds to another thread's, and free their memory. */
static void move_kinds(struct sums *to, struct sums *from)
{
	uint32_t i;
	int k;

	for (i = 0; i < from->nr_kinds; i++) {
		for (k = 0; k < 2; k++) {
			to->kinds[i].nr[k] += from->kinds[i].nr[k];
			to->kinds[i].req[k] += from->kinds[i].req[k];
		}
		to->kinds[i].frees += from->kinds[i].frees;
		to->kinds[i].remote += from->kinds[i].remote;
	}
	free(from->kinds);
	from->kinds = NULL;
	from->nr_kinds = 0;
	from->room = 0;
}

/*
 * Add up the counters of all shards and threads, after the last event. From here on, the first
 * thread has them all.
 */
void total_finish(struct ledger *l)
{
	unsigned int i;

	total_update(l);
	for (i = 1; i < l->nr_sums; i++)
		move_kinds(&l->sums[0], &l->sums[i]);
	if (l->cells.list)
		cells_end(&l->cells);
	/* A filter can't be applied to these. */
	if (l->selection) {
		count_matched(&l->stats);
		l->stats.own = 0;
	}
}
