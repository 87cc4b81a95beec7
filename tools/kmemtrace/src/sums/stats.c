// SPDX-License-Identifier: GPL-2.0
/*
 * stats.c - the counters of a trace
 */
#include "config.h"

#include <assert.h>
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
		table_clear(&s->sites[i]);
		table_clear(&s->classes[i]);
		table_clear(&s->cpus[i]);
		table_clear(&s->nodes[i]);
	}
	lifetimes_free(&s->lifetimes);
	table_clear(&s->failure_index);
	table_clear(&s->site_index);
	table_clear(&s->index);
	free(s->failures);
	free(s->findings);
	*s = (struct stats) { 0 };
}
