/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A filter of allocations, as a user gives it.
 */
#ifndef KMEMTRACE_FILTER_H
#define KMEMTRACE_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/names.h"

/**
 * enum filter_key - the parts of a filter
 * @FILTER_SITE: a pattern of the function of the call site
 * @FILTER_MODULE: name of the module, see who_module_site(), "kernel" for the kernel itself
 * @FILTER_CACHE: a pattern of a name of the slab cache
 * @FILTER_TYPE: the interface, or several of them: kmalloc,pages
 * @FILTER_CPU: CPUs of the allocation: 0,2-3
 * @FILTER_SIZE: bytes requested: 100, 64-1K, 4K-, -63
 * @FILTER_TASK: a pattern of the name of the task, or a number of it or of its process
 * @FILTER_CGROUP: path of the memory cgroup, or of one above it
 * @FILTER_STACK: a function in the call path
 * @FILTER_OLDER: seconds: of live memory, since its allocation at least; all events match
 * @FILTER_YOUNGER: the same, at most
 */
enum filter_key {
	FILTER_SITE,
	FILTER_MODULE,
	FILTER_CACHE,
	FILTER_TYPE,
	FILTER_CPU,
	FILTER_SIZE,
	FILTER_TASK,
	FILTER_CGROUP,
	FILTER_STACK,
	FILTER_OLDER,
	FILTER_YOUNGER,
	/* private: */
	NR_FILTERS
};

/**
 * struct filter - properties of the allocations to count; zeroed memory matches all
 * @texts: by enum filter_key, as given to filter_set(); NULL: not in force
 * @types: bits by enum kmemtrace_type_id
 * @cpus: a bit for each
 * @min: bytes requested at least
 * @max: bytes requested at most
 * @older: nanoseconds of FILTER_OLDER
 * @younger: nanoseconds of FILTER_YOUNGER
 */
struct filter {
	const char *texts[NR_FILTERS];

	/* private: the meaning of the texts */
	unsigned int types;
	uint64_t cpus[MAX_CPU / 64 + 1];
	uint64_t min, max;
	uint64_t older, younger;
};

int filter_set(struct filter *f, enum filter_key key, const char *text);
bool filter_is_set(const struct filter *f);

/* Return whether the filter by CPU has a CPU. */
static inline bool filter_has_cpu(const struct filter *f, uint32_t cpu)
{
	return cpu <= MAX_CPU && f->cpus[cpu / 64] >> cpu % 64 & 1;
}

/* Return whether the filter by size has a size; 0 is unknown. */
static inline bool filter_has_size(const struct filter *f, uint64_t req)
{
	return !!req & (req - f->min <= f->max - f->min);
}

#endif /* KMEMTRACE_FILTER_H */
