/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counters of a trace.
 */
#ifndef KMEMTRACE_STATS_H
#define KMEMTRACE_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "sums/kinds.h"
#include "sums/lifetimes.h"
#include "sums/table.h"

/**
 * enum space - the allocators. Their bytes can't be added up: all take memory from pages
 * @SPACE_SLAB: slab objects, and large objects of kmalloc()
 * @SPACE_PAGES: the page allocator
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

/* Call sites of memory that no event allocated; no code is at these addresses. */
#define SITE_SNAPSHOT	0
#define SITE_RESERVED	1

/**
 * enum finding_class - events that contradict others
 * @FINDING_ALLOC_TWICE: allocated while live
 * @FINDING_FREE_TWICE: freed while free
 * @FINDING_FREE_UNKNOWN: freed, but no event allocated it, and no snapshot says
 *	what was live when tracing began
 * @FINDING_FREE_UNEXPLAINED: the same, but the snapshot says it was not live
 * @FINDING_FREE_IN_USE: pages freed with a live object in them
 * @FINDING_IN_FREE_PAGES: an object in pages that are free
 * @FINDING_CACHE_IN_USE: a cache destroyed with live objects
 * @FINDING_MIXED_API: allocated by kmem_cache_alloc(), freed by kfree(), or the
 *	other way round, where that is wrong
 * @FINDING_MIXED_LEGAL: the same where it is allowed
 * @FINDING_SHORT: fewer bytes allocated than requested
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

/* A finding has no such call site; no code is at this address. */
#define NO_SITE	UINT64_MAX

/**
 * struct finding - events of one class at one pair of call sites
 * @class: the class
 * @space: allocator of the second event
 * @site: call site of the first event
 * @site2: call site of the second event, which contradicts the first
 * @count: how often; 0: it was explained later
 * @ptr: of the first such pair
 * @time: of its second event
 * @time_before: of its first event
 * @cpu: of its second event
 * @cpu_before: of its first event
 * @event: number of the last event, up to 32 bits
 * @is_hidden: neither event matches the filter that is in force
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
 * @bytes: requested by all of them
 * @gfp: flags of the last one
 */
struct failure {
	uint64_t site;
	unsigned int type;
	uint64_t count, bytes, gfp;
};

/**
 * struct amount - an amount of memory
 * @nr: objects or pages
 * @req: bytes requested
 * @alloc: bytes allocated
 */
struct amount {
	uint64_t nr, req, alloc;
};

/**
 * struct totals - the counters of one allocator
 * @allocs: allocations
 * @frees: frees; with a filter in force, those of @matched
 * @failed: failed allocations
 * @matched: frees of memory that was known to be live
 * @req: bytes requested by @allocs
 * @alloc: bytes allocated by @allocs
 * @remote: frees on another CPU than the allocation
 * @older: live memory that is older than the trace, by the snapshot
 */
struct totals {
	uint64_t allocs, frees, failed, matched;
	uint64_t req, alloc;
	uint64_t remote;
	struct amount older;
};

/**
 * struct baseline - the snapshot of memory that was live when tracing began
 * @begun: there are records of a snapshot
 * @complete: its last record was read
 * @end: time of the last record
 * @at_end: memory that was live at @end and is older than the trace
 * @without: by allocator; the snapshot does not have its memory
 * @took_ns: from the begin of the snapshot to @end; 0 if the trace doesn't say when it began
 * @stop_ns: the longest time for which all CPUs stood still
 * @is_cut: its first records were overwritten
 * @freed_during: frees of unknown memory before @end
 * @in_transit: allocations of memory that the snapshot already has
 * @unsure: slabs whose objects are not in the snapshot, as a task was changing them
 * @unlisted: slabs whose objects are not in the snapshot, as SLOB can't list objects
 * @unsure_freed: frees that @unsure and @unlisted explain
 * @large_kmalloc: frees of pages that kmalloc() had allocated before tracing began
 * @reserved: frames that never belonged to the page allocator
 * @reserved_freed: frames that the page allocator got later
 */
struct baseline {
	bool begun, complete, is_cut;
	bool without[NR_SPACES];
	int64_t end;
	uint64_t took_ns, stop_ns;
	struct amount at_end[NR_SPACES];
	uint64_t freed_during[NR_SPACES];
	uint64_t in_transit;
	uint64_t unsure, unlisted, unsure_freed;
	uint64_t large_kmalloc;
	uint64_t reserved, reserved_freed;
};

/* Events with parts whose findings are remembered: twice as many as can wait in all shards. */
#define STATS_COUNTED	2048

/**
 * struct stats - all counters
 * @ctx: the context that receives an error
 * @totals: by allocator
 * @sites: by call site, those that only free included
 * @classes: by cache and allocated bytes, see class_key()
 * @cpus: frees on another CPU; key is the CPU of the allocation << 16 | that of
 *	the free, @remote the number, @alloc the bytes
 * @nodes: allocations since the record of a second NUMA node; see node_key()
 * @lifetimes: of all memory that was allocated and freed
 * @baseline: memory that was live when tracing began
 * @others: by allocator: all frees, and the allocations that don't count
 * @own: live page frames of kmemtrace's buffers, which no other sum of live memory has
 * @failures: allocations that failed, by call site and interface
 * @nr_failures: number of @failures
 * @findings: by class and sites
 * @nr_findings: number of @findings
 * @by_class: number of findings, hidden ones included
 * @settled: reordered events: taken after later ones of another CPU, which they need
 * @unknown_ids: records with an event id that this program doesn't know
 */
struct stats {
	struct context *ctx;
	struct totals totals[NR_SPACES];
	struct table sites[NR_SPACES];
	struct table classes[NR_SPACES];
	struct table cpus[NR_SPACES];
	struct table nodes[NR_SPACES];
	struct lifetimes lifetimes;
	struct baseline baseline;
	uint64_t others[NR_SPACES];
	uint64_t own;
	struct failure *failures;
	uint32_t nr_failures;
	struct finding *findings;
	uint32_t nr_findings;
	uint64_t by_class[NR_FINDINGS];
	uint64_t settled;
	uint64_t unknown_ids;

	/* private: to find failures and findings */
	struct table failure_index;
	struct table site_index;
	struct table index;
	/* of the last events with parts: the index of their finding plus one; 0: none */
	struct counted {
		uint32_t event, finding;
	} counted[STATS_COUNTED];
};

int stats_init(struct stats *s, struct context *ctx);
struct amount stats_live(const struct stats *s, enum space space);

void stats_failure(struct stats *s, const struct failure *f);
void stats_finding(struct stats *s, const struct finding *f, bool once);
uint64_t stats_explain(struct stats *s, enum finding_class class, enum space space);
void stats_free(struct stats *s);

#endif /* KMEMTRACE_STATS_H */
