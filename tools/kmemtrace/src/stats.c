// SPDX-License-Identifier: GPL-2.0
/*
 * What the events of a trace add up to.
 */
#include "config.h"

#include "memory.h"
#include "stats.h"

/*
 * Class and namespace take 4 bits, each site 30: the rows of more sites than
 * that would take 64 GB. NO_SITE plus one is 0.
 */
static uint64_t finding_key(const struct finding *f)
{
	return (uint64_t)(f->site + 1) << 34 | (uint64_t)f->site2 << 4 |
	       (uint64_t)(f->class << 1 | f->space);
}

/**
 * stats_finding - count a finding
 * @s: the counters
 * @f: the finding; its count is ignored, its first occurrence is kept
 */
void stats_finding(struct stats *s, const struct finding *f)
{
	uint32_t i = table_index(&s->index, finding_key(f));

	if (i == s->nr_findings) {
		s->findings = must_realloc(s->findings, i + 1,
					   sizeof(*s->findings));
		s->findings[s->nr_findings++] = *f;
		s->findings[i].count = 0;
	}
	s->findings[i].count++;
	s->by_class[f->class]++;
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
