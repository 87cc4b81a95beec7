/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Suspects: groups of allocations whose live memory is unlike that which was freed.
 */
#ifndef KMEMTRACE_SUSPECTS_H
#define KMEMTRACE_SUSPECTS_H

#include "api/api-objects.h"
#include "relations/relation.h"
#include "sums/lifetimes.h"

/* From this weight on, a group is suspicious. Healthy loads stay below it. */
#define SUSPICIOUS_WEIGHT	1

/* Groups with fewer live objects or pages have no weight. */
#define LEAST_SUSPECTS	3

/* Call sites of a suspect of several call paths. */
#define SUSPECT_SITES	8

/* A kind that is in no group. */
#define NO_GROUP	UINT32_MAX

/**
 * enum harmless - why live memory may be meant
 * @HARMLESS_NOT: nothing says so
 * @HARMLESS_RECLAIMABLE: the kernel frees it when memory is short
 * @HARMLESS_MOVABLE: pages of files or of processes
 * @HARMLESS_CACHED: pages of the page cache that are not movable
 * @HARMLESS_TIMED: a timer frees it
 * @HARMLESS_LAZY: vmalloc() frees it later, with many others
 * @HARMLESS_BACKING: memory of another allocator lies in it, or it describes such memory
 */
enum harmless {
	HARMLESS_NOT, HARMLESS_RECLAIMABLE, HARMLESS_MOVABLE, HARMLESS_CACHED, HARMLESS_TIMED,
	HARMLESS_LAZY, HARMLESS_BACKING, NR_HARMLESS,
};

/**
 * struct suspicion - what is known of the live memory of a group
 * @births: when it was allocated, after the boot
 * @allocs: allocations, or single pages, in the trace
 * @kept: those that are live, and older than @usual_ns
 * @of_start: those whose path begins in the start of the kernel, a module, a device or a mount, or
 *	is unknown
 * @lives: of what was freed
 * @usual_ns: 95 % of what was freed lived no longer; 0: nothing was freed
 * @freed_site: where most of it was freed; 0: nothing was freed
 * @freed_there: how many were freed there
 * @flags: gfp flags of all allocations
 * @nr: of @allocs, by enum harmless
 * @site: the call site of a kind that has most of them
 * @most: how many that kind has
 * @of_site: why what is allocated there may be meant
 * @spread: over how many parts of the trace, 0 to 1, the births are spread
 * @weight: how suspicious it is; 0: not at all
 * @paths: how many groups it has, see suspects_join()
 * @below: of several, an address in the function below which all of them allocate
 * @sites: of several, call sites that wanted the memory; 0: there are no more
 */
struct suspicion {
	struct births births;
	uint64_t allocs, kept, of_start;
	struct lifetime lives;
	uint64_t usual_ns;
	uint64_t freed_site, freed_there;
	uint64_t nr[NR_HARMLESS];
	uint64_t site, most;
	enum harmless of_site;
	double spread, weight;
	uint32_t paths;
	uint64_t below, sites[SUSPECT_SITES];
};

/**
 * struct suspect_path - a group of one call path
 * @path: the call path
 * @suspicion: what is known of its live memory
 * @bytes: how much is live
 * @space: the allocator
 * @leader: result: number of the group that stands for it
 */
struct suspect_path {
	const struct kmemtrace_call_path *path;
	struct suspicion *suspicion;
	uint64_t bytes;
	int space;
	size_t leader;

	/* private: */
	size_t depth;
	uint64_t root, caller;
	bool is_part;
};

enum harmless suspicion_harmless(const struct suspicion *s);
struct suspicion *suspects_judge(const struct kmemtrace_trace *trace, const uint32_t *group_of,
				 size_t nr_groups);
int suspects_join(const struct kmemtrace_trace *trace, struct suspect_path *list, size_t nr);

#endif /* KMEMTRACE_SUSPECTS_H */
