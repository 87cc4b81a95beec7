/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the events of a trace add up to.
 */
#ifndef KMEMTRACE_STATS_H
#define KMEMTRACE_STATS_H

#include <stdint.h>

#include "table.h"

/**
 * enum space - two namespaces, whose bytes must never be added up
 * @SPACE_SLAB: slab objects, and what else kmalloc() gives
 * @SPACE_PAGES: the page allocator; slabs are made of its pages
 */
enum space {
	SPACE_SLAB,
	SPACE_PAGES,
	/* private: */
	NR_SPACES
};

/**
 * enum finding_class - what was seen that should not be
 * @FINDING_ALLOC_TWICE: allocated while it was live
 * @FINDING_FREE_TWICE: freed while it was free
 * @FINDING_FREE_UNKNOWN: freed, but no event allocated it
 * @FINDING_MIXED_API: allocated by kmem_cache_alloc(), freed by kfree(), or the
 *	other way round
 * @FINDING_SHORT: fewer bytes given than asked for
 * @FINDING_IMPOSSIBLE: a record that breaks the ABI; it is not counted
 */
enum finding_class {
	FINDING_ALLOC_TWICE,
	FINDING_FREE_TWICE,
	FINDING_FREE_UNKNOWN,
	FINDING_MIXED_API,
	FINDING_SHORT,
	FINDING_IMPOSSIBLE,
	/* private: */
	NR_FINDINGS
};

/* Stands for a call site that a finding does not have. */
#define NO_SITE	UINT32_MAX

/**
 * struct finding - events of one class at one pair of call sites
 * @class: what
 * @space: where the sites' indices belong
 * @site: of the event before: the first allocation, the first free
 * @site2: of the event that contradicts it
 * @count: how often
 * @ptr: of the first
 * @time: of the first
 * @cpu: of the first
 */
struct finding {
	enum finding_class class;
	enum space space;
	uint32_t site, site2;
	uint64_t count;
	uint64_t ptr;
	int64_t time;
	unsigned int cpu;
};

/**
 * struct totals - one namespace
 * @allocs: events
 * @frees: events
 * @matched: frees of something known to be live
 * @req: bytes asked for by @allocs
 * @alloc: bytes given to @allocs
 * @remote: frees on another CPU than the allocation
 */
struct totals {
	uint64_t allocs, frees, matched;
	uint64_t req, alloc;
	uint64_t remote;
};

/**
 * struct stats - all that is counted
 * @totals: by namespace
 * @sites: by call site, those that only free included
 * @sizes: by bytes given
 * @cpus: frees on another CPU; key is the CPU of the allocation << 16 | that of
 *	the free, @remote the number, @alloc the bytes
 * @findings: by class and sites
 * @nr_findings: of @findings
 * @by_class: findings
 * @settled: events that were put after later ones of another CPU, since they
 *	make no sense before
 * @unknown_ids: records of kinds this program does not know
 */
struct stats {
	struct totals totals[NR_SPACES];
	struct table sites[NR_SPACES];
	struct table sizes[NR_SPACES];
	struct table cpus[NR_SPACES];
	struct finding *findings;
	uint32_t nr_findings;
	uint64_t by_class[NR_FINDINGS];
	uint64_t settled;
	uint64_t unknown_ids;

	/* private: finds findings */
	struct table index;
};

void stats_finding(struct stats *s, const struct finding *f);
void stats_free(struct stats *s);

#endif /* KMEMTRACE_STATS_H */
