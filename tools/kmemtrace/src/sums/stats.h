/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the events of a trace add up to.
 */
#ifndef KMEMTRACE_STATS_H
#define KMEMTRACE_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "sums/kinds.h"
#include "sums/lifetimes.h"
#include "sums/table.h"

/**
 * enum space - the namespaces, whose bytes must never be added up
 * @SPACE_SLAB: slab objects, and what else kmalloc() gives
 * @SPACE_PAGES: the page allocator; all else is made of its pages
 * @SPACE_PERCPU: alloc_percpu()
 * @SPACE_VMALLOC: vmalloc()
 */
enum space {
	SPACE_SLAB,
	SPACE_PAGES,
	SPACE_PERCPU,
	SPACE_VMALLOC,
	/* private: */
	NR_SPACES
};

/* Call sites of memory that no event allocated; no code is at such addresses. */
#define SITE_SNAPSHOT	0
#define SITE_RESERVED	1

/**
 * enum finding_class - what was seen that should not be
 * @FINDING_ALLOC_TWICE: allocated while it was live
 * @FINDING_FREE_TWICE: freed while it was free
 * @FINDING_FREE_UNKNOWN: freed, but no event allocated it, and nothing says what
 *	was live when tracing began
 * @FINDING_FREE_UNEXPLAINED: the same, but it wasn't live when tracing began
 * @FINDING_FREE_IN_USE: pages freed with a live object in them
 * @FINDING_IN_FREE_PAGES: an object in pages that are free
 * @FINDING_CACHE_IN_USE: a cache destroyed with live objects
 * @FINDING_MIXED_API: allocated by kmem_cache_alloc(), freed by kfree(), or the
 *	other way round, where that is wrong
 * @FINDING_MIXED_LEGAL: the same where it is allowed
 * @FINDING_SHORT: fewer bytes given than asked for
 * @FINDING_IMPOSSIBLE: a record that breaks the ABI; it is not counted
 */
enum finding_class {
	FINDING_ALLOC_TWICE,
	FINDING_FREE_TWICE,
	FINDING_FREE_UNKNOWN,
	FINDING_FREE_UNEXPLAINED,
	FINDING_FREE_IN_USE,
	FINDING_IN_FREE_PAGES,
	FINDING_CACHE_IN_USE,
	FINDING_MIXED_API,
	FINDING_MIXED_LEGAL,
	FINDING_SHORT,
	FINDING_IMPOSSIBLE,
	/* private: */
	NR_FINDINGS
};

/* Stands for a call site that a finding does not have; no code is there. */
#define NO_SITE	UINT64_MAX

/**
 * struct finding - events of one class at one pair of call sites
 * @class: what
 * @space: of the event that contradicts another
 * @site: address, of the event before: the first allocation, the first free
 * @site2: address, of the event that contradicts it
 * @count: how often
 * @ptr: of the first such pair
 * @time: of its second event
 * @time_before: of its first event
 * @cpu: of its second event
 * @cpu_before: of its first event
 * @event: number of the last event, up to 32 bits
 * @is_hidden: a filter is in force that neither event fits
 */
struct finding {
	enum finding_class class;
	enum space space;
	uint64_t site, site2;
	uint64_t count;
	uint64_t ptr;
	int64_t time, time_before;
	unsigned int cpu, cpu_before;
	uint32_t event;
	bool is_hidden;
};

/**
 * struct failure - allocations that failed, of one interface at one call site
 * @site: address of the call site
 * @type: enum kmemtrace_type_id
 * @count: how often
 * @bytes: asked for by all of them
 * @gfp: flags of the last one
 */
struct failure {
	uint64_t site;
	uint8_t type;
	uint64_t count, bytes, gfp;
};

/**
 * struct amount - some memory
 * @nr: objects or pages
 * @req: bytes asked for
 * @alloc: bytes given
 */
struct amount {
	uint64_t nr, req, alloc;
};

/**
 * struct totals - one namespace
 * @allocs: events
 * @frees: events; with a filter in force, those of @matched
 * @failed: events
 * @matched: frees of something known to be live
 * @req: bytes asked for by @allocs
 * @alloc: bytes given to @allocs
 * @remote: frees on another CPU than the allocation
 * @older: what lives since before tracing began, as far as the snapshot knows
 */
struct totals {
	uint64_t allocs, frees, failed, matched;
	uint64_t req, alloc;
	uint64_t remote;
	struct amount older;
};

/**
 * struct baseline - what was live when tracing began, and what explains events
 * @begun: there are records of a snapshot
 * @complete: and all of them were seen
 * @end: time of the last
 * @at_end: what was live then and older than the trace
 * @freed_during: frees of something unknown before @end
 * @in_transit: allocations of something that the snapshot already had
 * @unsure: slabs whose objects are not in the snapshot
 * @unsure_freed: frees that this explains
 * @large_kmalloc: frees of pages that kmalloc() had taken before tracing began
 * @reserved: frames that never were the page allocator's
 * @reserved_freed: frames that became the page allocator's
 */
struct baseline {
	bool begun, complete;
	int64_t end;
	struct amount at_end[NR_SPACES];
	uint64_t freed_during[NR_SPACES];
	uint64_t in_transit;
	uint64_t unsure, unsure_freed;
	uint64_t large_kmalloc;
	uint64_t reserved, reserved_freed;
};

/**
 * struct stats - all that is counted
 * @totals: by namespace
 * @sites: by call site, those that only free included
 * @classes: by cache and bytes given, see class_key()
 * @cpus: frees on another CPU; key is the CPU of the allocation << 16 | that of
 *	the free, @remote the number, @alloc the bytes
 * @nodes: allocations since the trace told of more than one NUMA node; see node_key()
 * @lifetimes: of all that was allocated and freed
 * @baseline: what was live when tracing began
 * @own: page frames of kmemtrace's buffers that live, which are in no other sum of
 *	what does
 * @failures: allocations that failed, by call site and interface
 * @nr_failures: of @failures
 * @findings: by class and sites; those whose count is 0 were explained later
 * @nr_findings: of @findings
 * @by_class: findings, those that are hidden included
 * @settled: events that were put after later ones of another CPU, since they
 *	make no sense before
 * @unknown_ids: records of kinds this program does not know
 */
struct stats {
	struct totals totals[NR_SPACES];
	struct table sites[NR_SPACES];
	struct table classes[NR_SPACES];
	struct table cpus[NR_SPACES];
	struct table nodes[NR_SPACES];
	struct lifetimes lifetimes;
	struct baseline baseline;
	uint64_t own;
	struct failure *failures;
	uint32_t nr_failures;
	struct finding *findings;
	uint32_t nr_findings;
	uint64_t by_class[NR_FINDINGS];
	uint64_t settled;
	uint64_t unknown_ids;

	/* private: find failures and findings */
	struct table failure_index;
	struct table site_index;
	struct table index;
};

void stats_by_size(const struct stats *s, enum space space, struct table *sum);
void stats_by_cache(const struct stats *s, struct table *sum);
struct amount stats_live(const struct stats *s, enum space space);

void stats_failure(struct stats *s, const struct failure *f);
void stats_finding(struct stats *s, const struct finding *f, bool once);
void stats_explain(struct stats *s, enum finding_class class,
		   uint64_t counts[NR_SPACES]);
void stats_free(struct stats *s);

#endif /* KMEMTRACE_STATS_H */
