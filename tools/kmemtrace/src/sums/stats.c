// SPDX-License-Identifier: GPL-2.0
/*
 * stats.c - the counters of a trace
 */
#include "config.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "linux/kmemtrace.h"
#include "sums/stats.h"

/* Class and allocator take 6 bits. */
static_assert(NR_FINDINGS <= 16 && NR_SPACES <= 4, "finding_key()");

/**
 * stats_init - set all counters to zero
 * @s: the counters
 * @ctx: the context that receives an error
 *
 * Return: 0 or -errno.
 */
int stats_init(struct stats *s, struct context *ctx)
{
	int i;

	*s = (struct stats) { .ctx = ctx };
	for (i = 0; i < NR_SPACES; i++) {
		s->sites[i].ctx = ctx;
		s->classes[i].ctx = ctx;
		s->cpus[i].ctx = ctx;
		s->nodes[i].ctx = ctx;
	}
	s->failure_index.ctx = ctx;
	s->site_index.ctx = ctx;
	s->index.ctx = ctx;
	return lifetimes_init(&s->lifetimes, ctx);
}

/*
 * Pack the class and the sites of a finding. The sites take 29 and 28 bits: the rows of
 * more sites than that would take 18 GB. 0 stands for NO_SITE.
 */
static uint64_t finding_key(struct stats *s, const struct finding *f)
{
	uint64_t first = f->site == NO_SITE ? 0 :
			 table_index(&s->site_index, f->site) + UINT64_C(1);
	uint64_t second = table_index(&s->site_index, f->site2);

	return first << 35 | second << 7 |
	       (uint64_t)(f->is_hidden << 6 | f->class << 2 | f->space);
}

/* Remember the finding of an event with parts. Return whether another part had it before. */
static bool was_counted(struct stats *s, uint32_t event, uint32_t finding)
{
	struct counted *last = &s->counted[event % STATS_COUNTED];
	bool was = last->event == event && last->finding == finding + 1;

	*last = (struct counted) { event, finding + 1 };
	return was;
}

/**
 * stats_finding - count a finding
 * @s: the counters
 * @f: the finding; its count is ignored, and the first of its class and sites is stored
 * @once: don't count it if it was counted for another part of the same event. Parts that wait
 *	become findings at different times
 */
void stats_finding(struct stats *s, const struct finding *f, bool once)
{
	uint32_t i = table_index(&s->index, finding_key(s, f));
	struct finding *list;

	/* Without memory, the list may lack what the index has. */
	if (i > s->nr_findings)
		return;
	if (i == s->nr_findings) {
		list = context_grow_list(s->ctx, s->findings, i, sizeof(*list));
		if (!list)
			return;
		s->findings = list;
		s->findings[s->nr_findings++] = *f;
		s->findings[i].count = 0;
	}
	if (once && was_counted(s, f->event, i))
		return;
	s->findings[i].count++;
	s->by_class[f->class]++;
}

/**
 * stats_explain - drop all findings of a class and an allocator
 * @s: the counters
 * @class: the class
 * @space: the allocator
 *
 * Return: how many were not hidden.
 */
uint64_t stats_explain(struct stats *s, enum finding_class class, enum space space)
{
	uint64_t count = 0;
	uint32_t i;

	for (i = 0; i < s->nr_findings; i++) {
		struct finding *f = &s->findings[i];

		if (f->class != class || f->space != space)
			continue;
		if (!f->is_hidden)
			count += f->count;
		s->by_class[class] -= f->count;
		f->count = 0;
	}
	return count;
}

/**
 * stats_failure - count an allocation that failed
 * @s: the counters
 * @f: the failure; its count is ignored
 */
void stats_failure(struct stats *s, const struct failure *f)
{
	/* Call sites are canonical: the type takes the place of upper bits. */
	uint64_t key = f->site << 8 | f->type;
	uint32_t i = table_index(&s->failure_index, key);
	struct failure *sum;

	if (i > s->nr_failures)
		return;
	if (i == s->nr_failures) {
		sum = context_grow_list(s->ctx, s->failures, i, sizeof(*sum));
		if (!sum)
			return;
		s->failures = sum;
		s->failures[s->nr_failures++] = (struct failure) {
			.site = f->site,
			.type = f->type,
		};
	}
	sum = &s->failures[i];
	sum->count++;
	sum->bytes += f->bytes;
	sum->gfp = f->gfp;
}

/* ---- store and restore ---- */

