// SPDX-License-Identifier: GPL-2.0
/*
 * What the events of a trace add up to.
 */
#include "config.h"

#include <stdbool.h>

#include "memory.h"
#include "stats.h"

static bool same(const struct finding *a, const struct finding *b)
{
	return a->class == b->class && a->space == b->space &&
	       a->site == b->site && a->site2 == b->site2;
}

/* Distinct while there are fewer than 2^29 sites; same() decides anyway. */
static uint64_t finding_key(const struct finding *f)
{
	return ((uint64_t)f->site << 29 ^ f->site2) << 4 ^
	       (uint64_t)(f->class << 1 | f->space);
}

/**
 * stats_finding - count a finding
 * @s: the counters
 * @f: the finding; its count is ignored, its first occurrence is kept
 */
void stats_finding(struct stats *s, const struct finding *f)
{
	uint64_t key = finding_key(f);
	struct finding *row;
	uint32_t i;

	s->by_class[f->class]++;
	do {
		i = table_index(&s->index, key++);
		if (i == s->nr_findings) {
			s->findings = must_realloc(s->findings, i + 1,
						   sizeof(*s->findings));
			s->findings[s->nr_findings++] = *f;
			s->findings[i].count = 0;
		}
		row = &s->findings[i];
	} while (!same(row, f));
	row->count++;
}

/* Give back all memory. */
void stats_free(struct stats *s)
{
	int i;

	for (i = 0; i < NR_SPACES; i++) {
		table_free(&s->sites[i]);
		table_free(&s->sizes[i]);
		table_free(&s->cpus[i]);
	}
	table_free(&s->index);
	free(s->findings);
	*s = (struct stats) { 0 };
}