static void archive_failures(struct stats *s, struct archive *a)
{
	const size_t nr = archive_count(a, s->nr_failures, sizeof(*s->failures));
	struct failure f = { 0 };
	uint32_t i;

	for (i = 0; i < nr && !a->is_damaged; i++) {
		if (!a->reads)
			f = s->failures[i];
		archive_value(a, &f.site);
		f.type = archive_number(a, f.type, KMEMTRACE_TYPE_VMALLOC);
		archive_value(a, &f.count);
		archive_value(a, &f.bytes);
		archive_value(a, &f.gfp);
		if (!archive_goes_on(a))
			continue;
		stats_failure(s, &f);
		archive_expect(a, s->nr_failures == i + 1);
		if (archive_goes_on(a))
			s->failures[i] = f;
	}
}

static void archive_finding(struct finding *f, struct archive *a)
{
	f->class = archive_number(a, f->class, NR_FINDINGS - 1);
	f->space = archive_number(a, f->space, NR_SPACES - 1);
	archive_value(a, &f->site);
	archive_value(a, &f->site2);
	archive_value(a, &f->count);
	archive_value(a, &f->ptr);
	archive_value(a, &f->time);
	archive_value(a, &f->time_before);
	archive_value(a, &f->cpu);
	archive_value(a, &f->cpu_before);
	archive_value(a, &f->event);
	archive_bool(a, &f->is_hidden);
}

static void archive_findings(struct stats *s, struct archive *a)
{
	const size_t nr = archive_count(a, s->nr_findings, sizeof(*s->findings));
	struct finding f = { 0 };
	uint32_t i;

	for (i = 0; i < nr && !a->is_damaged; i++) {
		if (!a->reads)
			f = s->findings[i];
		archive_finding(&f, a);
		if (!archive_goes_on(a))
			continue;
		stats_finding(s, &f, false);
		archive_expect(a, s->nr_findings == i + 1);
		if (archive_goes_on(a))
			s->findings[i] = f;
	}
}

static void archive_baseline(struct baseline *b, struct archive *a)
{
	const size_t counters = offsetof(struct baseline, end);
	int i;

	archive_bool(a, &b->begun);
	archive_bool(a, &b->complete);
	archive_bool(a, &b->is_cut);
	for (i = 0; i < NR_SPACES; i++)
		archive_bool(a, &b->without[i]);
	archive_bytes(a, &b->end, sizeof(*b) - counters);
}

/**
 * stats_archive - store what is counted event by event, or restore it
 * @s: the counters; those that are sums of other counters are left out
 * @a: the archive
 * @nr_kinds: kinds have numbers below this
 */
void stats_archive(struct stats *s, struct archive *a, uint32_t nr_kinds)
{
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		archive_value(a, &s->totals[i].frees);
		archive_value(a, &s->totals[i].failed);
	}
	lifetimes_archive(&s->lifetimes, a, nr_kinds);
	archive_baseline(&s->baseline, a);
	archive_failures(s, a);
	archive_findings(s, a);
	archive_value(a, &s->by_class);
	archive_value(a, &s->settled);
	archive_value(a, &s->unknown_ids);
	archive_value(a, &s->counted);
}

/**
 * stats_hide - count nothing so far
 * @s: the counters, of which no finding is hidden
 */
void stats_hide(struct stats *s)
{
	uint32_t i;

	for (i = 0; i < NR_SPACES; i++)
		s->totals[i].failed = 0;
	table_free(&s->failure_index);
	s->nr_failures = 0;
	s->baseline.unsure_freed = 0;
	table_free(&s->index);
	for (i = 0; i < s->nr_findings; i++) {
		s->findings[i].is_hidden = true;
		table_index(&s->index, finding_key(s, &s->findings[i]));
	}
}

/* Return all live memory of one allocator, older than the trace or not. */
struct amount stats_live(const struct stats *s, enum space space)
{
	const struct table *t = &s->classes[space];
	struct amount sum = { 0 };
	uint32_t i;

	for (i = 0; i < t->nr; i++) {
		sum.nr += t->rows[i].live;
		sum.req += t->rows[i].live_req;
		sum.alloc += t->rows[i].live_alloc;
	}
	return sum;
}

/* Free all memory. */
void stats_free(struct stats *s)
{
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		table_free(&s->sites[i]);
		table_free(&s->classes[i]);
		table_free(&s->cpus[i]);
		table_free(&s->nodes[i]);
	}
	lifetimes_free(&s->lifetimes);
	table_free(&s->failure_index);
	table_free(&s->site_index);
	table_free(&s->index);
	free(s->failures);
	free(s->findings);
	*s = (struct stats) { 0 };
}
